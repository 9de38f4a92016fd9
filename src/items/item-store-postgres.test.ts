import { expect, test } from "bun:test"
import type { Database } from "../platform/database/postgres.ts"
import { postgresItems } from "./item-store-postgres.ts"

/** Simulates a driver that returns the rows of other queries. */
function itemsWithRows(...rows: unknown[]) {
  // `as`: items call nothing else.
  return postgresItems({ read: async () => [rows.shift()] } as unknown as Database)
}

test("a list or page of another account is an error", async () => {
  const account = { id: 1, listVersion: "1" }
  const page = [1, 7, true, "{}"]
  const list = await itemsWithRows(account, [1, ...page]).findList(1)
  expect(await list?.read(9, 1)).toMatchObject({ count: 1, lastId: 7 })
  await expect(itemsWithRows({ ...account, id: 2 }).findList(1)).rejects.toThrow()
  const mixedUp = await itemsWithRows(account, [2, ...page]).findList(1)
  await expect(mixedUp?.read(9, 1)).rejects.toThrow()
})
