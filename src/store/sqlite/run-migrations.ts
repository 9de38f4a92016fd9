/** Creates a database, or migrates an older one after writing a copy to the same folder. */
import { renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import {
  assertFinished,
  listPending,
  type Migrated,
  type Migration,
  NotPazarDatabase,
  newestOf,
  type OnMigration,
  type OnProgress,
  selectUnfinished,
  statementsOf,
} from "../sql/schema-versions.ts"
import { type Connection, configure, connect, versionOf } from "./connection/connection.ts"
import { chooseFreeName, copyAside, sync } from "./connection/copy.ts"
import { beginWrite } from "./connection/database.ts"
import { asUnavailable } from "./connection/errors.ts"
import { createFile, watchFiles } from "./connection/file.ts"
import { schema } from "./schema/schema.ts"

/** The time that a migration of a large database takes. */
const lockMsMax = 3_600_000

export async function migrateSqlite(
  path: string,
  onMigration: OnMigration = () => {},
  onProgress: OnProgress = () => {},
): Promise<Migrated> {
  createFile(path)
  const assertInPlace = watchFiles(path)
  const db = connect(path)
  try {
    assertPazarDatabase(db, path)
    assertInPlace()
    configure(db)
    // Migrations rebuild tables, and rows that reference the old tables must be kept. SQLite ignores this setting inside
    // a transaction.
    db.run("PRAGMA foreign_keys = OFF")
    db.run("PRAGMA busy_timeout = 0")
    // A concurrent migration waits here.
    await beginWrite(db, lockMsMax)
    const migrated = await migrate(db, path, onMigration, onProgress)
    db.run("COMMIT")
    return migrated
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK")
    throw asUnavailable(error)
  } finally {
    db.close()
  }
}

async function migrate(
  db: Connection,
  path: string,
  onMigration: OnMigration,
  onProgress: OnProgress,
): Promise<Migrated> {
  const to = newestOf(schema)
  const from = versionOf(db)
  if (from === 0) {
    db.run(schema.sql)
    setVersion(db, to)
    return { from, to, copy: null }
  }
  const pending = listPending(schema, from)
  if (pending.length === 0) return { from, to, copy: null }
  if (from === schema.oldest) assertFinished(db.query<{ name: string }, []>(selectUnfinished).all())
  onMigration(from, to)
  const copy = copyBeside(path, to)
  try {
    // Migrations may read the old database from its copy.
    db.query("ATTACH ? AS copy").run(copy)
    for (const migration of pending) await apply(db, migration, onProgress)
  } catch (error) {
    // The database was not changed.
    rmSync(copy)
    throw error
  }
  return { from, to, copy }
}

async function apply(
  db: Connection,
  { version, sql }: Migration,
  onProgress: OnProgress,
): Promise<void> {
  const statements = statementsOf(sql)
  for (const [done, statement] of statements.entries()) {
    onProgress({ version, done, of: statements.length })
    // Progress is printed before the statement blocks this thread.
    await Bun.sleep(0)
    db.run(statement)
  }
  setVersion(db, version)
}

const setVersion = (db: Connection, version: number) => db.run(`PRAGMA user_version = ${version}`)

/** Throws if the file has tables but no version. One statement, because of concurrent migrations. */
export function assertPazarDatabase(db: Connection, path: string): void {
  const foreign = db.query(
    "SELECT 1 FROM sqlite_schema, pragma_user_version WHERE user_version = 0",
  )
  if (foreign.get() === null) return
  throw new NotPazarDatabase(
    `${path} is a database of another program; set another file in DATABASE_URL`,
  )
}

/** Called with the write lock held. The copy is renamed into place when it is complete. */
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
