import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  addUsage,
  keyRecord,
  type OpenEmpty,
  openWithAuthors,
  put,
} from "../../tests/harness/stores/store-records.ts"
import { daySeconds, formatTimestamp, lastDays, lastRange, secondsAfter } from "../platform/time.ts"
import type { Store } from "../store/store.ts"
import {
  callsOf,
  ipRangesMax,
  type KeyCount,
  type KeyIpRange,
  type KeyUsage,
  noCalls,
  summarizeDays,
  summarizeOperations,
  type UsageCount,
  type UsageDay,
  withoutTestKeys,
} from "./usage.ts"

const now = "2026-06-30T12:30:00Z"
const today = "2026-06-30"
const days = lastDays(now, 30)
const range = lastRange(now, 30)
const daysLater = (count: number) => secondsAfter(new Date(now), count * daySeconds)

const count = (calls: number, changes: Partial<UsageCount> = {}): UsageCount => ({
  keyId: "key_1",
  day: today,
  operation: "validate_purchase",
  outcome: "ok",
  calls,
  ...changes,
})
const ipRange = (changes: Partial<KeyIpRange> = {}): KeyIpRange => ({
  keyId: "key_1",
  ipRange: "192.0.2.0/24",
  lastDay: today,
  ...changes,
})
const lastUse = (keyId = "key_1", lastUsedAt = now) => ({ keyId, lastUsedAt })
const day = (name: string, calls: Partial<UsageDay> = {}): UsageDay => ({
  day: name,
  ok: 0,
  invalidCodes: 0,
  clientErrors: 0,
  serverErrors: 0,
  ...calls,
})

