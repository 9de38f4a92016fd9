/** Creates a store, or brings an older one to this version after writing a copy beside it. */
import { renameSync } from "node:fs"
import { dirname } from "node:path"
import {
  type Migrated,
  NotOurs,
  newestOf,
  type OnMigration,
  pendingMigrations,
} from "../sql/migrate.ts"
import { type Connection, configure, connect, versionOf } from "./connection/connection.ts"
import { chooseFreeName, copyAside, sync } from "./connection/copy.ts"
import { asUnavailable } from "./connection/errors.ts"
import { createFile, watchDatabase } from "./connection/file.ts"
import { migrations } from "./migrations/migrations.ts"

export async function migrateSqlite(path: string, onMigration: OnMigration): Promise<Migrated> {
  createFile(path)
  const file = watchDatabase(path)
  const db = connect(path)
  try {
    assertOurs(db, path)
    file.assertInPlace()
    configure(db)
    return migrate(db, path, onMigration)
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    db.close()
  }
}

function migrate(db: Connection, path: string, onMigration: OnMigration): Migrated {
  const to = newestOf(migrations)
  // Migrations rebuild tables, and rows that refer to the old tables must stay. SQLite ignores this
  // setting inside a transaction.
  db.run("PRAGMA foreign_keys = OFF")
  return db
    .transaction((): Migrated => {
      // Read inside the transaction: of two concurrent migrations, one does the work.
      const from = versionOf(db)
      const pending = pendingMigrations(migrations, from)
      if (pending.length === 0) return { from, to, copy: null }
      if (from > 0) onMigration(from, to)
      // The write lock is held: the copy is the store as the migration finds it.
      const copy = from === 0 ? null : copyBeside(path, to)
      for (const { version, sql, prepare } of pending) {
        prepare?.(db)
        db.run(sql)
        db.run(`PRAGMA user_version = ${version}`)
      }
      return { from, to, copy }
    })
    .immediate()
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
