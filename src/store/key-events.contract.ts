import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { accountId, accountRecord, type OpenEmpty, put } from "../../tests/harness/store-records.ts"
import { type KeyEvent, keyActions } from "../domain/key-event.ts"
import type { Store } from "../domain/store.ts"

export const keyEventStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`KeyEventStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), accountRecord("bob"))
      ada = await accountId(store, "ada")
      bob = await accountId(store, "bob")
    })
    afterEach(() => store.close())

    const event = (keyId: string, changes: Partial<KeyEvent> = {}): KeyEvent => ({
      accountId: ada,
      keyId,
      keyName: "Anahtar 🔑",
      action: "created",
      at: "2026-06-01T08:00:00Z",
      from: "192.0.2.0/24",
      ...changes,
    })
    const listedIds = async (account: number, limit: number) =>
      (await store.keyEvents.list(account, limit)).map(({ keyId }) => keyId)

    test("keeps every action as it was told, also of keys the store does not hold", async () => {
      const events = keyActions.map((action) => event("key_gone", { action, from: "operator" }))
      for (const each of events) await store.keyEvents.insert(each)
      expect(await store.keyEvents.list(ada, 10)).toEqual(events.toReversed())
    })

    test("lists the newest first, those of one second by their order, at most so many", async () => {
      for (const keyId of ["key_1", "key_2", "key_3", "key_4"]) {
        await store.keyEvents.insert(event(keyId))
      }
      expect(await listedIds(ada, 10)).toEqual(["key_4", "key_3", "key_2", "key_1"])
      expect(await listedIds(ada, 2)).toEqual(["key_4", "key_3"])
    })

    test("keeps accounts apart", async () => {
      await store.keyEvents.insert(event("key_1"))
      await store.keyEvents.insert(event("key_2", { accountId: bob }))
      expect([await listedIds(ada, 10), await listedIds(bob, 10)]).toEqual([["key_1"], ["key_2"]])
    })

    test("loses the events with their account", async () => {
      await store.keyEvents.insert(event("key_1"))
      await put(store, { type: "deleted account", username: "ada" })
      expect(await store.keyEvents.list(ada, 10)).toEqual([])
    })
  })
