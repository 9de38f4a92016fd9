/**
 * Runs `pazar import`, kills it, inspects the database, imports again, and compares both states with an undisturbed
 * database.
 */
import { Database } from "bun:sqlite"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readConfig } from "../../../src/config/config.ts"
import { exportFeed } from "../../../src/feed/feed-operations.ts"
import type { Environment } from "../../../src/platform/cli/command.ts"
import { type App, openApp } from "../../../src/server/app.ts"
import { createRandom, randomFeed } from "../feed/random-feed.ts"
import { startProgram, temporaryFolder } from "../program.ts"
import { createStore, killTree, runPazar, spawnPazar } from "../run-pazar.ts"
import { queryPostgres } from "../stores/postgres-server.ts"
import type { StoreKind } from "../stores/test-stores.ts"
import { until, workMsMax } from "../until.ts"

export type Kill = Readonly<{
  delayMs: number
  /** The last line that the killed import recorded. */
  line: number
  found: State
  /** The state after an undisturbed import of the lines up to `line`. */
  expected: State
}>

type State = Readonly<{
  integrity: string
  digest: string
  resumed: Resumed
}>
type Resumed = Readonly<{
  status: number | null
  accepted: number
  rejected: number
  digest: string
}>

type RunOptions = Readonly<{
  kind: StoreKind
  kills: number
  lines: number
  seed: number
  onKill(): void
}>

const sealing = { PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }

/** An empty database, and the folder in which the command runs. */
type KillSetup = Readonly<{ folder: string; feed: string; env: Environment }>

/** A second import of the feed deletes many records of the first. */
const importCommand = ({ feed }: KillSetup) =>
  ["import", feed, "--max-deletes", "100%", "--max-revokes", "100%"] as const

export async function killImports(options: RunOptions): Promise<readonly Kill[]> {
  const { kind, kills, lines, seed, onKill } = options
  const random = createRandom(seed)
  const feed = [...randomFeed(lines, random)]
  const base = temporaryFolder()
  const feedPath = join(base, "feed.ndjson")
  writeFileSync(feedPath, feed.join(""))
  async function createSetup(name: string): Promise<KillSetup> {
    const folder = join(base, name)
    mkdirSync(folder)
    const env = { ...(await kind.createEnvironment()), ...sealing }
    await createStore(folder, env)
    return { folder, feed: feedPath, env }
  }
  try {
    const quiet = await createSetup("undisturbed")
    const startedAt = performance.now()
    const undisturbed = await importToEnd(quiet)
    const wholeMs = performance.now() - startedAt
    const killed: (Omit<Kill, "expected"> & { line: number })[] = []
    for (let index = 0; index < kills; index += 1) {
      // Kills are spread over the whole run, from the start of the process to its end.
      const delayMs = ((index + random()) / kills) * wholeMs * 1.2
      const setup = await createSetup(`kill-${index}`)
      // The last kill hits the import itself, however fast the machine is.
      const isLast = index === kills - 1
      const kill = await killAfter(setup, () => (isLast ? untilBatch(setup) : Bun.sleep(delayMs)))
      killed.push(kill)
      onKill()
      rmSync(setup.folder, { recursive: true })
    }
    const expected = await digestPrefixes(feed, [...killed.map(({ line }) => line), lines])
    const whole = { ...undisturbed, digest: expected.get(lines) ?? "" }
    return killed.map((kill) => {
      const digest = expected.get(kill.line) ?? ""
      return { ...kill, expected: { integrity: "ok", digest, resumed: whole } }
    })
  } finally {
    rmSync(base, { recursive: true })
  }
}

const untilBatch = (setup: KillSetup) =>
  until(async () => {
    const run = await withStore(setup, ({ store }) => store.feed.findLastRun(setup.feed))
    return (run?.line ?? 0) > 0 || undefined
  }, workMsMax)

