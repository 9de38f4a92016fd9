/**
 * Imports a feed with the real command, kills it at some moment, looks at what is left, imports
 * again, and compares both with a store that was never disturbed.
 */
import { Database } from "bun:sqlite"
import { createHash } from "node:crypto"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type App, openApp } from "../../src/app.ts"
import { readConfig } from "../../src/config.ts"
import { formatSecret } from "../../src/domain/api-key.ts"
import { exportFeed } from "../../src/feed/export-feed.ts"
import { renderKeyLine, renderPasswordLine } from "../../src/feed/secret-record.ts"
import { createKeyVault } from "../../src/secrets/key-vault.ts"
import { createPasswordVault } from "../../src/secrets/password-vault.ts"
import { killTree, runPazar, spawnPazar } from "./command.ts"
import { startProgram, temporaryFolder } from "./program.ts"
import { createRandom, randomFeed } from "./random-feed.ts"

export type Kill = Readonly<{
  delayMs: number
  /** How far the killed import had come, by its own record. */
  line: number
  found: State
  /** The state after an undisturbed import of the lines up to `line`. */
  expected: State
}>

type State = Readonly<{
  integrity: string
  /** Of everything an export shows, the keys and the passwords. */
  digest: string
  /** After the import was run again. */
  resumed: Resumed
}>
type Resumed = Readonly<{
  status: number | null
  accepted: number
  rejected: number
  digest: string
}>

type Wish = Readonly<{
  kills: number
  lines: number
  seed: number
  onKill: (kill: Pick<Kill, "delayMs" | "line">) => void
}>

const feedName = "feed.ndjson"
const master = Buffer.alloc(32, 7)
const env = { PAZAR_MASTER_KEY: master.toString("base64") }
const [keys, passwords] = [createKeyVault(master), createPasswordVault(master)]

/** After the accounts and their items, one line in fifty is a key or a password from elsewhere. */
function sealedLine(at: number): string | null {
  if (at < 250 || at % 50 > 0) return null
  const username = `author-${(at / 50) % 20}`
  const made = { username, hash: `hash ${at}` }
  if (at % 100 > 0) return `${renderPasswordLine(passwords, made)}\n`
  const identity = { username, id: `key_${String(at).padStart(16, "0")}`, kind: "sk" } as const
  const ends = { expiresAt: null, revokedAt: null, replacedAt: null }
  const rest = { name: "Moved", itemIds: null, createdAt: "2026-01-01T00:00:00Z", ...ends }
  const sealed = keys.seal(formatSecret("sk", String(at).padStart(30, "0")), identity)
  return `${renderKeyLine({ ...identity, ...rest, sealed })}\n`
}

export async function killImports({ kills, lines, seed, onKill }: Wish): Promise<readonly Kill[]> {
  const random = createRandom(seed)
  const feed = [...randomFeed(lines, random)].map((line, at) => sealedLine(at) ?? line)
  const folder = temporaryFolder()
  writeFileSync(join(folder, feedName), feed.join(""))
  try {
    const startedAt = performance.now()
    const undisturbed = await importToEnd(folder)
    const wholeMs = performance.now() - startedAt
    const seen: (Omit<Kill, "expected"> & { line: number })[] = []
    for (let index = 0; index < kills; index += 1) {
      // Spread over the whole run, from before the store is there to the very end.
      const delayMs = ((index + random()) / kills) * wholeMs * 1.2
      removeStore(folder)
      const kill = { delayMs, ...(await killAfter(folder, delayMs)) }
      seen.push(kill)
      onKill(kill)
    }
    const expected = await digestPrefixes(feed, [...seen.map(({ line }) => line), lines])
    const whole = { ...undisturbed, digest: expected.get(lines) ?? "" }
    return seen.map((kill) => {
      const digest = expected.get(kill.line) ?? ""
      return { ...kill, expected: { integrity: "ok", digest, resumed: whole } }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const storePath = (folder: string) => join(folder, "data/pazar.db")
const removeStore = (folder: string) =>
  rmSync(join(folder, "data"), { recursive: true, force: true })

async function killAfter(folder: string, delayMs: number) {
  const running = await spawnPazar(folder, ["import", feedName], env)
  await Bun.sleep(delayMs)
  const { stdout } = await killTree(running)
  const { integrity, line, isFinished } = inspect(folder)
  if (stdout !== "" && !isFinished) throw new Error(`${stdout} was told, but is not recorded`)
  const digest = await withStore(folder, digestOf)
  const found = { integrity, digest, resumed: await importToEnd(folder) }
  return { line, found }
}

/** With SQLite's own means, before any code of ours has touched what the kill left. */
function inspect(folder: string) {
  if (!existsSync(storePath(folder))) return { integrity: "ok", line: 0, isFinished: false }
  const db = new Database(storePath(folder))
  try {
    const checks = [db.query("PRAGMA integrity_check"), db.query("PRAGMA foreign_key_check")]
    const complaints = checks.flatMap((check) => check.values().flat())
    const hasImports = db.query("SELECT 1 FROM sqlite_schema WHERE name = 'imports'").get() !== null
    const last = hasImports
      ? db
          .query<{ line: number; finished_at: string | null }, []>(
            "SELECT line, finished_at FROM imports ORDER BY id DESC LIMIT 1",
          )
          .get()
      : null
    const isFinished = last !== null && last.finished_at !== null
    return { integrity: complaints.join(), line: last?.line ?? 0, isFinished }
  } finally {
    db.close()
  }
}

async function importToEnd(folder: string): Promise<Resumed> {
  const { status, stdout } = await runPazar(folder, ["import", feedName], { env })
  const { accepted, rejected } = JSON.parse(stdout)
  return { status, accepted, rejected, digest: await withStore(folder, digestOf) }
}

async function withStore<T>(folder: string, use: (app: App) => Promise<T>): Promise<T> {
  const config = readConfig({ ...env, DATABASE_URL: `sqlite:${storePath(folder)}` })
  const app = await openApp(config, "command")
  try {
    return await use(app)
  } finally {
    await app.close()
  }
}

async function digestOf({ store, vault }: App): Promise<string> {
  const hash = createHash("sha256")
  await exportFeed(store.feed, async (lines) => {
    hash.update(lines)
  })
  for (const { id, username } of await store.accounts.list("", 1_000)) {
    const secrets = (await store.keys.list(id)).map((key) => vault.unseal(key.sealed, key))
    const password = await store.passwords.find(id)
    hash.update(JSON.stringify([username, secrets.toSorted(), password]))
  }
  return hash.digest("hex")
}

/** One store that is fed on from each length to the next. */
async function digestPrefixes(feed: readonly string[], lengths: readonly number[]) {
  const reference = await startProgram({ LOG_LEVEL: "silent", ...env })
  const digests = new Map<number, string>()
  let fed = 0
  for (const length of lengths.toSorted((one, other) => one - other)) {
    if (length > fed) await reference.load(feed.slice(fed, length).join(""))
    fed = length
    if (!digests.has(length)) digests.set(length, await digestOf(reference.app))
  }
  await reference.close()
  return digests
}
