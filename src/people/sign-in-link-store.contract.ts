import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  addOwner,
  type OpenEmpty,
  openWithAuthors,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"

export const signInLinkStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`SignInLinkStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
    })
    afterEach(() => store.close())

    const before = "2026-06-01T08:01:59Z"
    const end = "2026-06-01T08:02:00Z"
    const digestOf = (id: string) => new TextEncoder().encode(`digest of ${id}`)
    const insert = (id: string, account: number) =>
      store.signInLinks.insert(digestOf(id), account, end)
    const find = (id: string, at = before) => store.signInLinks.find(digestOf(id), at)
    const use = (id: string, at = before) => store.signInLinks.use(digestOf(id), at)

    test("finds the account of each link any number of times", async () => {
      await insert("ada's", ada)
      await insert("bob's", bob)
      const ids = ["ada's", "bob's", "nobody's", "ada's"]
      expect(await Promise.all(ids.map((id) => find(id)))).toEqual([ada, bob, null, ada])
    })

    test("is used once, and does not end other links of the account", async () => {
      await insert("ada's", ada)
      await insert("ada's second", ada)
      expect([await use("ada's"), await use("ada's"), await find("ada's")]).toEqual([
        ada,
        null,
        null,
      ])
      expect(await use("ada's second")).toBe(ada)
    })

    test("only one of many concurrent uses succeeds", async () => {
      await insert("ada's", ada)
      const used = await Promise.all(Array.from({ length: 12 }, () => use("ada's")))
      expect(used.filter((account) => account !== null)).toEqual([ada])
    })

    test("is neither found nor used after it expires", async () => {
      await insert("ada's", ada)
      expect([await find("ada's", end), await use("ada's", end)]).toEqual([null, null])
      expect(await use("ada's")).toBe(ada)
    })

    test("is ended by a new password of its owner", async () => {
      await insert("ada's", ada)
      await insert("bob's", bob)
      await store.passwords.put(await addOwner(store, ada, "Ada"), "$hash")
      expect([await find("ada's"), await find("bob's")]).toEqual([null, bob])
    })

    test("rejects a token that already exists", async () => {
      await insert("ada's", ada)
      await expect(insert("ada's", bob)).rejects.toThrow()
      expect(await find("ada's")).toBe(ada)
    })

    test("deletes expired links in batches", async () => {
      for (let i = 0; i < 5; i += 1) await insert(`old ${i}`, ada)
      await store.signInLinks.insert(digestOf("new"), bob, "2026-06-01T08:02:01Z")
      const removed: number[] = []
      for (let i = 0; i < 4; i += 1) removed.push(await store.signInLinks.deleteExpired(end, 2))
      expect([removed, await find("new")]).toEqual([[2, 2, 1, 0], bob])
    })

    test("deletes the link with its account", async () => {
      await insert("ada's", ada)
      await put(store, { type: "deleted account", username: "ada" })
      expect(await find("ada's")).toBeNull()
    })
  })
