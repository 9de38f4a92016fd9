/** Creates a store, or brings an older one to this version after writing a copy beside it. */
import { renameSync } from "node:fs"
import { dirname } from "node:path"
import {
  type Migrated,
  type MigrationSteps,
  NotOurs,
  newestOf,
  type OnMigration,
  planMigrations,
  selectBatch,
} from "../sql/migrate.ts"
import {
  type Connection,
  configure,
  connect,
  hasTable,
  oldestOf,
  versionsOf,
} from "./connection/connection.ts"
import { chooseFreeName, copyAside, sync } from "./connection/copy.ts"
import { asUnavailable } from "./connection/errors.ts"
import { createFile, watchDatabase } from "./connection/file.ts"
import { numberParameters } from "./connection/statements.ts"
import { migrations, type SqliteMigration } from "./migrations/migrations.ts"

type Steps = MigrationSteps<SqliteMigration>

export async function migrateSqlite(
  path: string,
  onMigration: OnMigration,
  steps: Steps = { known: migrations, onProgress() {} },
): Promise<Migrated> {
  createFile(path)
  const assertInPlace = watchDatabase(path)
  const db = connect(path)
  try {
    assertOurs(db, path)
    assertInPlace()
    configure(db)
    const plan = planMigrations(steps.known, versionsOf(db))
    const isCurrent = plan.atOnce.length + plan.beside.length === 0
    const to = newestOf(steps.known)
    if (isCurrent) return { from: versionsOf(db).version, to, copy: null }
    const begun =
      migrateAtOnce(db, path, onMigration, steps) ?? copyAndTell(db, path, onMigration, steps)
    await migrateBeside(db, steps)
    return begun
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    db.close()
  }
}

/** Null where no step stops other programs. */
function migrateAtOnce(
  db: Connection,
  path: string,
  onMigration: OnMigration,
  { known }: Steps,
): Migrated | null {
  if (planMigrations(known, versionsOf(db)).atOnce.length === 0) return null
  const to = newestOf(known)
  // Migrations rebuild tables, and rows that refer to the old tables must stay. SQLite ignores this
  // setting inside a transaction.
  db.run("PRAGMA foreign_keys = OFF")
  return db
    .transaction((): Migrated | null => {
      // Read inside the transaction: of two concurrent migrations, one does the work.
      const versions = versionsOf(db)
      const { version: from } = versions
      const { atOnce } = planMigrations(known, versions)
      if (atOnce.length === 0) return null
      if (from > 0) onMigration(from, to, "others must stop")
      // The write lock is held: the copy is the store as the migration finds it.
      const copy = from === 0 ? null : copyBeside(path, to)
      for (const step of atOnce) applyStep(db, step)
      db.run(`PRAGMA user_version = ${newestOf(atOnce)}`)
      return { from, to, copy }
    })
    .immediate()
}

/** No lock: servers go on. */
function copyAndTell(
  db: Connection,
  path: string,
  onMigration: OnMigration,
  { known }: Steps,
): Migrated {
  const { version: from } = versionsOf(db)
  const to = newestOf(known)
  // A concurrent migration has done all.
  if (from === to) return { from, to, copy: null }
  onMigration(from, to, estimateWritesWaitMs(db, known))
  return { from, to, copy: copyBeside(path, to) }
}

/** Each step in a short transaction of its own, so that servers go on, also with writing. */
async function migrateBeside(db: Connection, { known, onProgress }: Steps): Promise<void> {
  db.run(createSteps)
  for (const step of planMigrations(known, versionsOf(db)).beside) {
    const { version } = step
    onProgress({ version, rows: 0, isWaiting: false })
    for (const index of splitIndexes(step.sql).indexes) {
      if (!db.transaction(() => createIndex(db, index)).immediate()) continue
      onProgress({ version, rows: 0, isWaiting: false })
      // Writers that waited get their turn before the next one.
      await Bun.sleep(pauseAfterIndexMs)
    }
    db.transaction(() => beginStep(db, step)).immediate()
    let rows = 0
    for (;;) {
      const filled = db.transaction(() => fillBatch(db, step)).immediate()
      if (filled === 0) break
      rows += filled
      onProgress({ version, rows, isWaiting: false })
      // A server that waits for the write lock gets its turn.
      await Bun.sleep(pauseMs)
    }
  }
}

const pauseMs = 1
/** A writer of any version tries again after 5 ms. */
const pauseAfterIndexMs = 50
const createSteps = `CREATE TABLE IF NOT EXISTS schema_steps (
  version  INTEGER PRIMARY KEY,
  position TEXT,
  is_done  INTEGER NOT NULL
) STRICT`

