import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  addOwner,
  importedKeyRecord,
  itemBody,
  itemRecord,
  type OpenEmpty,
  purchaseRecord,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import type { AsOf, FeedRecord } from "./feed-record.ts"

const renamed = (from: string, to: string, asOf?: AsOf): FeedRecord => ({
  type: "account",
  key: null,
  account: { username: to, isSuspended: null, body: JSON.stringify({ username: to }) },
  was: from,
  ...(asOf && { asOf }),
})
const moved = (wasAuthor: string, author: string, id: number): FeedRecord => ({
  type: "item",
  wasAuthor,
  item: { id, author, isHidden: false, body: itemBody(id) },
})
const gone = (username: string): FeedRecord => ({ type: "deleted account", username })

export const feedRenameContract = (adapter: string, open: OpenEmpty) =>
  describe(`renames and moves in a FeedStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const find = async (username: string) =>
      (await store.accounts.findByUsername(username))?.id ?? null
    const codesOf = async (account: number) =>
      (await store.purchases.listByCode(account, "abc")).map(({ code }) => code)

    test("a renamed account keeps its id and its records", async () => {
      const record = accountRecord("ada", undefined, false, importedKeyRecord("key_1"))
      await put(store, record, itemRecord("ada", 1), purchaseRecord("abc", 1))
      const ada = await accountId(store, "ada")
      const owner = await addOwner(store, ada, "ada")
      expect(await put(store, renamed("ada", "eve"))).toEqual([null])
      const kept = await store.keys.find("key_1")
      expect({
        names: [await find("ada"), await find("eve")],
        body: (await store.accounts.find(ada))?.body,
        key: [kept?.accountId, kept?.username, new TextDecoder().decode(kept?.encrypted)],
        teams: (await store.people.listMemberships(owner)).map(({ username }) => username),
        codes: await codesOf(ada),
      }).toEqual({
        names: [null, ada],
        body: '{"username":"eve"}',
        key: [ada, "eve", `key_1 of account ${ada}`],
        teams: ["eve"],
        codes: ["abc"],
      })
    })

    test("a rename to the current name changes nothing, and one of a missing account creates it", async () => {
      expect(await put(store, renamed("ada", "eve"))).toEqual([null])
      const eve = await accountId(store, "eve")
      expect(await put(store, renamed("ada", "eve"), renamed("eve", "eve"))).toEqual([null, null])
      expect([await find("ada"), await find("eve")]).toEqual([null, eve])
    })

    test("a rename to the name of another account is rejected", async () => {
      await put(store, accountRecord("ada"), accountRecord("eve", "{}"))
      expect(await put(store, renamed("ada", "eve"))).toEqual(["was: both_accounts_exist"])
      expect((await store.accounts.findByUsername("eve"))?.body).toBe("{}")
      expect(await find("ada")).not.toBeNull()
    })

    test("accounts can swap names and change their case", async () => {
      await put(store, accountRecord("ada"), accountRecord("bob"))
      const [ada, bob] = [await find("ada"), await find("bob")]
      await put(store, renamed("ada", "x"), renamed("bob", "ada"), renamed("x", "bob"))
      expect([await find("ada"), await find("bob")]).toEqual([bob, ada])
      await put(store, renamed("bob", "Bob"))
      expect([await find("bob"), await find("Bob")]).toEqual([null, ada])
    })

    test("a new account can use the former name of another one", async () => {
      await put(store, accountRecord("ada"), itemRecord("ada", 1))
      const ada = await find("ada")
      const next = [renamed("ada", "eve"), accountRecord("ada"), itemRecord("ada", 2)]
      expect(await put(store, ...next, gone("eve"))).toEqual([
        ...[null, null, null],
        "username: has_items",
      ])
      expect([await find("eve"), (await find("ada")) === ada]).toEqual([ada, false])
    })

    test("an older feed neither renames an account nor restores its old name", async () => {
      const asOf = (ms: number): AsOf => ({ ms, isArrival: false })
      await put(store, { ...accountRecord("ada"), asOf: asOf(20) })
      await put(store, renamed("ada", "old", asOf(10)))
      expect([await find("ada"), await find("old")]).toEqual([expect.any(Number), null])
      await put(store, renamed("ada", "eve", asOf(30)))
      await put(store, { ...accountRecord("ada"), asOf: asOf(25) })
      expect([await find("ada"), await find("eve")]).toEqual([null, expect.any(Number)])
    })

    test("an item moves with its purchases, and both lists get a new version", async () => {
      await put(store, accountRecord("ada"), accountRecord("bob"), itemRecord("ada", 1))
      await put(store, purchaseRecord("abc", 1))
      const [ada, bob] = [await accountId(store, "ada"), await accountId(store, "bob")]
      const versions = async () => [
        (await store.items.findList(ada))?.version,
        (await store.items.findList(bob))?.version,
      ]
      const before = await versions()
      expect(await put(store, moved("ada", "bob", 1))).toEqual([null])
      const after = await versions()
      expect([await codesOf(ada), await codesOf(bob)]).toEqual([[], ["abc"]])
      expect([await store.items.find(ada, 1), (await store.items.find(bob, 1))?.id]).toEqual([
        ...[null, 1],
      ])
      expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, false])
      expect(await put(store, moved("ada", "bob", 1))).toEqual([null])
      expect(await versions()).toEqual(after)
    })

    test("an item of a third author is not moved", async () => {
      await put(store, accountRecord("ada"), accountRecord("bob"), itemRecord("ada", 1))
      expect(await put(store, moved("cyd", "bob", 1), moved("ada", "cyd", 1))).toEqual([
        "author: item_of_other_author",
        "author: unknown_account",
      ])
      expect((await store.items.find(await accountId(store, "ada"), 1))?.id).toBe(1)
    })

    test("an author is deleted in the batch in which the last item moves to a new author", async () => {
      await put(store, accountRecord("ada"), itemRecord("ada", 1), purchaseRecord("abc", 1))
      const batch = [
        accountRecord("bob"),
        moved("ada", "bob", 1),
        gone("ada"),
        accountRecord("ada"),
      ]
      expect(await put(store, ...batch)).toEqual([null, null, null, null])
      const [ada, bob] = [await accountId(store, "ada"), await accountId(store, "bob")]
      expect([await codesOf(ada), await codesOf(bob)]).toEqual([[], ["abc"]])
    })
  })
