/** A thread like a server's, on a disk that fails every write. */
import { Database } from "bun:sqlite"
import "../../../src/server/listener-thread.ts"

const { run } = Database.prototype
Database.prototype.run = function (sql, ...values) {
  if (sql !== "COMMIT") return run.call(this, sql, ...values)
  // Bun identifies SQLite's errors by name.
  const name = { name: "SQLiteError", code: "SQLITE_IOERR_FSYNC" }
  throw Object.assign(new Error("disk I/O error"), name)
}
