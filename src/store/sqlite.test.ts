import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { statSync } from "node:fs"
import { dirname, join } from "node:path"
import { runStoreContracts } from "../../tests/harness/stores/contracts.ts"
import { createSqlite } from "../../tests/harness/stores/create-stores.ts"
import { createSqlitePaths } from "../../tests/harness/stores/sqlite-paths.ts"
import { accountRecord, put } from "../../tests/harness/stores/store-records.ts"
import { until } from "../../tests/harness/until.ts"
import { StoreTooNew } from "../platform/database/schema-versions.ts"
import type { Transaction } from "../platform/database/sql.ts"
import { openDatabase } from "../platform/database/sqlite.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { sqliteSchema } from "./schema.ts"
import { migrateSqlite, openSqlite } from "./sqlite.ts"

const freshPath = createSqlitePaths()

runStoreContracts("sqlite", {
  openEmpty: () => createSqlite(freshPath()),
  async openTwo() {
    const path = freshPath()
    return [await createSqlite(path, "serve"), await openSqlite({ path }, "serve")]
  },
})

describe("the SQLite file", () => {
  test("is durable: WAL with synchronous FULL", async () => {
    const path = freshPath()
    await (await createSqlite(path)).close()
    const db = openDatabase(path, sqliteSchema, "serve")
    // FULL is 2. The setting belongs to the connection, so it is read inside a transaction.
    const read = ({ query }: Transaction) =>
      Promise.all([query`PRAGMA journal_mode`, query`PRAGMA synchronous`])
    expect(await db.transaction(read)).toEqual([[{ journalMode: "wal" }], [{ synchronous: 2 }]])
    await db.close()
  })

  test("is rejected if a newer version wrote it", async () => {
    const path = freshPath()
    await (await createSqlite(path)).close()
    const db = new Database(path)
    db.run("PRAGMA user_version = 9999")
    db.close()
    await expect(openSqlite({ path }, "command")).rejects.toThrow(StoreTooNew)
  })

  test("is created in a folder that only its owner can access", async () => {
    const folder = join(dirname(freshPath()), "new")
    await migrateSqlite(join(folder, "pazar.db"), () => {})
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test("is writable after a copy by VACUUM INTO", async () => {
    const [path, copy] = [freshPath(), freshPath()]
    await (await createSqlite(path)).close()
    const db = new Database(path)
    db.run("VACUUM INTO ?", [copy])
    db.close()
    const store = await openSqlite({ path: copy }, "serve")
    expect(await put(store, accountRecord("ada"))).toEqual([null])
    await store.close()
  })

  test("waits for another writer without blocking the thread, then writes", async () => {
    const path = freshPath()
    const store = await createSqlite(path)
    const other = new Database(path)
    other.run("BEGIN IMMEDIATE")
    let ticks = 0
    const clock = setInterval(() => ticks++, 5)
    const writing = put(store, accountRecord("ada"))
    await until(() => (ticks > 3 ? true : undefined))
    other.run("COMMIT")
    expect(await writing).toEqual([null])
    clearInterval(clock)
    other.close()
    await store.close()
  })

  test("serializes concurrent writes", async () => {
    const store = await createSqlite(freshPath())
    const names = Array.from({ length: 20 }, (_, index) => `author-${index}`)
    await Promise.all(names.map((name) => put(store, accountRecord(name))))
    const stored = await store.accounts.list("", 100)
    expect(stored.map(({ username }) => username).sort()).toEqual(names.toSorted())
    await store.close()
  })

  test("throws StoreUnavailable if it cannot be read", async () => {
    const path = freshPath()
    const store = await createSqlite(path)
    const other = new Database(path)
    other.run("DROP TABLE purchases")
    other.close()
    expect(() => store.purchases.listByCode(1, "abc")).toThrow(StoreUnavailable)
    await store.close()
  })
})
