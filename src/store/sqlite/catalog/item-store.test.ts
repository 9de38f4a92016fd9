import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  itemRecord,
  put,
} from "../../../../tests/contracts/store-records.ts"
import { createSqlite } from "../../../../tests/harness/stores/create-stores.ts"
import { createSqlitePaths } from "../../../../tests/harness/stores/sqlite-paths.ts"
import type { ItemStore } from "../../../domain/catalog/item.ts"
import type { Prepare } from "../connection/connection.ts"
import { type Database, openDatabase } from "../connection/database.ts"
import { sqliteItems } from "./item-store.ts"

const freshPath = createSqlitePaths()
const path = freshPath()
let ada: number
beforeAll(async () => {
  const store = await createSqlite(path)
  await put(store, accountRecord("ada"), accountRecord("bob"), itemRecord("bob", 7))
  ada = await accountId(store, "ada")
  await store.close()
})

let lookups: unknown[][]
let db: Database
let items: ItemStore
beforeEach(() => {
  lookups = []
  db = openDatabase(path, "serve")
  items = sqliteItems({ ...db, prepare: recordLookups(db.prepare) })
})
afterEach(() => db.close())

/** Records all lookups of prepared statements. */
function recordLookups(prepare: Prepare): Prepare {
  return (sql) => {
    const statement = prepare(sql)
    const get = statement.get.bind(statement)
    statement.get = (...values) => {
      lookups.push([sql, ...values])
      return get(...values)
    }
    // `as`: the caller chooses the type of the row.
    return statement as ReturnType<typeof prepare<never, never>>
  }
}

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
