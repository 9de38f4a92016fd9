/** `npm run soak -- disk` shows the same with a real fsync that fails, and a server that ends. */
import { Database } from "bun:sqlite"
import { beforeEach, expect, test } from "bun:test"
import { copyFileSync, statSync } from "node:fs"
import { createSqlite } from "../../../tests/harness/stores/new-stores.ts"
import { createSqlitePaths } from "../../../tests/harness/stores/sqlite-paths.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { openDatabase } from "./connection/database.ts"
import { createSharedState, type SharedState } from "./connection/shared-state.ts"
import { openSqlite } from "./store.ts"

const freshPath = createSqlitePaths()

let path: string
let shared: SharedState
beforeEach(async () => {
  path = freshPath()
  shared = createSharedState()
  await (await createSqlite(path)).close()
})

/** A transaction that fails with this code. Bun tells SQLite's errors by their name. */
async function failWith(code: string): Promise<void> {
  const db = openDatabase(path, "serve", shared)
  const fault = Object.assign(new Error("disk I/O error"), { name: "SQLiteError", code })
  const failing = db.transaction(async () => {
    throw fault
  })
  await expect(failing).rejects.toThrow(StoreUnavailable)
  await db.close()
}

test("after a failed fsync no thread writes, reads go on, and the failure is reported", async () => {
  const store = await openSqlite({ path, shared }, "serve")
  await store.metadata.put("name", "before")
  const failed = store.untilFailed()
  await failWith("SQLITE_IOERR_FSYNC")
  await expect(store.metadata.put("name", "after")).rejects.toThrow(/fsync/)
  await expect(store.probe()).rejects.toThrow(StoreUnavailable)
  expect(await store.metadata.find("name")).toBe("before")
  expect(await failed).toBeInstanceOf(StoreUnavailable)
})

test("closing then leaves the log as it is, and the next server moves it into the database", async () => {
  const store = await openSqlite({ path, shared }, "serve")
  await store.metadata.put("name", "kept")
  const logBytes = () => statSync(`${path}-wal`).size
  const before = logBytes()
  await failWith("SQLITE_IOERR_FSYNC")
  await store.close()
  expect([before > 0, logBytes()]).toEqual([true, before])
  const next = await openSqlite({ path, shared: createSharedState() }, "serve")
  expect(await next.metadata.find("name")).toBe("kept")
  const withoutLog = `${path}-copy`
  copyFileSync(path, withoutLog)
  using copy = new Database(withoutLog)
  expect(copy.query("SELECT value FROM metadata WHERE name = 'name'").values()).toEqual([["kept"]])
})

test.each(["SQLITE_FULL", "SQLITE_IOERR_WRITE"])("%s: later writes succeed", async (code) => {
  const store = await openSqlite({ path, shared }, "serve")
  await failWith(code)
  await store.metadata.put("name", "written")
  expect(await store.metadata.find("name")).toBe("written")
  await store.close()
})
