/** A thread like ours, on a disk that saves no write. */
import { Database } from "bun:sqlite"
import "../../../src/server/listener-thread.ts"

const { run } = Database.prototype
Database.prototype.run = function (sql, ...values) {
  if (sql !== "COMMIT") return run.call(this, sql, ...values)
  // Bun tells SQLite's errors by their name.
  const name = { name: "SQLiteError", code: "SQLITE_IOERR_FSYNC" }
  throw Object.assign(new Error("disk I/O error"), name)
}
