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
import { type Database, openDatabase } from "../connection/database.ts"
import type { Prepare } from "../connection/statements.ts"
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

let lookUps: unknown[][]
let db: Database
let items: ItemStore
beforeEach(() => {
  lookUps = []
  db = openDatabase(path, "serve")
  items = sqliteItems({ ...db, prepare: recordLookUps(db.prepare) })
})
afterEach(() => db.close())

/** Prepares the same statements, which note every row that is asked for. */
function recordLookUps(prepare: Prepare): Prepare {
  return (sql) => {
    const statement = prepare(sql)
    const get = statement.get.bind(statement)
    statement.get = (...values) => {
      lookUps.push([sql, ...values])
      return get(...values)
    }
    // The caller chooses the row's type; the statement is the one it asked for.
    return statement as ReturnType<typeof prepare<never, never>>
  }
}

test("another author's item takes the same look-ups as an absent one", async () => {
  const lookUpsOf = async (account: number, id: number) => {
    lookUps = []
    expect(await items.find(account, id)).toBeNull()
    return lookUps.map((each) => each.map((value) => (value === id ? "id" : value)))
  }
  const absent = await lookUpsOf(ada, 8)
  expect(absent).toHaveLength(1)
  expect(await lookUpsOf(ada, 7)).toEqual(absent)
})
