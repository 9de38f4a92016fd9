/**
 * `npm run soak -- migrate [KILLS [sqlite|postgres]]`: `kill -9` at random moments of migrations of a store of 0.12.3. After
 * each, 0.12.3 still reads and writes it; run again, the migration completes, with the tables and rows of one that was
 * never interrupted.
 */
import { Database } from "bun:sqlite"
import { createHash } from "node:crypto"
import { copyFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { feedLines } from "../../../bench/stores/marketplace.ts"
import { killTree, runPazar, spawnPazar } from "../../harness/command.ts"
import { createRandom } from "../../harness/feed/random-feed.ts"
import { extractOlder } from "../../harness/older-program.ts"
import { temporaryFolder } from "../../harness/program.ts"
import { addressOf, askPostgres, sharePostgres } from "../../harness/stores/postgres.ts"

const [kills = "200", only] = process.argv.slice(2)
const market = { accounts: 20, items: 2_000, purchases: 20_000, seed: 1 }
const random = createRandom(20_261_117)
const folder = temporaryFolder()
const olderPazar = extractOlder(folder)
const feed = join(folder, "feed.ndjson")
writeFileSync(feed, [...feedLines(market)].join(""))
const PAZAR_MASTER_KEY = Buffer.alloc(32, 7).toString("base64")

type Kind = Readonly<{
  create(): Promise<string>
  copy(url: string, turn: number): Promise<string>
  /** Schema and counts of rows. */
  read(url: string): Promise<readonly unknown[]>
  /** As 0.12.3 asks and writes. */
  use(url: string): Promise<unknown>
  remove(url: string): Promise<void>
}>

const pathOf = (url: string) => url.slice("sqlite:".length)
const counted = ["accounts", "items", "purchases", "api_keys", "audit_events", "author_calls"]
const asked = `SELECT count(*) AS purchases FROM purchases`
const written = "UPDATE accounts SET list_version = list_version WHERE id = 1"

const inFile = <T>(url: string, work: (db: Database) => T): T => {
  const db = new Database(pathOf(url))
  try {
    return work(db)
  } finally {
    db.close()
  }
}

const kinds: Readonly<Record<string, Kind>> = {
  sqlite: {
    create: async () => `sqlite:${join(folder, "old.db")}`,
    async copy(url, turn) {
      const path = join(folder, `${turn}.db`)
      copyFileSync(pathOf(url), path)
      return `sqlite:${path}`
    },
    read: async (url) =>
      inFile(url, (db) => [
        ...db.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all(),
        ...counted.map((table) => db.query(`SELECT count(*) FROM ${table}`).values()),
      ]),
    use: async (url) =>
      inFile(url, (db) => {
        db.run(written)
        return db.query(asked).values()
      }),
    async remove(url) {
      for (const end of ["", "-wal", "-shm"]) rmSync(pathOf(url) + end, { force: true })
      for (const copy of new Bun.Glob(`${pathOf(url)}.before-*`).scanSync({ absolute: true })) {
        rmSync(copy)
      }
    },
  },
  postgres: {
    create: async () => (await sharePostgres()).createDatabase(),
    async copy(url, turn) {
      const { port } = await sharePostgres()
      const name = `killed_${turn}`
      const template = new URL(url).pathname.slice(1)
      await askPostgres(addressOf(port, "postgres"), `CREATE DATABASE ${name} TEMPLATE ${template}`)
      return addressOf(port, name)
    },
    async read(url) {
      const columns = `SELECT table_name, column_name, data_type FROM information_schema.columns
        WHERE table_schema = 'public' ORDER BY 1, 2`
      const indexes = `SELECT c.relname, pg_get_indexdef(indexrelid) AS text, indisvalid FROM pg_index
        JOIN pg_class c ON c.oid = indexrelid WHERE c.relnamespace = 'public'::regnamespace ORDER BY 1`
      const counts = counted.map((table) => `SELECT count(*) FROM ${table}`)
      return Promise.all([columns, indexes, ...counts].map((sql) => askPostgres(url, sql)))
    },
    async use(url) {
      await askPostgres(url, written)
      return askPostgres(url, asked)
    },
    async remove(url) {
      const { port } = await sharePostgres()
      const name = new URL(url).pathname.slice(1)
      await askPostgres(addressOf(port, "postgres"), `DROP DATABASE ${name} WITH (FORCE)`)
    },
  },
}

const digestOf = (rows: readonly unknown[]) =>
  createHash("sha256").update(JSON.stringify(rows)).digest("hex")

async function soak(name: string, kind: Kind): Promise<number> {
  const old = await kind.create()
  const settings = (DATABASE_URL: string) => ({ DATABASE_URL, PAZAR_MASTER_KEY })
  const older = { env: settings(old), launcher: olderPazar }
  await runPazar(folder, ["migrate"], older)
  const { stdout } = await runPazar(folder, ["import", feed], older)
  if (!stdout.includes('"rejected":0')) throw new Error(`the import failed: ${stdout}`)
  const whole = await kind.copy(old, 0)
  let startedAt = performance.now()
  await runPazar(folder, ["migrate"], { env: settings(whole) })
  let wholeMs = performance.now() - startedAt
  const expected = digestOf(await kind.read(whole))
  const before = JSON.stringify(await kind.use(old))
  let [midway, wrong] = [0, 0]
  for (let turn = 1; turn <= Number(kills); turn += 1) {
    const url = await kind.copy(old, turn)
    const env = settings(url)
    const delayMs = random() * wholeMs * 1.1
    const running = await spawnPazar(folder, ["migrate"], env)
    const ended = await Promise.race([running.ended, Bun.sleep(delayMs).then(() => null)])
    await killTree(running)
    if (ended === null) midway += 1
    const problems: string[] = []
    if (JSON.stringify(await kind.use(url)) !== before) problems.push("0.12.3 cannot go on")
    startedAt = performance.now()
    const again = await runPazar(folder, ["migrate"], { env })
    if (ended === null) wholeMs = Math.max(wholeMs / 2, performance.now() - startedAt)
    if (again.status !== 0) problems.push(again.stderr)
    else if (digestOf(await kind.read(url)) !== expected) problems.push("something differs")
    if (problems.length > 0) wrong += 1
    const state = ended === null ? "midway" : "after its end"
    console.log(
      `${name} ${turn}/${kills}: after ${Math.round(delayMs)} ms, ${state}; ${problems.join(", ") || "good"}`,
    )
    await kind.remove(url)
  }
  console.log(`${name}: ${kills} kills, ${midway} midway; ${wrong} left something wrong`)
  return wrong
}

let wrong = 0
for (const [name, kind] of Object.entries(kinds)) {
  if (only === undefined || name === only) wrong += await soak(name, kind)
}
rmSync(folder, { recursive: true })
process.exit(wrong === 0 ? 0 : 1)
