import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { ChangedKeys } from "../../../src/domain/keys/api-key.ts"
import type { Store } from "../../../src/domain/store.ts"
import { accountId, accountRecord, keyRecord, put } from "../store-records.ts"
import { until } from "../until.ts"

const at = "2026-06-15T12:00:00Z"

/** Two stores over the same data, as in two servers. */
export const keyChangesContract = (adapter: string, openTwo: () => Promise<[Store, Store]>) =>
  describe(`KeyChanges on ${adapter}`, () => {
    let ours: Store
    let theirs: Store
    let told: ChangedKeys[]
    beforeEach(async () => {
      ;[ours, theirs] = await openTwo()
      await put(ours, accountRecord("ada"))
      const ada = await accountId(ours, "ada")
      await ours.keys.insert(keyRecord("key_1", { accountId: ada }))
      await until(() => (ours.keyChanges.catchUp() ? true : undefined))
      told = []
      ours.keyChanges.watch((changed) => told.push(changed))
    })
    afterEach(async () => {
      await ours.close()
      await theirs.close()
    })

    /** Whether a cached key_1 would have been dropped by now. */
    const isTold = () => told.some((changed) => changed === "all" || changed.includes("key_1"))

    const untilTold = () => until(() => (ours.keyChanges.catchUp() && isTold() ? true : undefined))

    test("tells nothing while no key changes", async () => {
      await theirs.preferences.putLocale(await accountId(ours, "ada"), "tr")
      await until(() => (ours.keyChanges.catchUp() ? true : undefined))
      expect(told).toEqual([])
    })

    test("tells what this store changes before anybody can look", async () => {
      await ours.keys.revoke("key_1", at)
      ours.keyChanges.catchUp()
      expect(isTold()).toBe(true)
    })

    test("tells what another changes, soon", async () => {
      await theirs.keys.revoke("key_1", at)
      await untilTold()
    })

    test("tells of keys that go with their account, and of replaced ones", async () => {
      await theirs.keys.replace("key_1", at, {
        ...keyRecord("key_2", { accountId: await accountId(ours, "ada") }),
      })
      await untilTold()
      told = []
      await put(theirs, { type: "deleted account", username: "ada" })
      await untilTold()
    })

    test("tells of a suspension and of its end, by another's command or feed", async () => {
      const ada = await accountId(ours, "ada")
      for (const isSuspended of [true, false]) {
        told = []
        await theirs.accounts.setSuspended(ada, isSuspended)
        await untilTold()
      }
      told = []
      await put(theirs, accountRecord("ada", undefined, true))
      await untilTold()
    })

    test("has no copy to ask where there is none", () =>
      expect(ours.keyChanges.findCopy(new Uint8Array(32))).rejects.toThrow())
  })