async function killAfter(setup: KillSetup, wait: () => Promise<unknown>) {
  const running = await spawnPazar(setup.folder, importCommand(setup), setup.env)
  const startedAt = performance.now()
  await wait()
  const delayMs = performance.now() - startedAt
  const { stdout } = await killTree(running)
  const { integrity, line, isFinished } = await inspect(setup)
  if (stdout !== "" && !isFinished) throw new Error(`${stdout} was printed, but is not recorded`)
  const digest = await withStore(setup, digestOf)
  const found = { integrity, digest, resumed: await importToEnd(setup) }
  return { delayMs, line, found }
}

type Inspection = Readonly<{ integrity: string; line: number; isFinished: boolean }>
type Recorded = Readonly<{ line: number; finished_at: string | null }>

const nothing: Inspection = { integrity: "ok", line: 0, isFinished: false }
/** PostgreSQL's driver returns a bigint as text. */
const lastRun =
  "SELECT CAST(line AS integer) AS line, finished_at FROM imports ORDER BY id DESC LIMIT 1"

const storePath = (folder: string) => join(folder, "data/pazar.db")

/** Reads the database directly, before our code opens it after the kill. */
async function inspect({ folder, env }: KillSetup): Promise<Inspection> {
  return env.DATABASE_URL === undefined
    ? inspectFile(storePath(folder))
    : inspectServer(env.DATABASE_URL)
}

function inspectFile(path: string): Inspection {
  if (!existsSync(path)) return nothing
  const db = new Database(path)
  try {
    const checks = [db.query("PRAGMA integrity_check"), db.query("PRAGMA foreign_key_check")]
    const integrity = checks.flatMap((check) => check.values().flat()).join()
    const hasImports = db.query("SELECT 1 FROM sqlite_schema WHERE name = 'imports'").get() !== null
    const last = hasImports ? db.query<Recorded, []>(lastRun).get() : null
    return { ...inspectionOf(last), integrity }
  } finally {
    db.close()
  }
}

async function inspectServer(url: string): Promise<Inspection> {
  // The server may still execute statements of the killed command before its connections end.
  await until(async () => {
    const others = await queryPostgres(
      url,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
       AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    )
    return others.length === 0 ? true : undefined
  })
  const [tables] = await queryPostgres(url, "SELECT 1 FROM pg_class WHERE relname = 'imports'")
  if (tables === undefined) return nothing
  const [last = null] = await queryPostgres<Recorded>(url, lastRun)
  return inspectionOf(last)
}

const inspectionOf = (last: Recorded | null): Inspection =>
  last === null
    ? nothing
    : { integrity: "ok", line: last.line, isFinished: last.finished_at !== null }

async function importToEnd(setup: KillSetup): Promise<Resumed> {
  const { status, stdout } = await runPazar(setup.folder, importCommand(setup), {
    env: setup.env,
  })
  const { accepted, rejected } = JSON.parse(stdout)
  return { status, accepted, rejected, digest: await withStore(setup, digestOf) }
}

async function withStore<T>({ folder, env }: KillSetup, use: (app: App) => Promise<T>): Promise<T> {
  const config = readConfig({ DATABASE_URL: `sqlite:${storePath(folder)}`, ...env })
  const app = await openApp(config)
  try {
    return await use(app)
  } finally {
    await app.close()
  }
}

export async function digestOf({ store, keyCipher }: App): Promise<string> {
  const hash = createHash("sha256")
  // A batch and its sums are one transaction.
  const wrongSums = await store.feed.listWrongSums()
  if (wrongSums.length > 0) throw new Error(`the sums of accounts ${wrongSums} are wrong`)
  await exportFeed(store.feed, async (lines) => {
    hash.update(lines)
  })
  for (const { id, username } of await store.accounts.list("", 1_000)) {
    const secrets = (await store.keys.list(id)).map((key) => keyCipher.decrypt(key.encrypted, key))
    hash.update(JSON.stringify([username, secrets.toSorted()]))
  }
  return hash.digest("hex")
}

/** Uses one database, which imports from each length to the next. */
async function digestPrefixes(feed: readonly string[], lengths: readonly number[]) {
  const reference = await startProgram({ LOG_LEVEL: "silent", ...sealing })
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
