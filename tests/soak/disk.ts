/**
 * `npm run soak -- disk [ROUNDS]`: a server whose disk is full, read-only or fails to sync, in turn. Reads must go
 * on and no acknowledged sale may be lost. After a failed sync the server must end, and start again.
 */
import { Database } from "bun:sqlite"
import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { account, item, purchase, toFeed } from "../contracts/records.ts"
import { createStore, killTree, runPazar, type Served, startServer } from "../harness/command.ts"
import { prepareFaults } from "../harness/faults/fault-injection.ts"
import { temporaryFolder } from "../harness/program.ts"

const [rounds = 20] = process.argv.slice(2).map(Number)
/** After a failed sync. */
const endMsMax = 15_000
const token = "an-operator-token-of-some-length-0123"
const folder = temporaryFolder()
const path = join(folder, "data/pazar.db")
const faults = prepareFaults(folder)
const env = { ...faults.env, PAZAR_OPERATOR_TOKEN: token, PAZAR_THREADS: "2" }
const problems: string[] = []
const counts = { sales: 0, refusedSales: 0, reads: 0, restarts: 0 }
const acknowledged: string[] = []

await createStore(folder)
const input = toFeed([account("ada"), item("ada", 1), purchase("abc", 1)])
await runPazar(folder, ["import", "-"], { input })
const key = (await runPazar(folder, ["key", "create", "ada"])).stdout.trim()
let server = await startServer(folder, env)

/** Null where the connection broke. */
async function ask(path: string, init: RequestInit): Promise<number | null> {
  try {
    const response = await fetch(`${server.url}${path}`, { method: "POST", ...init })
    await response.text()
    return response.status
  } catch {
    return null
  }
}
async function sell(code: string, count: number): Promise<number | null> {
  const codes = Array.from({ length: count }, (_, at) => `${code}-${at}`)
  const body = toFeed(codes.map((code) => purchase(code, 1)))
  const headers = { Authorization: `Bearer ${token}`, Connection: "close" }
  const status = await ask("/operator/feed", { headers, body })
  if (status === 200) acknowledged.push(...codes)
  counts[status === 200 ? "sales" : "refusedSales"] += 1
  return status
}
async function expectReads(when: string): Promise<void> {
  for (let read = 0; read < 20; read += 1) {
    const body = new URLSearchParams({ api_key: key, purchase_code: "abc" })
    const status = await ask("/api/purchases/validation", {
      headers: { Connection: "close" },
      body,
    })
    counts.reads += 1
    if (status !== 200) problems.push(`${when}: a read was answered with ${status}`)
  }
}
/** Sales until one is refused: a small one may fit into what is left. */
async function sellUntilRefused(code: string): Promise<void> {
  for (let sale = 0; sale < 50; sale += 1) {
    const status = await sell(`${code}-${sale}`, 200)
    if (status === 503) return
    if (status !== 200) problems.push(`${code}: a sale was answered with ${status}`)
  }
  problems.push(`${code}: no sale was refused`)
}
async function expectSale(code: string): Promise<void> {
  const status = await sell(code, 200)
  if (status !== 200) problems.push(`${code}: ${status} although the fault was over`)
}
function setFileLimit({ child }: Served, bytes: number | "unlimited"): void {
  Bun.spawnSync(["prlimit", `--fsize=${bytes}:`, "--pid", `${child.pid}`])
}

console.log(`${rounds} rounds of a full, a read-only and a failing disk`)
for (let round = 0; round < rounds; round += 1) {
  setFileLimit(server, statSync(path).size + 100_000)
  await sellUntilRefused(`full-${round}`)
  await expectReads("full")
  setFileLimit(server, "unlimited")
  await expectSale(`free-${round}`)

  faults.start("read-only")
  await sellUntilRefused(`read-only-${round}`)
  await expectReads("read-only")
  faults.stop("read-only")
  await expectSale(`writable-${round}`)

  faults.start("fsync")
  await sellUntilRefused(`fsync-${round}`)
  const slow = setTimeout(() => killTree(server), endMsMax)
  const { status, stderr } = await server.ended
  clearTimeout(slow)
  const isTold = stderr.includes('"message":"the store failed; stopping"')
  if (status !== 1 || !isTold)
    problems.push(`fsync ${round}: ended with ${status}: ${stderr.slice(-500)}`)
  faults.stop("fsync")
  server = await startServer(folder, env)
  counts.restarts += 1
  await expectSale(`restarted-${round}`)
}
await server.stop()

const db = new Database(path)
const integrity = db.query("PRAGMA integrity_check").values().flat().join()
const codes = new Set(db.query("SELECT code FROM purchases").values().flat())
db.close()
const lost = acknowledged.filter((code) => !codes.has(code)).length
if (integrity !== "ok" || lost > 0) problems.push(`the store: ${integrity}, ${lost} lost`)
rmSync(folder, { recursive: true })
for (const problem of problems) console.log(problem)
console.log(
  `${counts.sales} pushes taken (${acknowledged.length} sales), ${counts.refusedSales} refused, ${counts.reads} reads, ${counts.restarts} restarts; integrity ${integrity}, ${lost} lost; ${problems.length} problems`,
)
process.exit(problems.length === 0 ? 0 : 1)
