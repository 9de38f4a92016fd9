import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { dirname } from "node:path"
import { createSqlite } from "../../tests/harness/stores/create-stores.ts"
import { createSqlitePaths } from "../../tests/harness/stores/sqlite-paths.ts"
import {
  accountRecord,
  itemRecord,
  purchaseRecord,
  put,
} from "../../tests/harness/stores/store-records.ts"

const freshPath = createSqlitePaths()

test("at most a million records are pending", async () => {
  const path = freshPath()
  const store = await createSqlite(path)
  const db = new Database(path)
  // Sorted, to insert the rows faster.
  db.run(`WITH RECURSIVE many (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM many LIMIT 999998)
    INSERT INTO pending_records (kind, identity, needs, record, as_of, since_ms, run_id)
    SELECT 'purchase', format('%07d', at), '0', '{}', 0, 0, 0 FROM many`)
  db.close()
  const sales = ["a", "b", "c"].map((code) => purchaseRecord(code, 7))
  expect(await put(store, ...sales)).toEqual(["pending", "pending", "item_id: too_many_pending"])
  expect(await put(store, ...sales)).toEqual(["pending", "pending", "item_id: too_many_pending"])
  await put(store, accountRecord("ada"), itemRecord("ada", 7))
  expect((await store.feed.readPending(0)).purchases).toBe(999_998)
  await store.close()
})

test("the copy of a dry run is deleted even if the process is killed", async () => {
  const path = freshPath()
  const store = await createSqlite(path)
  await put(store, accountRecord("ada"))
  const files = readdirSync(dirname(path))
  const dryRun = await store.feed.openDryRun()
  expect(await dryRun.put(new Date(), [itemRecord("ada", 7), purchaseRecord("abc", 7)], 2)).toEqual(
    [null, null],
  )
  expect(readdirSync(dirname(path))).toEqual(files)
  await dryRun.close()
  await store.close()
})
