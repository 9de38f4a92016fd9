import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Store } from "../../../src/domain/store.ts"
import { type OpenEmpty, openWithAuthors, put } from "../store-records.ts"

export const preferenceStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`PreferenceStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
    })
    afterEach(() => store.close())

    test("returns null if nothing was chosen", async () => {
      await store.preferences.putLocale(bob, "tr")
      expect(await store.preferences.findLocale(ada)).toBeNull()
    })

    test("returns the last choice of each account", async () => {
      await store.preferences.putLocale(ada, "tr")
      await store.preferences.putLocale(bob, "tr")
      await store.preferences.putLocale(ada, "en")
      const chosen = [ada, bob].map((account) => store.preferences.findLocale(account))
      expect(await Promise.all(chosen)).toEqual(["en", "tr"])
    })

    test("deletes the choice with its account", async () => {
      await store.preferences.putLocale(ada, "tr")
      await put(store, { type: "deleted account", username: "ada" })
      expect(await store.preferences.findLocale(ada)).toBeNull()
    })
  })
