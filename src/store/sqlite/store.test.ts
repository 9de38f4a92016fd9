import { Database } from "bun:sqlite"
import { afterAll, describe, expect, test } from "bun:test"
import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../tests/harness/program.ts"
import { accountRecord, put } from "../../../tests/harness/store-records.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { accountStoreContract } from "../accounts.contract.ts"
import { apiKeyStoreContract } from "../api-keys.contract.ts"
import { feedStoreContract } from "../feed.contract.ts"
import { itemStoreContract } from "../items.contract.ts"
import { markStoreContract } from "../marks.contract.ts"
import { StoreTooNew } from "../migrate.ts"
import { purchaseStoreContract } from "../purchases.contract.ts"
import { openSqlite } from "./store.ts"

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))
let stores = 0
const freshPath = () => join(folder, `${++stores}.db`)
const openEmpty = () => openSqlite(freshPath(), "command")

accountStoreContract("sqlite", openEmpty)
itemStoreContract("sqlite", openEmpty)
purchaseStoreContract("sqlite", openEmpty)
apiKeyStoreContract("sqlite", openEmpty)
feedStoreContract("sqlite", openEmpty)
markStoreContract("sqlite", openEmpty)

describe("the SQLite file", () => {
  test("keeps what was acknowledged through a power cut: WAL with synchronous FULL", async () => {
    const path = freshPath()
    await (await openSqlite(path, "command")).close()
    const db = new Database(path)
    expect(db.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" })
    db.close()
  })

  test("is refused when a newer version wrote it", async () => {
    const path = freshPath()
    await (await openSqlite(path, "command")).close()
    const db = new Database(path)
    db.run("PRAGMA user_version = 99")
    db.close()
    expect(openSqlite(path, "command")).rejects.toThrow(StoreTooNew)
  })

  test("is made in a folder for its owner alone", async () => {
    const path = join(folder, "new", "pazar.db")
    await (await openSqlite(path, "command")).close()
    expect(statSync(join(folder, "new")).mode & 0o777).toBe(0o700)
  })

  test("waits for another writer without freezing, and then writes", async () => {
    const path = freshPath()
    const store = await openSqlite(path, "command")
    const other = new Database(path)
    other.run("BEGIN IMMEDIATE")
    let ticks = 0
    const clock = setInterval(() => ticks++, 5)
    const writing = put(store, accountRecord("ada"))
    await Bun.sleep(100)
    other.run("COMMIT")
    expect(await writing).toEqual([null])
    clearInterval(clock)
    expect(ticks).toBeGreaterThan(3)
    other.close()
    await store.close()
  })

  test("is unavailable, not wrong, when it cannot be read", async () => {
    const path = freshPath()
    const store = await openSqlite(path, "command")
    const other = new Database(path)
    other.run("DROP TABLE purchases")
    other.close()
    expect(store.purchases.listByCode(1, "abc")).rejects.toThrow(StoreUnavailable)
    await store.close()
  })
})
