import { expect, test } from "bun:test"
import type { Database } from "../connection/database.ts"
import { postgresItems } from "./item-store.ts"

/** As if the driver gave the answer to another question. */
const answeredWith = (row: object) =>
  postgresItems({ read: async () => [row] } as unknown as Database) // items call nothing else

test("a list of another account is an error, and so is a page of it", async () => {
  const own = { id: 1, version: "1", accountId: 1, count: 1, lastId: 7, isLast: true, text: "{}" }
  const list = await answeredWith(own).findList(1)
  expect(await list?.read(9, 1)).toMatchObject({ count: 1, lastId: 7 })
  await expect(answeredWith({ ...own, id: 2 }).findList(1)).rejects.toThrow()
  const mixedUp = await answeredWith({ ...own, accountId: 2 }).findList(1)
  await expect(mixedUp?.read(9, 1)).rejects.toThrow()
})
