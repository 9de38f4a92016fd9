/**
 * Runs `pazar backup` beside a server that accepts sales, then `pazar restore`, and kills both at any time. A renamed
 * backup must be complete, no acknowledged sale may be lost, and after a restore the database must be the old or the
 * new one.
 */
import { Database } from "bun:sqlite"
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { createRandom } from "../feed/random-feed.ts"
import { temporaryFolder } from "../program.ts"
import { account, item, purchase, toFeed } from "../records.ts"
import {
  createStore,
  killTree,
  readPazar,
  runPazar,
  spawnPazar,
  startServer,
} from "../run-pazar.ts"

const token = "an-operator-token-of-some-length-0123"
const env = { PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }
const rows = 20_000

function look(path: string) {
  using db = new Database(path)
  const integrity = db.query("PRAGMA integrity_check").values().flat().join()
  return { integrity, codes: new Set(db.query("SELECT code FROM purchases").values().flat()) }
}

type KillOptions = Readonly<{ kills: number; seed: number; onKill(): void }>

export async function killBackups({ kills, seed, onKill }: KillOptions) {
  const random = createRandom(seed)
  const folder = temporaryFolder()
  const [path, whole, newest] = ["data/pazar.db", "whole.db", "newest.db"].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const problems: string[] = []
  const expectWhole = (what: string, file: string, codes: readonly string[]) => {
    const { integrity, codes: found } = look(file)
    const lost = codes.filter((code) => !found.has(code)).length
    if (integrity !== "ok" || lost > 0) problems.push(`${what}: ${integrity}, ${lost} lost`)
  }
  const run = (...args: string[]) => runPazar(folder, args, { env })
  async function measureMs(...args: string[]): Promise<number> {
    const startedAt = performance.now()
    await run(...args)
    return performance.now() - startedAt
  }
  /** Returns whether the command had ended. */
  async function killDuring(wholeMs: number, ...args: string[]): Promise<boolean> {
    const running = await spawnPazar(folder, args, env)
    await Bun.sleep(random() * wholeMs * 1.1)
    return (await killTree(running)).status === 0
  }

  await createStore(folder, env)
  const sold = Array.from({ length: rows }, (_, at) => purchase(`old-${at}`, 1))
  const input = toFeed([account("ada"), item("ada", 1), ...sold])
  await readPazar(folder, ["import", "-"], { env, input })
  const server = await startServer(folder, { ...env, PAZAR_OPERATOR_TOKEN: token })
  const acknowledged: string[] = []
  let isSelling = true
  const selling = (async () => {
    const headers = { Authorization: `Bearer ${token}` }
    for (let sale = 0; isSelling; sale += 1) {
      const body = toFeed([purchase(`new-${sale}`, 1)])
      const { status } = await fetch(`${server.url}/operator/feed`, {
        method: "POST",
        headers,
        body,
      })
      if (status === 200) acknowledged.push(`new-${sale}`)
      else problems.push(`a sale was answered with ${status}`)
    }
  })()
  const backupMs = await measureMs("backup", whole)
  let midway = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const backups = join(folder, `backups-${kill}`)
    mkdirSync(backups)
    const file = join(backups, "backup.db")
    const soldBefore = [...acknowledged]
    const isDone = await killDuring(backupMs, "backup", file)
    if (!isDone && readdirSync(backups).length > 0) midway += 1
    if (existsSync(file)) expectWhole(`backup ${kill}`, file, soldBefore)
    else if (isDone) problems.push(`backup ${kill} ended well, but left no file`)
    rmSync(backups, { recursive: true })
    onKill()
  }
  isSelling = false
  await selling
  await killTree(server)
  expectWhole("database", path, acknowledged)

  await run("backup", newest)
  const sizes = [whole, newest].map((file) => look(file).codes.size)
  const restoreMs = await measureMs("restore", whole, "--force")
  for (let kill = 0; kill < kills; kill += 1) {
    await killDuring(restoreMs, "restore", kill % 2 === 0 ? newest : whole, "--force")
    const { integrity, codes } = look(path)
    if (integrity !== "ok" || !sizes.includes(codes.size))
      problems.push(`restore ${kill}: ${integrity}, ${codes.size} purchases`)
    const { status, stderr } = await run("account", "show", "ada")
    if (status !== 0) problems.push(`restore ${kill}: ${stderr}`)
    for (const name of readdirSync(join(folder, "data")))
      if (name !== "pazar.db") rmSync(join(folder, "data", name), { force: true })
  }
  rmSync(folder, { recursive: true })
  return { midway, sales: acknowledged.length, problems }
}
