/**
 * Server time and size of every page of the console with 3,000 authors, 40,000 items, 2 million purchases and a
 * month of traffic, and what the console costs validations. `npm run soak -- console 200000` takes fewer purchases.
 */

import { account, item, type Line, purchase } from "../../src/store/contracts/records.ts"
import { addOperator, openOperator } from "../harness/operators.ts"
import { startProgram } from "../harness/program.ts"
import { fillImports, fillKeys, fillTraffic } from "./month-of-traffic.ts"

const purchases = Number(process.argv[2] ?? 2_000_000)
const [authors, items] = [3_000, 40_000]
/** One author has a quarter of all items, as the largest one of a real marketplace may. */
const authorOf = (id: number) => `author${id % 4 === 0 ? 0 : id % authors}`

const program = await startProgram({ LOG_LEVEL: "error" })
const batch = 50_000
async function load(count: number, make: (index: number) => Line): Promise<void> {
  for (let from = 0; from < count; from += batch) {
    const length = Math.min(batch, count - from)
    await program.load(Array.from({ length }, (_, at) => make(from + at)))
  }
}
await load(authors, (at) => ({ ...account(`author${at}`), api_key: `key of author ${at}` }))
await load(items, (at) => item(authorOf(at + 1), at + 1))
await load(purchases, (at) => purchase(`code-${at}`, (at % items) + 1))
const { secret } = await program.issue("author0")
const { store, vault } = program.app
const usernames = Array.from({ length: authors }, (_, at) => `author${at}`)
const keys = await Promise.all(
  usernames.map((_, at) => store.keys.findByLookup(vault.lookup(`key of author ${at}`))),
)
const keyIds = keys.flatMap((key) => (key === null ? [] : [key.id]))
await fillTraffic(store, usernames)
await fillKeys(store, keyIds)
await fillImports(store)
await addOperator(program, "deniz")
const deniz = await openOperator(program.url, "deniz")
const purchasesPath = "/console/purchases"
const message = { code: "Hello, my code is code-77777. Thanks!" }
const { location: found } = await deniz.submit(purchasesPath, message, purchasesPath)
const idOf = async (name: string) => (await program.app.store.accounts.findByUsername(name))?.id

const paths = [
  ...["", "/settings", "/security", "/operators", "/audit", "/audit?account=author0&kind=key"],
  ...["/traffic?span=hour", "/traffic", "/traffic?days=90", `/keys/${keyIds[0]}`, "/keys"],
  ...["/purchases", found?.slice("/console".length) ?? "", "/purchases/items/77"],
  ...["/imports", `/imports/${(await store.feed.listRuns(1))[0]?.id}`],
  ...["/authors", "/authors?page=120", "/authors?q=author29", "/authors?q=zzz"],
  ...[`/authors/${await idOf("author0")}`, `/authors/${await idOf("author1")}`],
]

/** The processor time of a page is that of server and client, and does not depend on other programs. */
const rounds = 20

const percentile = (times: readonly number[], share: number) =>
  times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * share)] ?? 0

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

for (const path of paths) {
  const { text } = await deniz.get(`/console${path}`)
  const times: number[] = []
  const before = process.cpuUsage()
  for (let i = 0; i < rounds; i += 1) times.push(await time(() => deniz.get(`/console${path}`)))
  const { user, system } = process.cpuUsage(before)
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  const cpuMs = (user + system) / 1000 / rounds
  const size = (text.length / 1000).toFixed(1)
  console.log(
    `/console${path}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, CPU ${cpuMs.toFixed(1)} ms, ${size} KB`,
  )
}

/** p99 of validations, one after the other. */
async function validate(count: number): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < count; at += 1) {
    const body = new URLSearchParams({ api_key: secret, purchase_code: `code-${at % purchases}` })
    const url = `${program.url}/api/purchases/validation`
    times.push(await time(async () => (await fetch(url, { method: "POST", body })).text()))
  }
  return percentile(times, 0.99)
}
/** The same while one operator opens a page every half second. */
async function validateBesideConsole(count: number): Promise<number> {
  let isOver = false
  const browsing = (async () => {
    for (let at = 0; !isOver; at += 1) {
      await deniz.get(`/console${paths[at % paths.length] ?? ""}`)
      await Bun.sleep(500)
    }
  })()
  const latencyMsP99 = await validate(count)
  isOver = true
  await browsing
  return latencyMsP99
}

// In turns, because other programs on the machine come and go.
const [turns, validations] = [9, 2_000]
const [alone, beside]: [number[], number[]] = [[], []]
await validate(validations)
for (let turn = 0; turn < turns; turn += 1) {
  alone.push(await validate(validations))
  beside.push(await validateBesideConsole(validations))
}
const [without, withConsole] = [percentile(alone, 0.5), percentile(beside, 0.5)]
console.log(
  `validations, median p99 of ${turns} turns: ${without.toFixed(2)} ms alone, ${withConsole.toFixed(2)} ms beside the console`,
)
await program.close()
// The PostgreSQL server of the harness would keep the process alive.
process.exit(0)
