import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Store } from "../../../src/domain/store.ts"
import type { UsageCount } from "../../../src/domain/usage/usage.ts"
import { addUsage, keyRecord, type OpenEmpty, openWithAuthors, put } from "../store-records.ts"

const today = "2026-06-22T12:00:00Z"
const yesterday = "2026-06-21T23:00:00Z"

export const rejectionStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`RejectionStore on ${adapter}`, () => {
    let store: Store
    let [ada, bob] = [0, 0]
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
      await store.keys.insert(keyRecord("key_1", { accountId: ada }))
      await store.keys.insert(keyRecord("key_2", { accountId: bob, kind: "vk", name: "Tema" }))
      await store.keys.insert(keyRecord("key_3", { accountId: bob, kind: "tk" }))
    })
    afterEach(() => store.close())

    const call = (
      keyId: string,
      outcome: UsageCount["outcome"],
      calls: number,
      hour = today,
    ): UsageCount => ({ keyId, operation: "validate_purchase", outcome, hour, calls })
    const add = (...counts: UsageCount[]) => addUsage(store, counts, [])
    const one = { keyId: "key_1", username: "ada", kind: "sk", name: "Anahtar" } as const
    const two = { keyId: "key_2", username: "bob", kind: "vk", name: "Tema" } as const

    test("lists the keys with the most rejected calls, each with its reasons", async () => {
      await add(call("key_1", "ok", 900), call("key_1", "unknown_code", 3))
      await add(call("key_1", "unavailable", 50), call("key_1", "rate_limited", 4))
      await add(call("key_2", "revoked_key", 2), call("key_2", "unknown_code", 10))
      await add({ ...call("key_2", "revoked_key", 20), operation: "read_item" })
      await add(call("key_3", "unknown_code", 99), call("key_gone", "unknown_code", 99))
      await add(call("key_1", "unknown_code", 1_000, yesterday))
      const ofTwo = {
        ...two,
        accountId: bob,
        calls: 32,
        reasons: [
          { reason: "revoked_key", calls: 22 },
          { reason: "unknown_code", calls: 10 },
        ],
      }
      const ofOne = (misses: number) => {
        const reasons = [
          { reason: "rate_limited", calls: 4 },
          { reason: "unknown_code", calls: misses },
        ]
        return {
          ...one,
          accountId: ada,
          calls: misses + 4,
          reasons: reasons.toSorted((a, b) => b.calls - a.calls),
        }
      }
      expect(await store.rejections.listKeys(today, 1, 5)).toEqual([ofTwo, ofOne(3)])
      expect(await store.rejections.listKeys(today, 1, 1)).toEqual([ofTwo])
      expect(await store.rejections.listKeys(today, 2, 5)).toEqual([ofOne(1_003), ofTwo])
    })

    test("calls with a key that no longer works are no use of it", async () => {
      await add(call("key_1", "revoked_key", 1), call("key_1", "expired_key", 2))
      await add(call("key_1", "account_suspended", 4), call("key_1", "key_not_allowed", 8))
      expect(await store.rejections.listKeys(today, 1, 5)).toMatchObject([{ calls: 15 }])
      const used = await store.usage.listTotals("reason", today, 5)
      expect(used.map(({ group }) => group)).toEqual(["key_not_allowed"])
    })

    test("a deleted key is no longer listed", async () => {
      await add(call("key_2", "unknown_code", 1), call("key_1", "unknown_code", 1))
      await put(store, { type: "deleted account", username: "bob" })
      expect(await store.rejections.listKeys(today, 1, 5)).toMatchObject([one])
    })

    test("lists the accounts with the most failed sign-ins", async () => {
      const addSignIns = (at: string, username: string, signIns: number, throttled = 0) =>
        store.counts.add(at, {
          signIns: [
            { username, outcome: "wrong", signIns },
            { username, outcome: "throttled", signIns: throttled },
          ],
        })
      await Promise.all([
        addSignIns(today, "ada", 2),
        addSignIns(today, "ada", 1),
        addSignIns(today, "bob", 1, 9),
        addSignIns(today, "nobody", 100),
        addSignIns(yesterday, "ada", 20),
      ])
      const ofBob = { accountId: bob, username: "bob", wrong: 1, throttled: 9 }
      expect(await store.rejections.listAccounts(today, 1, 5)).toEqual([
        ofBob,
        { accountId: ada, username: "ada", wrong: 3, throttled: 0 },
      ])
      expect(await store.rejections.listAccounts(today, 1, 1)).toEqual([ofBob])
      expect(await store.rejections.listAccounts(today, 2, 1)).toEqual([
        { accountId: ada, username: "ada", wrong: 23, throttled: 0 },
      ])
    })

    test("keeps today and yesterday, and forgets the rest in batches", async () => {
      const [old, kept] = ["2026-06-20T23:59:59Z", "2026-06-21T00:00:00Z"]
      for (const at of [old, kept]) {
        await add(call("key_1", "unknown_code", 1, at), call("key_2", "unknown_code", 1, at))
        await store.counts.add(at, { signIns: [{ username: "ada", outcome: "wrong", signIns: 1 }] })
      }
      const removed = [1, 2, 3].map(() => () => store.counts.forget(today, 1))
      const counts: number[] = []
      for (const forget of removed) counts.push(await forget())
      expect(counts).toEqual([2, 1, 0])
      expect(await store.rejections.listKeys(today, 30, 5)).toMatchObject([
        { calls: 1 },
        { calls: 1 },
      ])
      expect(await store.rejections.listAccounts(today, 30, 5)).toMatchObject([{ wrong: 1 }])
    })
  })
