import { expect, test } from "bun:test"
import type { Database } from "../connection/database.ts"
import { postgresItems } from "./item-store.ts"

/** Simulates a driver that returns the row of another query. */
const itemsWithRow = (row: object) =>
  postgresItems({ read: async () => [row] } as unknown as Database) // items call nothing else

test("a list or page of another account is an error", async () => {
  const own = {
    id: 1,
    listVersion: "1",
    accountId: 1,
    count: 1,
    lastId: 7,
    isLast: true,
    text: "{}",
  }
  const list = await itemsWithRow(own).findList(1)
  expect(await list?.read(9, 1)).toMatchObject({ count: 1, lastId: 7 })
  await expect(itemsWithRow({ ...own, id: 2 }).findList(1)).rejects.toThrow()
  const mixedUp = await itemsWithRow({ ...own, accountId: 2 }).findList(1)
  await expect(mixedUp?.read(9, 1)).rejects.toThrow()
})