export const usageStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`UsageStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
      await store.keys.insert(keyRecord("key_1", { accountId: ada }))
      await store.keys.insert(keyRecord("key_2", { accountId: ada }))
      await store.keys.insert(keyRecord("key_test", { accountId: ada, kind: "tk" }))
      await store.keys.insert(keyRecord("key_bob", { accountId: bob }))
    })
    afterEach(() => store.close())

    /** Returns the list, after comparing it with the lookup of each key. */
    async function byKey(account = ada, at = now): Promise<readonly KeyUsage[]> {
      const ids = (await store.keys.list(account)).map(({ id }) => id).toSorted()
      const listed = await store.usage.listByKeys(ids, at)
      const found = await Promise.all(ids.map((id) => store.usage.findByKey(id, at)))
      const used = found.filter((usage) => usage !== null)
      expect(used).toEqual(listed.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1)))
      return used
    }
    const daysOf = async (account: number, some = range) =>
      summarizeDays(some, withoutTestKeys(await store.usage.list(account, some, null)))
    const usedDays = async (account = ada) =>
      (await daysOf(account)).filter((day) => callsOf(day) > 0)
    async function thin(at: string): Promise<void> {
      let after: string | null = ""
      while (after !== null) after = await store.counts.prune(at, after, 7)
    }

    test("has no keys and 30 empty days for an unused account", async () => {
      expect(await store.usage.listByKeys(["key_1", "unknown"], now)).toEqual([])
      expect(await store.usage.listByKeys([], now)).toEqual([])
      expect(await store.usage.listLastUses(["key_1"])).toEqual([])
      expect(await daysOf(ada)).toEqual(days.map((name) => day(name)))
      expect(await store.usage.list(ada, range, "key_1")).toEqual([])
      expect(await store.usage.listIpRanges("key_1", now)).toEqual([])
    })

    test("counts the days of a range, first and last day included", async () => {
      const counted = ["2026-06-09", "2026-06-10", "2026-06-11", "2026-06-12"]
      await addUsage(store, {
        calls: counted.map((name, nth) => count(10 ** nth, { day: name })),
      })
      const some = { from: "2026-06-10", to: "2026-06-11" }
      const expected = [day("2026-06-10", { ok: 10 }), day("2026-06-11", { ok: 100 })]
      expect(await daysOf(ada, some)).toEqual(expected)
      expect((await store.usage.listOfAll(some)).map(({ calls }) => calls)).toEqual([10, 100])
    })

    test("adds to existing counts by key, day, operation and outcome", async () => {
      await addUsage(store, { calls: [count(2), count(3, { outcome: "unknown_code" })] })
      await addUsage(store, { calls: [count(5), count(7, { operation: "read_item" })] })
      await addUsage(store, { calls: [count(11, { keyId: "key_2" })] })
      expect(await usedDays()).toEqual([day(today, { ok: 25, invalidCodes: 3 })])
      expect(summarizeOperations(await store.usage.list(ada, range, "key_1"))).toEqual([
        { operation: "read_item", ...noCalls, ok: 7 },
        { operation: "validate_purchase", ...noCalls, ok: 7, invalidCodes: 3 },
      ])
    })

    test("adds any number of rows in one batch", async () => {
      const counted = lastDays(now, 250).map((name) => count(1, { day: name }))
      await addUsage(store, { calls: counted })
      await addUsage(store, { calls: counted })
      const sums = (await daysOf(ada, lastRange(now, 250))).map(({ ok }) => ok)
      expect(sums).toEqual(Array(250).fill(2))
    })

    test("excludes test keys from the days, and includes them in the list of keys", async () => {
      const outcomes = ["ok", "unavailable", "unknown_code"] as const
      const tried = outcomes.map((outcome) => count(5, { keyId: "key_test", outcome }))
      const calls = [count(2), count(4, { keyId: "key_bob" }), ...tried]
      await addUsage(store, { calls, lastUses: [lastUse("key_test")] })
      expect(await usedDays()).toEqual([day(today, { ok: 2 })])
      expect(await store.usage.listOfAll(range)).toEqual([
        { day: today, operation: "validate_purchase", outcome: "ok", calls: 6 },
      ])
      expect((await byKey()).map(({ keyId, days }) => [keyId, days.at(-1)])).toEqual([
        ["key_test", 15],
      ])
    })

    test("distinguishes invalid codes, client errors and server errors", async () => {
      const outcomes = {
        unknown_code: 1,
        revoked_code: 2,
        missing_parameter: 4,
        unavailable: 8,
        rate_limited: 16,
        ok: 32,
        site_limit: 64,
        revoked_key: 128,
      } as const
      await addUsage(store, {
        calls: Object.entries(outcomes).map(([outcome, calls]) =>
          count(calls, { outcome: outcome as keyof typeof outcomes }),
        ),
      })
      expect(await usedDays()).toEqual([
        day(today, { ok: 32, invalidCodes: 67, clientErrors: 148, serverErrors: 8 }),
      ])
    })

    test("lists requests by key, day, operation and error code, test keys included", async () => {
      const unknown = { outcome: "unknown_code" } as const
      await addUsage(store, {
        calls: [
          ...[count(1, unknown), count(2, { ...unknown, day: "2026-06-29" })],
          ...[count(4, { operation: "read_item" }), count(8, { keyId: "key_test", ...unknown })],
          ...[count(16, { day: "2026-05-31" }), count(32, { keyId: "key_bob" })],
        ],
      })
      const key = { name: "Anahtar", kind: "sk" } as const
      const expected: readonly KeyCount[] = [
        { ...count(1, unknown), ...key },
        { ...count(2, { ...unknown, day: "2026-06-29" }), ...key },
        { ...count(4, { operation: "read_item" }), ...key },
        { ...count(8, { keyId: "key_test", ...unknown }), ...key, kind: "tk" },
      ]
      const byCalls = (some: readonly KeyCount[]) => some.toSorted((a, b) => a.calls - b.calls)
      expect(byCalls(await store.usage.list(ada, range, null))).toEqual([...expected])
      expect(await store.usage.list(ada, range, "key_test")).toEqual([...expected.slice(3)])
      expect(await store.usage.list(ada, range, "key_bob")).toEqual([])
    })

    test("returns last use, calls and IP ranges of each used key", async () => {
      await addUsage(store, {
        calls: [
          ...[count(1), count(10, { day: "2026-06-01" }), count(100, { day: "2026-05-31" })],
          count(5, { keyId: "key_bob" }),
        ],
        lastUses: [lastUse(), lastUse("key_bob", "2026-06-30T11:00:00Z")],
        ipRanges: [
          ipRange({ ipRange: "198.51.100.0/24", lastDay: "2026-06-24" }),
          ipRange({ ipRange: "203.0.113.0/24", lastDay: "2026-06-23" }),
          ...[ipRange(), ipRange({ keyId: "key_bob" })],
        ],
      })
      const perDay = days.map((name) => ({ [today]: 1, "2026-06-01": 10 })[name] ?? 0)
      expect(await byKey()).toEqual([
        { keyId: "key_1", lastUsedAt: now, ipRanges: 2, days: perDay },
      ])
      expect(await store.usage.listIpRanges("key_1", now)).toEqual([
        { ipRange: "192.0.2.0/24", lastDay: today },
        { ipRange: "198.51.100.0/24", lastDay: "2026-06-24" },
      ])
      expect(await store.usage.listLastUses(["key_1", "key_2", "key_bob"])).toEqual(
        expect.arrayContaining([lastUse(), lastUse("key_bob", "2026-06-30T11:00:00Z")]),
      )
      expect([await usedDays(bob), (await byKey(bob)).length]).toEqual([[day(today, { ok: 5 })], 1])
    })

    test("never moves a last use or the day of an IP range back", async () => {
      await addUsage(store, { lastUses: [lastUse()], ipRanges: [ipRange()] })
      await addUsage(store, {
        lastUses: [lastUse("key_1", "2026-06-30T11:00:00Z")],
        ipRanges: [ipRange({ lastDay: "2026-06-29" })],
      })
      expect((await byKey()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([now])
      expect(await store.usage.listIpRanges("key_1", now)).toEqual([
        { ipRange: "192.0.2.0/24", lastDay: today },
      ])
    })

    test("writes the other counts if a key was deleted", async () => {
      const gone = { keyId: "key_gone" }
      await addUsage(store, {
        calls: [count(1, gone), count(2)],
        lastUses: [lastUse("key_gone"), lastUse()],
        ipRanges: [ipRange(gone), ipRange()],
      })
      expect(await usedDays()).toEqual([day(today, { ok: 2 })])
      expect((await byKey()).map(({ ipRanges }) => ipRanges)).toEqual([1])
    })

    test("adds all counts or none", async () => {
      const noNumber = count(1.5, { outcome: "unknown_code" })
      const calls = [count(1), noNumber]
      const failing = addUsage(store, { calls, lastUses: [lastUse()], ipRanges: [ipRange()] })
      await expect(failing).rejects.toThrow()
      expect([await usedDays(), await byKey()]).toEqual([[], []])
    })

    test("deleting an account deletes its usage", async () => {
      const today = formatTimestamp(new Date()).slice(0, 10)
      const calls = [count(1, { day: today }), count(2, { day: today, keyId: "key_bob" })]
      await addUsage(store, { calls, lastUses: [lastUse()], ipRanges: [ipRange()] })
      await put(store, { type: "deleted account", username: "ada" })
      const ipRanges = await store.usage.listIpRanges("key_1", now)
      expect([await byKey(), ipRanges]).toEqual([[], []])
      // A key with the same id would show counts that were left behind.
      await store.keys.insert(keyRecord("key_1", { accountId: bob }))
      const ofToday = { from: today, to: today }
      expect(await daysOf(bob, ofToday)).toEqual([day(today, { ok: 2 })])
      // Totals of the marketplace contain no accounts.
      expect((await store.usage.listOfAll(ofToday)).map(({ calls }) => calls)).toEqual([3])
    })

    test("deletes days after 400 days, in batches", async () => {
      const last = lastDays(now, 410).slice(0, 11)
      await addUsage(store, { calls: last.map((name) => count(1, { day: name })) })
      const forgotten = [
        await store.counts.deleteExpired(now, 6),
        await store.counts.deleteExpired(now, 6),
      ]
      expect(forgotten).toEqual([6, 4])
      const left = await store.usage.listOfAll(lastRange(now, 420))
      expect(left.map(({ day }) => day)).toEqual([last.at(-1) ?? ""])
      const kept = await daysOf(ada, lastRange(now, 420))
      expect(kept.filter((day) => callsOf(day) > 0)).toHaveLength(1)
    })

    test("pruning keeps the IP ranges of seven days, at most 50 per key, and every last use", async () => {
      const many = Array.from({ length: ipRangesMax + 20 }, (_, index) =>
        ipRange({ ipRange: `10.0.${index}.0/24`, lastDay: index < 20 ? "2026-06-29" : today }),
      )
      const old = ipRange({ keyId: "key_2", lastDay: "2026-06-23" })
      const kept = ipRange({ keyId: "key_2", ipRange: "10.0.0.0/24", lastDay: "2026-06-24" })
      await addUsage(store, {
        lastUses: [lastUse(), lastUse("key_2")],
        ipRanges: [...many, old, kept],
      })
      expect((await byKey()).map(({ ipRanges }) => ipRanges)).toEqual([ipRangesMax, 1])
      await thin(now)
      // An earlier date shows all rows that are left.
      const left = async (keyId: string) => store.usage.listIpRanges(keyId, "2026-06-01T00:00:00Z")
      expect((await left("key_1")).map(({ lastDay }) => lastDay)).toEqual(
        Array(ipRangesMax).fill(today),
      )
      expect(await left("key_2")).toEqual([{ ipRange: "10.0.0.0/24", lastDay: "2026-06-24" }])
      await thin(daysLater(1_000))
      expect((await byKey(ada, daysLater(1_000))).map(({ lastUsedAt }) => lastUsedAt)).toEqual([
        ...[now, now],
      ])
    })
  })
