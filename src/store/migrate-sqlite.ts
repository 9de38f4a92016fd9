/** Creates a database, or migrates an older one after writing a copy to the same folder. */
import { rmSync } from "node:fs"
import {
  type Migrated,
  migrateDatabase,
  NotPazarDatabase,
  newestOf,
  type OnMigration,
  type OnProgress,
} from "../platform/database/schema-versions.ts"
import {
  asUnavailable,
  beginWrite,
  type Connection,
  configure,
  connect,
  isDiskFailure,
  versionOf,
} from "../platform/database/sqlite.ts"
import {
  chooseFreeName,
  copyAside,
  createFile,
  putInPlace,
  watchFiles,
} from "../platform/database/sqlite-file.ts"
import { sqliteSchema } from "./schema.ts"

/** The time that a migration of a large database takes. */
const lockMsMax = 3_600_000

export async function migrateSqlite(
  path: string,
  onMigration?: OnMigration,
  onProgress?: OnProgress,
  schema = sqliteSchema,
): Promise<Migrated> {
  createFile(path)
  const assertInPlace = watchFiles(path)
  const db = connect(path)
  let copied: string | null = null
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
    const migrating = {
      from: versionOf(db),
      async run(sql: string) {
        // Progress is printed before the statement blocks this thread.
        await Bun.sleep(0)
        db.run(sql)
      },
      setVersion: async (version: number) => db.run(`PRAGMA user_version = ${version}`),
      copy() {
        copied = copyBeside(path, newestOf(schema))
        return copied
      },
    }
    const migrated = await migrateDatabase(schema, migrating, onMigration, onProgress)
    db.run("COMMIT")
    return migrated
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK")
    // After a failed fsync the migration may be on the disk.
    if (copied !== null && !isDiskFailure(error)) rmSync(copied)
    throw asUnavailable(error)
  } finally {
    db.close()
  }
}

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
  using reader = connect(path)
  putInPlace(copyAside(reader, copy), copy)
  return copy
}
