import { Database } from "bun:sqlite"
import { beforeEach, expect, test } from "bun:test"
import { copyFileSync, statSync } from "node:fs"
import { createSqlite } from "../../tests/harness/stores/create-stores.ts"
import { createSqlitePaths } from "../../tests/harness/stores/sqlite-paths.ts"
import { sql } from "../platform/database/sql.ts"
import { openDatabase } from "../platform/database/sqlite.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { sqliteSchema } from "./schema.ts"
import { openSqlite } from "./sqlite.ts"

const freshPath = createSqlitePaths()

let path: string
let db: ReturnType<typeof openDatabase>
beforeEach(async () => {
  path = freshPath()
  await (await createSqlite(path)).close()
  db = openDatabase(path, sqliteSchema, "serve")
})

/** Runs a transaction that fails with this code. `instanceof SQLiteError` compares the name of the error. */
async function failWith(code: string): Promise<void> {
  const fault = Object.assign(new Error("disk I/O error"), { name: "SQLiteError", code })
  const failing = db.transaction(async () => {
    throw fault
  })
  await expect(failing).rejects.toThrow(StoreUnavailable)
}
const put = (value: string) =>
  db.write`INSERT OR REPLACE INTO metadata (name, value) VALUES ('name', ${value})`
const selectValue = sql`SELECT value FROM metadata WHERE name = 'name'`

test("after a failed fsync writes are rejected, reads continue, and the failure is reported", async () => {
  await put("before")
  await failWith("SQLITE_IOERR_FSYNC")
  await expect(put("after")).rejects.toThrow(/fsync/)
  expect(() => db.assertUnchanged()).toThrow(StoreUnavailable)
  expect(await db.findValue<string>(selectValue)).toBe("before")
  expect(await db.untilFailed()).toBeInstanceOf(StoreUnavailable)
})

test("closing then keeps the log, and the next server copies it into the database", async () => {
  await put("kept")
  const logBytes = () => statSync(`${path}-wal`).size
  const before = logBytes()
  await failWith("SQLITE_IOERR_FSYNC")
  await db.close()
  expect([before > 0, logBytes()]).toEqual([true, before])
  const next = await openSqlite({ path }, "serve")
  expect(await next.metadata.find("name")).toBe("kept")
  const withoutLog = `${path}-copy`
  copyFileSync(path, withoutLog)
  using copy = new Database(withoutLog)
  expect(copy.query(`${selectValue}`).values()).toEqual([["kept"]])
})

test.each(["SQLITE_FULL", "SQLITE_IOERR_WRITE"])("%s: later writes succeed", async (code) => {
  await failWith(code)
  await put("written")
  expect(await db.findValue<string>(selectValue)).toBe("written")
  await db.close()
})
