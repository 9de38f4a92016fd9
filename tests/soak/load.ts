/**
 * `npm run soak -- load [OPTIONS]`: a server under a share of the load that it can take, alone or beside an import of
 * a million rows, a backup and lists of 100,000 items. There must be no 5xx and no broken connection, and its memory
 * must stay the same.
 *
 *   --minutes N    how long (10)
 *   --share N      of the saturated rate, in percent (60)
 *   --rows N       purchases in the store, and lines of the import (1000000)
 *   --beside       with import, backup and lists
 */
import { cpSync, createWriteStream, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { privateBytesOf } from "../../bench/processes/processes.ts"
import { median, quantile } from "../../bench/report/statistics.ts"
import { pathOfStore, prepareSqliteStore } from "../../bench/stores/stores.ts"
import { account, item, purchase } from "../contracts/records.ts"
import { killTree, runPazar, startServer } from "../harness/command.ts"
import { type LoadCounts, startMixedLoad } from "../harness/faults/mixed-load.ts"
import { temporaryFolder } from "../harness/program.ts"

const text = { type: "string" } as const
const { values } = parseArgs({
  options: { minutes: text, share: text, rows: text, beside: { type: "boolean", default: false } },
})
const [minutes, share, rows] = [
  Number(values.minutes ?? 10),
  Number(values.share ?? 60) / 100,
  Number(values.rows ?? 1_000_000),
]
const connections = 64
const [warmUpSeconds, saturatedSeconds, sampleSeconds] = [3, 10, 5]
/** Allowed growth of memory: what the garbage collector may keep, and what a sample may be off. */
const [growthMax, growthMegabytesMax] = [1.15, 30]
const listItems = Math.min(100_000, rows)
const listKey = "key-of-the-author-with-the-long-list"

const folder = temporaryFolder()
const market = { accounts: 20, items: 20_000, purchases: rows, seed: 1 }
const built = await prepareSqliteStore(market, console.log)
cpSync(dirname(pathOfStore(built)), join(folder, "data"), { recursive: true })
await runPazar(folder, ["migrate"])
const feed = join(folder, "large.ndjson")
if (values.beside) await writeFeed()
const server = await startServer(folder, {
  LOG_LEVEL: "error",
  PAZAR_TRUSTED_PROXIES: "127.0.0.1",
  PAZAR_METRICS_TOKEN: "metrics-token-of-32-characters-or-more",
})
const choosePort = () => Number(new URL(server.url).port)
const megabytes = () => privateBytesOf([server.child.pid ?? 0]) / 2 ** 20
const problems: string[] = []

/** An author with a long list, whose items are sold in the import. */
async function writeFeed(): Promise<void> {
  const file = createWriteStream(feed)
  async function write(line: unknown): Promise<void> {
    if (file.write(`${JSON.stringify(line)}\n`)) return
    await new Promise((resolve) => file.once("drain", resolve))
  }
  await write(account("large", { api_key: listKey }))
  const first = 1_000_000
  for (let at = 0; at < listItems; at += 1) await write(item("large", first + at))
  for (let at = 0; at < rows; at += 1)
    await write(purchase(`large-${at}`, first + (at % listItems)))
  await new Promise<void>((resolve) => file.end(resolve))
}

async function measureSaturated(): Promise<number> {
  const load = startMixedLoad({ choosePort, store: built, connections, ratePerSecond: null })
  await Bun.sleep(warmUpSeconds * 1000)
  load.take()
  await Bun.sleep(saturatedSeconds * 1000)
  const { requests } = load.take()
  await load.stop()
  return requests / saturatedSeconds
}

type Side = { imports: number; backups: number; lists: number }
let isOver = false

/** One after the other, until the load ends. */
async function importAndBackUp(side: Side): Promise<void> {
  while (!isOver) {
    const imported = await runPazar(folder, ["import", feed])
    if (imported.status !== 0) problems.push(`an import failed: ${imported.stderr.slice(-300)}`)
    side.imports += 1
    const target = join(folder, `backup-${side.backups}.db`)
    const backedUp = await runPazar(folder, ["backup", target])
    if (backedUp.status !== 0) problems.push(`a backup failed: ${backedUp.stderr.slice(-300)}`)
    side.backups += 1
    rmSync(target, { force: true })
  }
}
async function readLists(side: Side): Promise<void> {
  while (!isOver) {
    const response = await fetch(`${server.url}/api/items/all?api_key=${listKey}`)
    const bytes = await response.arrayBuffer()
    // Unknown until the import has begun; refused when the lists come too often.
    if (response.status >= 500) problems.push(`a list was answered with ${response.status}`)
    if (response.status === 200 && bytes.byteLength > 0) side.lists += 1
    await Bun.sleep(1_500)
  }
}

const sum = (all: readonly LoadCounts[], of: (counts: LoadCounts) => number) =>
  all.reduce((total, counts) => total + of(counts), 0)
const countBy = <Key>(maps: readonly ReadonlyMap<Key, number>[]) => {
  const total = new Map<Key, number>()
  for (const map of maps) {
    for (const [key, count] of map) total.set(key, (total.get(key) ?? 0) + count)
  }
  return Object.fromEntries(total)
}

const saturated = await measureSaturated()
const ratePerSecond = Math.round(saturated * share)
console.log(
  `${Math.round(saturated)} requests a second at most; ${ratePerSecond} for ${minutes} minutes${values.beside ? ", beside imports, backups and lists" : ""}`,
)
const side: Side = { imports: 0, backups: 0, lists: 0 }
const beside = values.beside ? [importAndBackUp(side), readLists(side)] : []
const load = startMixedLoad({ choosePort, store: built, connections, ratePerSecond })
const [all, memory]: [LoadCounts[], number[]] = [[], []]
const endsAt = performance.now() + minutes * 60_000
while (performance.now() < endsAt) {
  await Bun.sleep(sampleSeconds * 1000)
  all.push(load.take())
  memory.push(megabytes())
}
isOver = true
await load.stop()
all.push(load.take())
await Promise.all(beside)

const statuses = countBy(all.map((counts) => counts.statuses))
const socketErrors = countBy(all.map((counts) => counts.socketErrors))
const third = Math.floor(memory.length / 3)
const [early, late] = [median(memory.slice(third, 2 * third)), median(memory.slice(-third))]
const requests = sum(all, (counts) => counts.requests)
const latencies = Float64Array.from(all.flatMap(({ latenciesMs }) => [...latenciesMs]))
const failed = Object.entries(statuses).filter(([status]) => Number(status) >= 500)
for (const [status, count] of failed) problems.push(`${count} answers with ${status}`)
for (const [reason, count] of Object.entries(socketErrors)) problems.push(`${count} × ${reason}`)
if (late > early * growthMax && late > early + growthMegabytesMax) problems.push("memory grew")
const { status, stderr } = await server.stop()
await killTree(server)
if (status !== 0) problems.push(`the server ended with ${status}: ${stderr.slice(-300)}`)
rmSync(folder, { recursive: true })

console.log(
  `${requests} requests, ${sum(all, (counts) => counts.connections)} connections; by status ${JSON.stringify(statuses)}, socket errors ${JSON.stringify(socketErrors)}`,
)
console.log(
  `p50 ${quantile(latencies, 0.5).toFixed(2)} ms, p99 ${quantile(latencies, 0.99).toFixed(2)} ms; private memory ${early.toFixed(0)} MB in the middle, ${late.toFixed(0)} MB at the end`,
)
if (values.beside) console.log(JSON.stringify(side))
for (const problem of problems) console.log(problem)
console.log(`${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
