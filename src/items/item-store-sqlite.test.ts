import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test"
import { createSqlite } from "../../tests/harness/stores/create-stores.ts"
import { createSqlitePaths } from "../../tests/harness/stores/sqlite-paths.ts"
import {
  accountId,
  accountRecord,
  itemRecord,
  put,
} from "../../tests/harness/stores/store-records.ts"
import { renderWritten } from "../platform/database/sql.ts"
import { type Database, openDatabase } from "../platform/database/sqlite.ts"
import { sqliteSchema } from "../store/schema.ts"
import type { ItemStore } from "./item.ts"
import { sqliteItems } from "./item-store-sqlite.ts"

const freshPath = createSqlitePaths()
const path = freshPath()
let ada: number
beforeAll(async () => {
  const store = await createSqlite(path)
  await put(store, accountRecord("ada"), accountRecord("bob"), itemRecord("bob", 7))
  ada = await accountId(store, "ada")
  await store.close()
})

let lookups: (readonly unknown[])[]
let db: Database
let items: ItemStore
beforeEach(() => {
  lookups = []
  db = openDatabase(path, sqliteSchema, "serve")
  items = sqliteItems({
    ...db,
    readNow(...written) {
      const { text, values } = renderWritten(written)
      lookups.push([text, ...values])
      return db.readNow(...written)
    },
  })
})
afterEach(() => db.close())

test("an item of another author causes the same lookups as a missing one", async () => {
  const lookupsOf = async (account: number, id: number) => {
    lookups = []
    expect(await items.find(account, id)).toBeNull()
    return lookups.map((each) => each.map((value) => (value === id ? "id" : value)))
  }
  const absent = await lookupsOf(ada, 8)
  expect(absent).toHaveLength(1)
  expect(await lookupsOf(ada, 7)).toEqual(absent)
})
