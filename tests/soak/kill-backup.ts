/**
 * `npm run soak -- backup [KILLS [SEED]]`: kills `pazar backup` beside a server that sells, and then
 * `pazar restore`, at any moment. A backup that has its name must be whole, no acknowledged sale may be
 * lost, and the store must be the old or the new one.
 */
import { Database } from "bun:sqlite"
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { account, item, purchase, toFeed } from "../contracts/records.ts"
import { createStore, killTree, runPazar, spawnPazar, startServer } from "../harness/command.ts"
import { createRandom } from "../harness/feed/random-feed.ts"
import { temporaryFolder } from "../harness/program.ts"

const [kills = 200, seed = 20_240_427] = process.argv.slice(2).map(Number)
const random = createRandom(seed)
const token = "an-operator-token-of-some-length-0123"
const key = { PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }
const rows = 20_000
const faults: string[] = []

type Contents = Readonly<{ integrity: string; codes: ReadonlySet<unknown> }>

function look(path: string): Contents {
  using db = new Database(path)
  const integrity = db.query("PRAGMA integrity_check").values().flat().join()
  return { integrity, codes: new Set(db.query("SELECT code FROM purchases").values().flat()) }
}

/** How long a run takes that nobody disturbs. */
async function measureMs(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

/** Kills the command at a moment of its run, or just after it. */
async function killDuring(folder: string, args: readonly string[], wholeMs: number) {
  const running = await spawnPazar(folder, args, key)
  await Bun.sleep(random() * wholeMs * 1.1)
  return (await killTree(running)).status === 0
}

const folder = temporaryFolder()
await createStore(folder, key)
const path = join(folder, "data/pazar.db")
const lines = Array.from({ length: rows }, (_, at) => purchase(`old-${at}`, 1))
const feed = toFeed([account("ada"), item("ada", 1), ...lines])
await runPazar(folder, ["import", "-"], { env: key, input: feed })
const whole = join(folder, "whole.db")

console.log(`${kills} kills of a backup of ${rows} purchases beside a server, seed ${seed}`)
const server = await startServer(folder, { ...key, PAZAR_OPERATOR_TOKEN: token })
const acknowledged: string[] = []
let isSelling = true
const selling = (async () => {
  const headers = { Authorization: `Bearer ${token}` }
  for (let sale = 0; isSelling; sale++) {
    const body = toFeed([purchase(`new-${sale}`, 1)])
    const { status } = await fetch(`${server.url}/operator/feed`, { method: "POST", headers, body })
    if (status === 200) acknowledged.push(`new-${sale}`)
    else faults.push(`a sale was answered with ${status}`)
  }
})()
const backupMs = await measureMs(() => runPazar(folder, ["backup", whole], { env: key }))
let [named, struck] = [0, 0]
for (let kill = 0; kill < kills; kill++) {
  const place = join(folder, `backups-${kill}`)
  mkdirSync(place)
  const file = join(place, "backup.db")
  const soldBefore = [...acknowledged]
  const isDone = await killDuring(folder, ["backup", file], backupMs)
  if (!isDone && readdirSync(place).length > 0) struck += 1
  if (existsSync(file)) {
    named += 1
    const { integrity, codes } = look(file)
    const lost = soldBefore.filter((code) => !codes.has(code)).length
    if (integrity !== "ok" || lost > 0) faults.push(`backup ${kill}: ${integrity}, ${lost} lost`)
  } else if (isDone) faults.push(`backup ${kill} ended well, but left no file`)
  rmSync(place, { recursive: true })
}
isSelling = false
await selling
await killTree(server)
const after = look(path)
const lost = acknowledged.filter((code) => !after.codes.has(code)).length
if (after.integrity !== "ok" || lost > 0) faults.push(`store: ${after.integrity}, ${lost} lost`)
console.log(
  `${struck} struck midway, ${named} backups had their name; ${acknowledged.length} sales`,
)

console.log(`${kills} kills of a restore`)
const older = look(whole).codes.size
await runPazar(folder, ["backup", join(folder, "newest.db")], { env: key })
const newer = look(join(folder, "newest.db")).codes.size
const files = [whole, join(folder, "newest.db")] as const
const restoreMs = await measureMs(() =>
  runPazar(folder, ["restore", whole, "--force"], { env: key }),
)
const seen = { older: 0, newer: 0, unfinished: 0 }
for (let kill = 0; kill < kills; kill++) {
  await killDuring(folder, ["restore", files[kill % 2] ?? whole, "--force"], restoreMs)
  const leftovers = readdirSync(join(folder, "data")).filter((name) => name !== "pazar.db")
  if (leftovers.some((name) => name.includes("unfinished"))) seen.unfinished += 1
  const { integrity, codes } = look(path)
  if (codes.size === older) seen.older += 1
  else if (codes.size === newer) seen.newer += 1
  else faults.push(`restore ${kill}: the store has ${codes.size} purchases`)
  if (integrity !== "ok") faults.push(`restore ${kill}: ${integrity}`)
  const { status, stderr } = await runPazar(folder, ["account", "show", "ada"], { env: key })
  if (status !== 0) faults.push(`restore ${kill}: ${stderr}`)
  for (const name of leftovers) rmSync(join(folder, "data", name), { force: true })
}
console.log(`${JSON.stringify(seen)} of ${older} and ${newer} purchases`)
rmSync(folder, { recursive: true })

for (const fault of faults) console.log(fault)
console.log(`${faults.length} left something wrong`)
process.exit(faults.length === 0 && struck > 0 ? 0 : 1)
