/**
 * `npm run soak -- patroni [CRASHES [RATE]]`: validations of sold codes on two threads whose DATABASE_URL names both servers of a
 * Patroni cluster. Its primary is killed again and again: in turns PostgreSQL alone, which Patroni starts again, and
 * PostgreSQL with Patroni, upon which the standby is promoted. No validation may fail, and a pushed sale must be accepted again.
 */
import { randomBytes } from "node:crypto"
import { account, item, purchase, toFeed } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import { killTree, runPazar, startServer } from "../../harness/command.ts"
import { temporaryFolder } from "../../harness/program.ts"
import { startPatroni } from "../../harness/stores/patroni.ts"
import { addressOf } from "../../harness/stores/postgres.ts"

const [crashes = 20, ratePerSecond = 500] = process.argv.slice(2).map(Number)
const authors = Array.from({ length: 50 }, (_, at) => `author-${at}`)
const folder = temporaryFolder()

console.log("starting Patroni")
const cluster = await startPatroni()
const hosts = cluster.members.map(({ port }) => `127.0.0.1:${port}`).join(",")
const env = {
  DATABASE_URL: addressOf(0, "postgres").replace("127.0.0.1:0", hosts),
  PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
  PAZAR_OPERATOR_TOKEN: "operator-token-of-the-soak-test-0001",
  PAZAR_THREADS: "2",
  LOG_LEVEL: "error",
}
await runPazar(folder, ["migrate"], { env })
const feed = authors.flatMap((username, at) => [
  { ...account(username), api_key: `key-of-${username}` },
  item(username, at + 1),
  purchase(`code-${at}`, at + 1),
])
await runPazar(folder, ["import", "-"], { env, input: toFeed(feed) })
const server = await startServer(folder, env)

/** Some with a site, which is written later, and some that are signed. */
const extras = [{}, { site: "shop.example.com" }, { nonce: "0123456789abcdef" }]
async function validate(at: number): Promise<string> {
  const body = new URLSearchParams({
    api_key: `key-of-${authors[at % authors.length]}`,
    purchase_code: `code-${at % authors.length}`,
    ...extras[at % extras.length],
  })
  const response = await fetch(`${server.url}/api/purchases/validation`, { method: "POST", body })
  await response.text()
  return `${response.status} ${response.headers.get("pazar-reason")}`
}
const push = (code: string) =>
  fetch(`${server.url}/operator/feed`, {
    method: "POST",
    headers: { Authorization: `Bearer ${env.PAZAR_OPERATOR_TOKEN}` },
    body: toFeed([purchase(code, 1)]),
  }).then(
    ({ ok }) => (ok ? true : undefined),
    () => undefined,
  )

let failed = new Map<string, number>()
let [isOver, asked, slowestMs] = [false, 0, 0]
const startedAt = performance.now()
const clients = Array.from({ length: 64 }, async () => {
  while (!isOver) {
    const due = ((performance.now() - startedAt) * ratePerSecond) / 1000
    if (asked >= due) await Bun.sleep(1)
    else {
      const sentAt = performance.now()
      asked += 1
      const outcome = await validate(asked).catch(String)
      slowestMs = Math.max(slowestMs, performance.now() - sentAt)
      if (outcome !== "200 ok") failed.set(outcome, (failed.get(outcome) ?? 0) + 1)
    }
  }
})

const kinds = ["PostgreSQL killed", "PostgreSQL and Patroni killed"] as const
type Crash = Readonly<{ kind: string; failures: number; pushSeconds: number; lagSeconds: number }>
const seen: Crash[] = []
for (let crash = 1; crash <= crashes; crash += 1) {
  await cluster.untilReplicated()
  await Bun.sleep(2_000)
  const primary = await cluster.findPrimary()
  if (primary === null) throw new Error("there is no primary")
  const kind = kinds[crash % kinds.length] ?? ""
  const askedBefore = asked
  const killedAt = performance.now()
  const secondsSince = () => (performance.now() - killedAt) / 1000
  if (kind === kinds[0]) primary.killServer()
  else primary.killAll()
  const [writableSeconds, pushSeconds] = await Promise.all([
    until(async () => ((await cluster.findPrimary()) === null ? undefined : secondsSince())),
    until(async () => ((await push(`late-${crash}`)) ? secondsSince() : undefined)),
  ])
  if (kind === kinds[1]) primary.startAgain()
  await cluster.untilReplicated()
  const failures = [...failed.values()].reduce((sum, times) => sum + times, 0)
  const lagSeconds = pushSeconds - writableSeconds
  seen.push({ kind, failures, pushSeconds, lagSeconds })
  console.log(
    `${crash}: ${kind}: ${asked - askedBefore} validations, ${failures} failed ${JSON.stringify([...failed])}, the slowest ${Math.round(slowestMs)} ms; a push was accepted after ${pushSeconds.toFixed(1)} s, ${lagSeconds.toFixed(1)} s after a server was writable`,
  )
  failed = new Map()
  slowestMs = 0
}
isOver = true
await Promise.all(clients)
await killTree(server)
cluster.stop()

const spread = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  return `median ${median.toFixed(1)}, max ${(sorted.at(-1) ?? 0).toFixed(1)}`
}
for (const kind of kinds) {
  const ofKind = seen.filter((each) => each.kind === kind)
  console.log(
    `${kind}, ${ofKind.length} times: failed validations: ${spread(ofKind.map(({ failures }) => failures))}; seconds until a push was accepted: ${spread(ofKind.map(({ pushSeconds }) => pushSeconds))}; of these after a server was writable: ${spread(ofKind.map(({ lagSeconds }) => lagSeconds))}`,
  )
}
const failures = seen.reduce((sum, each) => sum + each.failures, 0)
console.log(`${crashes} crashes, ${asked} validations, ${failures} failed`)
process.exit(failures === 0 ? 0 : 1)