function applyStep(db: Connection, { sql, prepare, fill }: SqliteMigration): void {
  prepare?.(db)
  db.run(sql)
  if (fill === undefined) return
  const whole = `SELECT max(${fill.key}) AS last FROM ${fill.table}`
  const { last } = db.query<{ last: Key | null }, []>(whole).get() ?? { last: null }
  if (last !== null) db.query(numberParameters(fill.change)).run(fill.first, last)
}

type Key = string | number

type Split = Readonly<{ indexes: readonly string[]; rest: string }>

/**
 * SQLite makes an index in one go, and writers wait for that. So an index of a table that the step does not change
 * otherwise is made on its own, before the rest.
 */
function splitIndexes(sql: string): Split {
  const indexes: string[] = []
  const rest = sql.replace(/^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)[^;]*;/gm, (statement, table) => {
    if (new RegExp(`TABLE ${table}\\b`).test(sql)) return statement
    indexes.push(statement)
    return ""
  })
  return { indexes, rest }
}

/** On one core of a small machine. */
const indexMsOfRow = 0.01

/** For the largest index, while which nothing can be written. */
function estimateWritesWaitMs(db: Connection, known: Steps["known"]): number {
  const pending = planMigrations(known, versionsOf(db)).beside
  const waits = pending
    .flatMap(({ sql }) => splitIndexes(sql).indexes)
    .map((statement) => {
      const table = / ON (\w+)/.exec(statement)?.[1] ?? ""
      if (!hasTable(db, table)) return 0
      const count = db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()
      return (count?.rows ?? 0) * indexMsOfRow
    })
  return Math.max(0, ...waits)
}

/** False if an interrupted or a concurrent migration has made it. */
function createIndex(db: Connection, statement: string): boolean {
  const name = /INDEX (\w+)/.exec(statement)?.[1] ?? ""
  const made = db.query("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?1").get(name)
  if (made === null) db.run(statement)
  return made === null
}

/** Unless an interrupted or a concurrent migration has. */
function beginStep(db: Connection, { sql, prepare, version, oldest, fill }: SqliteMigration): void {
  const begun = db.query("SELECT 1 FROM schema_steps WHERE version = ?1").get(version)
  if (begun !== null) return
  prepare?.(db)
  const { rest } = splitIndexes(sql)
  if (/^(?!--)./m.test(rest)) db.run(rest)
  if (oldest !== undefined && oldest > oldestOf(db)) db.run(`PRAGMA user_version = ${oldest}`)
  const position = fill === undefined ? null : JSON.stringify(fill.first)
  db.query("INSERT INTO schema_steps VALUES (?1, ?2, ?3)").run(version, position, fill ? 0 : 1)
}

/** How many rows it has changed. */
function fillBatch(db: Connection, { version, fill }: SqliteMigration): number {
  if (fill === undefined) return 0
  const select = "SELECT position FROM schema_steps WHERE version = ?1 AND is_done = 0"
  const begun = db.query<{ position: string }, [number]>(select).get(version)
  if (begun === null) return 0
  const after: Key = JSON.parse(begun.position)
  const batch = db
    .query<{ last: Key | null; count: number }, [Key]>(numberParameters(selectBatch(fill)))
    .get(after)
  if (batch === null || batch.last === null) {
    db.query("UPDATE schema_steps SET is_done = 1 WHERE version = ?1").run(version)
    return 0
  }
  db.query(numberParameters(fill.change)).run(after, batch.last)
  const note = "UPDATE schema_steps SET position = ?2 WHERE version = ?1"
  db.query(note).run(version, JSON.stringify(batch.last))
  return batch.count
}

/** Tables without a version belong to another program. One statement, because of concurrent migrations. */
export function assertOurs(db: Connection, path: string): void {
  const foreign = db.query(
    "SELECT 1 FROM sqlite_schema, pragma_user_version WHERE user_version = 0",
  )
  if (foreign.get() === null) return
  throw new NotOurs(`${path} is a database of another program: name another file in DATABASE_URL`)
}

/** Writes to another name and renames at the end, so that a copy with this name is complete. */
function copyBeside(path: string, to: number): string {
  const copy = chooseFreeName(`${path}.before-${to}`)
  const reader = connect(path)
  let aside: string
  try {
    aside = copyAside(reader, copy)
  } finally {
    reader.close()
  }
  sync(aside)
  renameSync(aside, copy)
  sync(dirname(copy))
  return copy
}
