import { Database } from "bun:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../tests/harness/program.ts"
import { createSqlite } from "../../../tests/harness/stores/create-stores.ts"
import { accountRecord, longItemRecord, put } from "../../../tests/harness/stores/store-records.ts"
import type { Store } from "../../store/store.ts"

const mb = 1024 ** 2

describe.each(["serve", "command"] as const)("the write-ahead log of a %s", (use) => {
  let folder: string
  let store: Store
  let reader: Database
  beforeEach(async () => {
    folder = temporaryFolder()
    store = await createSqlite(join(folder, "pazar.db"), use)
    await put(store, accountRecord("ada"))
    // An open read transaction prevents a checkpoint from truncating the log.
    reader = new Database(join(folder, "pazar.db"))
    reader.run("BEGIN")
    reader.query("SELECT count(*) FROM accounts").get()
  })
  afterEach(async () => {
    reader.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  let id = 0
  const write = (bytes: number) => {
    id += 1
    return put(store, longItemRecord("ada", id, bytes))
  }
  const measure = () => statSync(join(folder, "pazar.db-wal")).size

  test("is truncated by the write that exceeds the limit", async () => {
    await write(60 * mb)
    reader.run("COMMIT")
    expect(measure()).toBeGreaterThan(60 * mb)
    await write(10 * mb)
    expect(measure()).toBe(0)
  })

  test("does not stay large after a long read", async () => {
    await write(100 * mb)
    reader.run("COMMIT")
    expect(measure()).toBeGreaterThan(100 * mb)
    // After the first write SQLite checkpoints the log; the second write restarts it.
    await write(1)
    await write(1)
    expect(measure()).toBeLessThanOrEqual(64 * mb)
  })
})
