/**
 * Creates a store in a database, or brings an older one to this version. Most steps run beside servers: each
 * statement is a transaction of its own, waits for a lock for 100 ms at most, and is tried again.
 */
import { StoreUnavailable } from "../../domain/store.ts"
import { findErrorCode } from "../../domain/values/error.ts"
import {
  type Fill,
  type Migrated,
  type Migration,
  type MigrationSteps,
  newestOf,
  type OnMigration,
  planMigrations,
  type StoreVersions,
  selectBatch,
} from "../sql/migrate.ts"
import { type Client, connect, type Database, longMsMax, within } from "./connection/database.ts"
import { migrationLock } from "./connection/locks.ts"
import {
  assertServerSupported,
  explainOpening,
  findVersions,
  readServerVersion,
} from "./connection/opening.ts"
import { migrations } from "./migrations/migrations.ts"

/** A statement that waits for a lock makes all later ones wait, too. */
const lockMsMax = 100
/** Between two tries, so that those who waited get their turn. */
const pauseMs = 200

/** One connection holds the lock of the migration, the other works. A step may take as long as it needs. */
const migrationPool = { connectionsMax: 2, statementMsMax: 0, queryMsMax: longMsMax }

export async function migratePostgres(
  url: string,
  onMigration: OnMigration,
  steps: MigrationSteps = { known: migrations, onProgress() {} },
): Promise<Migrated> {
  const database = connect(url, migrationPool)
  try {
    const holder = await database.beginLong("")
    try {
      assertServerSupported(await readServerVersion(holder))
      // One node migrates while the others wait; each reads the version once it has the lock.
      // Without a parameter: the portal of one would keep a snapshot, for which an index made beside writers waits.
      await holder.query(`SELECT pg_advisory_xact_lock(${migrationLock})`)
      return await migrate(database, onMigration, steps)
    } finally {
      await holder.query("ROLLBACK").catch(() => {})
      holder.release()
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    throw isOverDeadline(error.cause) ? deadlineTooShort(error) : explainOpening(error, url)
  } finally {
    await database.close()
  }
}

/** Unlike a statement that somebody has cancelled, which has the same code. */
const isOverDeadline = (cause: unknown) =>
  findErrorCode(cause) === "57014" && /statement timeout/.test(String(cause))

/** An index is made beside writers in no transaction, so behind a pooler the deadline of the role applies to it. */
const deadlineTooShort = ({ cause }: StoreUnavailable) =>
  new StoreUnavailable(
    "the statement_timeout of the role is too short to make an index. Run `pazar migrate` again with PostgreSQL itself in DATABASE_URL, not its pooler: it continues where it was",
    { cause },
  )

async function migrate(
  database: Database,
  onMigration: OnMigration,
  { known, onProgress }: MigrationSteps,
): Promise<Migrated> {
  const found = (await findVersions({ query: database.read })) ?? { version: 0, oldest: 0 }
  const { version: from } = found
  const { atOnce, beside } = planMigrations(known, found)
  const to = newestOf(known)
  if (atOnce.length + beside.length === 0) return { from, to, copy: null }
  if (from > 0) onMigration(from, to, atOnce.length > 0 ? "others must stop" : 0)
  if (atOnce.length > 0) await within(database, "", (client) => runAtOnce(client, atOnce))
  if (beside.length > 0) await within(database, "", ({ query }) => query(createSteps))
  for (const step of beside) await runBeside(database, step, found, onProgress)
  return { from, to, copy: null }
}

async function runAtOnce({ query }: Client, steps: readonly Migration[]): Promise<void> {
  await query("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)")
  // Every transaction that writes reads this table first. The lock waits for those that have begun and
  // stops new ones. An older program then finds the new version and stops writing.
  await query("LOCK TABLE schema_version IN ACCESS EXCLUSIVE MODE")
  await query("INSERT INTO schema_version SELECT 0 WHERE NOT EXISTS (SELECT FROM schema_version)")
  for (const { sql, fill } of steps) {
    // Nobody else uses the store, and a transaction cannot make an index beside writers.
    await query(sql.replaceAll("INDEX CONCURRENTLY", "INDEX"))
    if (fill === undefined) continue
    const [all] = await query<{ last: Key | null }>(
      `SELECT max(${fill.key}) AS last FROM ${fill.table}`,
    )
    if (all !== undefined && all.last !== null) await query(fill.change, [fill.first, all.last])
  }
  await query("UPDATE schema_version SET version = $1", [newestOf(steps)])
}

const createSteps = `CREATE TABLE IF NOT EXISTS schema_steps (
  version    integer PRIMARY KEY,
  statements integer NOT NULL,
  position   text,
  is_done    boolean NOT NULL
)`

type Key = string | number
type Begun = Readonly<{ statements: number; position: string | null }>

async function runBeside(
  database: Database,
  { version, sql, oldest, fill }: Migration,
  versions: StoreVersions,
  onProgress: MigrationSteps["onProgress"],
): Promise<void> {
  const briefly = <T>(work: (client: Client) => Promise<T>) =>
    retryWhileLocked(
      () =>
        within(database, "", async (client) => {
          await client.query(`SET LOCAL lock_timeout = ${lockMsMax}`)
          return work(client)
        }),
      () => onProgress({ version, rows: 0, isWaiting: true }),
    )
  onProgress({ version, rows: 0, isWaiting: false })
  if (oldest !== undefined && oldest > versions.oldest) {
    await briefly(({ query }) =>
      query("UPDATE schema_version SET version = greatest(version, $1)", [oldest]),
    )
  }
  const [begun] = await database.read<Begun>(
    `SELECT statements, position FROM schema_steps WHERE version = ${version}`,
  )
  const statements = statementsOf(sql)
  for (const [at, statement] of statements.entries()) {
    if (at < (begun?.statements ?? 0)) continue
    const note = noteStatement(version, at + 1, at + 1 === statements.length && fill === undefined)
    const index = concurrentIndex.exec(statement)?.[1]
    if (index !== undefined) await createIndex(database, index, statement)
    await briefly(async ({ query }) => {
      if (index === undefined) await query(statement)
      await query(note)
    })
    onProgress({ version, rows: 0, isWaiting: false })
  }
  if (fill === undefined) return
  let rows = 0
  let after: Key | null = begun?.position == null ? fill.first : JSON.parse(begun.position)
  while (after !== null) {
    const from: Key = after
    const filled = await briefly((client) => fillBatch(client, version, fill, from))
    rows += filled.count
    after = filled.last
    onProgress({ version, rows, isWaiting: false })
  }
}

const noteStatement = (version: number, statements: number, isDone: boolean) =>
  `INSERT INTO schema_steps (version, statements, is_done) VALUES (${version}, ${statements}, ${isDone})
   ON CONFLICT (version) DO UPDATE SET statements = excluded.statements, is_done = excluded.is_done`

/** `last` is null once there is no further row. */
async function fillBatch(
  { query }: Client,
  version: number,
  fill: Fill,
  after: Key,
): Promise<Readonly<{ last: Key | null; count: number }>> {
  const [batch] = await query<{ last: Key | null; count: number }>(selectBatch(fill), [after])
  if (batch === undefined || batch.last === null) {
    await query("UPDATE schema_steps SET is_done = true WHERE version = $1", [version])
    return { last: null, count: 0 }
  }
  await query(fill.change, [after, batch.last])
  const position = JSON.stringify(batch.last)
  await query("UPDATE schema_steps SET position = $2 WHERE version = $1", [version, position])
  return batch
}

/** By the codes of a lock that was not free in time, and of a deadlock. */
const isLocked = (error: unknown) =>
  error instanceof StoreUnavailable && /^(55P03|40P01)$/.test(findErrorCode(error.cause) ?? "")

async function retryWhileLocked<T>(work: () => Promise<T>, onWaiting = () => {}): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLocked(error)) throw error
    }
    onWaiting()
    await Bun.sleep(pauseMs)
  }
}

const concurrentIndex = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+)/i

/** Not in a transaction. A failed or interrupted try leaves an index behind that cannot be used. */
const createIndex = (database: Database, name: string, statement: string): Promise<void> =>
  retryWhileLocked(async () => {
    await database.read(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
    await database.read(statement)
  })

/** A statement ends with a semicolon at the end of a line, outside of a function's body. */
export const statementsOf = (sql: string): readonly string[] =>
  (
    sql.replace(/^--.*\n/gm, "").match(/(?:\$\$[\s\S]*?\$\$|(?!;[ \t]*(?:\n|$))[\s\S])+;/g) ?? []
  ).map((statement) => statement.trim())
