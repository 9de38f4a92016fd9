import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Store } from "../../../src/domain/store.ts"
import type {
  KeySighting,
  KeyUsage,
  UsageCount,
  UsageDay,
  UsageGrouping,
} from "../../../src/domain/usage/usage.ts"
import {
  daySeconds,
  lastDays,
  lastRange,
  secondsAfter,
} from "../../../src/domain/values/time/timestamp.ts"
import { runs } from "../../harness/tier.ts"
import {
  accountId,
  accountRecord,
  addUsage,
  keyRecord,
  type OpenEmpty,
  openWithAuthors,
  put,
} from "../store-records.ts"

const now = "2026-06-30T12:30:00Z"
const days = lastDays(now, 30)
const range = lastRange(now, 30)
const hourAgo = (hours: number) =>
  `${new Date(Date.parse(now) - hours * 3_600_000).toISOString().slice(0, 13)}:00:00Z`
const daysLater = (at: string, count: number) => secondsAfter(new Date(at), count * daySeconds)

const count = (calls: number, changes: Partial<UsageCount> = {}): UsageCount => ({
  keyId: "key_1",
  operation: "validate_purchase",
  outcome: "ok",
  hour: hourAgo(0),
  calls,
  ...changes,
})
const sighting = (changes: Partial<KeySighting> = {}): KeySighting => ({
  keyId: "key_1",
  network: "192.0.2.0/24",
  lastUsedAt: now,
  ...changes,
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
      await store.keys.insert(keyRecord("key_bob", { accountId: bob }))
    })
    afterEach(() => store.close())

    /** As the list says it, and the look-up of each key too. */
    async function byKey(account = ada, at = now): Promise<readonly KeyUsage[]> {
      const ids = (await store.keys.list(account)).map(({ id }) => id).toSorted()
      const listed = await store.usage.listByKeys(ids, at)
      const found = await Promise.all(ids.map((id) => store.usage.findByKey(id, at)))
      const used = found.filter((usage) => usage !== null)
      expect(used).toEqual(listed.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1)))
      return used
    }
    const usedDays = async (account = ada, at = now) =>
      (await store.usage.listByDay(account, lastRange(at, 30))).filter(
        ({ ok, refused, failed }) => ok + refused + failed > 0,
      )
    /** Uses batches so small that most end in the middle of a key. Returns how many there were. */
    const thin = async (at: string, rowsMax = 7): Promise<number> => {
      let batches = 1
      let after = await store.counts.thin(at, "", rowsMax)
      for (; after !== null; batches += 1) after = await store.counts.thin(at, after, rowsMax)
      return batches
    }
    const day = (name: string, calls: Partial<UsageDay> = {}): UsageDay => ({
      day: name,
      ok: 0,
      refused: 0,
      failed: 0,
      ...calls,
    })
    const perDay = (calls: Readonly<Record<string, number>>) => days.map((name) => calls[name] ?? 0)

    test("has no keys and 30 empty days for an account that was never asked for", async () => {
      expect(await store.usage.listByKeys(["key_1", "unknown"], now)).toEqual([])
      expect(await store.usage.listByKeys([], now)).toEqual([])
      expect(await store.usage.listByDay(ada, range)).toEqual(days.map((name) => day(name)))
    })

    test("counts the days of a range, its first and last included", async () => {
      const hours = ["2026-06-09T23", "2026-06-10T00", "2026-06-11T23", "2026-06-12T00"]
      await addUsage(
        store,
        hours.map((hour, nth) => count(10 ** nth, { hour: `${hour}:00:00Z` })),
        [sighting()],
      )
      const some = { from: "2026-06-10", to: "2026-06-11" }
      const expected = [day("2026-06-10", { ok: 10 }), day("2026-06-11", { ok: 100 })]
      const asked = async () => [
        await store.usage.listByDay(ada, some),
        (await store.usage.readDetails("key_1", some, now, 10)).days,
      ]
      expect(await asked()).toEqual([expected, expected])
      // Then they are no longer hours.
      await thin(now)
      expect(await asked()).toEqual([expected, expected])
    })

    test("leaves test keys out of the days, and in among the keys", async () => {
      await store.keys.insert(keyRecord("key_test", { accountId: ada, kind: "tk" }))
      const outcomes = ["ok", "unavailable", "unknown_code"] as const
      const tried = outcomes.map((outcome) => count(5, { keyId: "key_test", outcome }))
      await addUsage(store, [count(2), ...tried], [sighting({ keyId: "key_test" })])
      expect(await usedDays()).toEqual([day("2026-06-30", { ok: 2 })])
      expect((await byKey()).map(({ keyId, callsLastDay }) => [keyId, callsLastDay])).toEqual([
        ["key_test", 15],
      ])
    })

    test("adds to what is there", async () => {
      await addUsage(store, [count(2), count(3, { outcome: "unknown_code" })], [sighting()])
      await addUsage(store, [count(5), count(7, { operation: "read_item" })], [])
      expect(await usedDays()).toEqual([day("2026-06-30", { ok: 14, refused: 3 })])
    })

    test("says who used a key and for what, of this key alone, test keys too", async () => {
      await store.keys.insert(keyRecord("key_test", { accountId: ada, kind: "tk" }))
      const weekAgo = daysLater(now, -7)
      await addUsage(
        store,
        [
          count(2, { keyId: "key_test" }),
          count(3, { keyId: "key_test", hour: hourAgo(24), outcome: "unknown_code" }),
          count(5, { keyId: "key_test", operation: "list_items", outcome: "unavailable" }),
          count(7, { keyId: "key_test", hour: "2026-05-31T23:00:00Z" }),
          count(11),
        ],
        [
          sighting({ keyId: "key_test", network: "198.51.1.0/24", lastUsedAt: weekAgo }),
          sighting({ keyId: "key_test", network: "198.51.2.0/24" }),
          sighting({ keyId: "key_test", network: "198.51.3.0/24", lastUsedAt: hourAgo(200) }),
          sighting(),
        ],
      )
      expect(await store.usage.readDetails("key_test", range, now, 10)).toEqual({
        days: days.map((name) => {
          if (name === "2026-06-30") return day(name, { ok: 2, failed: 5 })
          return day(name, name === "2026-06-29" ? { refused: 3 } : {})
        }),
        operations: [
          { operation: "list_items", ok: 0, refused: 0, failed: 5 },
          { operation: "validate_purchase", ok: 2, refused: 3, failed: 0 },
        ],
        networks: [
          { network: "198.51.2.0/24", lastUsedAt: now, operations: [], isEstimate: false },
          { network: "198.51.1.0/24", lastUsedAt: weekAgo, operations: [], isEstimate: false },
        ],
        items: [],
        otherItemCalls: 0,
      })
      const { networks } = await store.usage.readDetails("key_test", range, now, 1)
      expect(networks.map(({ network }) => network)).toEqual(["198.51.2.0/24"])
    })

    test("says nothing of a key that was never used", async () => {
      expect(await store.usage.readDetails("key_1", range, now, 10)).toEqual({
        days: days.map((name) => day(name)),
        operations: [],
        networks: [],
        items: [],
        otherItemCalls: 0,
      })
    })

    test("tells codes that are not valid from errors", async () => {
      await addUsage(
        store,
        [
          count(1, { outcome: "unknown_code" }),
          count(2, { outcome: "revoked_code" }),
          count(4, { outcome: "missing_parameter" }),
          count(8, { outcome: "unavailable" }),
          count(16, { outcome: "rate_limited" }),
          count(32),
          count(64, { outcome: "site_limit" }),
        ],
        [sighting()],
      )
      expect(await usedDays()).toEqual([day("2026-06-30", { ok: 32, refused: 67, failed: 28 })])
    })

    test("counts valid codes, of real keys and the last seven days", async () => {
      await store.keys.insert(keyRecord("key_test", { accountId: ada, kind: "tk" }))
      expect(await store.usage.countValidCodes(ada, now)).toBe(0)
      await addUsage(
        store,
        [
          ...[
            count(1),
            count(2, { outcome: "unknown_code" }),
            count(4, { outcome: "revoked_code" }),
          ],
          ...[count(8, { outcome: "unavailable" }), count(16, { outcome: "missing_parameter" })],
          ...[count(32, { operation: "read_item" }), count(64, { keyId: "key_test" })],
          ...[
            count(128, { hour: "2026-06-24T00:00:00Z" }),
            count(256, { hour: "2026-06-23T23:00:00Z" }),
          ],
        ],
        [],
      )
      expect(await store.usage.countValidCodes(ada, now)).toBe(129)
      expect(await store.usage.countValidCodes(bob, now)).toBe(0)
    })

    test("says of each used key when, how much, and from how many networks", async () => {
      await addUsage(
        store,
        [
          count(1),
          count(10, { hour: hourAgo(23) }),
          count(100, { hour: hourAgo(24) }),
          count(1_000, { hour: "2026-06-01T00:00:00Z" }),
          count(10_000, { hour: "2026-05-31T23:00:00Z" }),
          count(5, { keyId: "key_2" }),
        ],
        [
          sighting({ lastUsedAt: "2026-06-30T12:29:58Z" }),
          sighting({ network: "198.51.100.0/24", lastUsedAt: "2026-06-23T12:30:00Z" }),
          sighting({ network: "203.0.113.0/24", lastUsedAt: "2026-06-23T12:29:59Z" }),
          sighting({ keyId: "key_2", lastUsedAt: "2026-06-30T11:00:00Z" }),
        ],
      )
      expect(await byKey()).toEqual([
        {
          keyId: "key_1",
          lastUsedAt: "2026-06-30T12:29:58Z",
          callsLastDay: 11,
          callsLast30Days: 1_111,
          networks: 2,
          days: perDay({ "2026-06-30": 1, "2026-06-29": 110, "2026-06-01": 1_000 }),
        },
        {
          keyId: "key_2",
          lastUsedAt: "2026-06-30T11:00:00Z",
          callsLastDay: 5,
          callsLast30Days: 5,
          networks: 1,
          days: perDay({ "2026-06-30": 5 }),
        },
      ])
    })

    test("never moves the last use back", async () => {
      await addUsage(store, [count(1)], [sighting({ lastUsedAt: "2026-06-30T12:00:00Z" })])
      await addUsage(store, [count(1)], [sighting({ lastUsedAt: "2026-06-30T11:00:00Z" })])
      expect((await byKey()).map(({ lastUsedAt }) => lastUsedAt)).toEqual(["2026-06-30T12:00:00Z"])
    })

    test("keeps accounts apart", async () => {
      await addUsage(
        store,
        [count(1), count(2, { keyId: "key_bob" })],
        [sighting(), sighting({ keyId: "key_bob" })],
      )
      expect([await usedDays(ada), await usedDays(bob)]).toEqual([
        [day("2026-06-30", { ok: 1 })],
        [day("2026-06-30", { ok: 2 })],
      ])
      expect((await byKey(bob)).map(({ keyId, callsLastDay }) => [keyId, callsLastDay])).toEqual([
        ["key_bob", 2],
      ])
    })

    test("keeps the rest when one key is gone by the time its counts are written", async () => {
      const gone = { keyId: "key_gone" }
      await addUsage(store, [count(1, gone), count(2)], [sighting(gone), sighting()])
      expect(await usedDays()).toEqual([day("2026-06-30", { ok: 2 })])
    })

    test("adds all or nothing", async () => {
      const noNumber = count(1.5, { outcome: "unknown_code" })
      await expect(addUsage(store, [count(1), noNumber], [sighting()])).rejects.toThrow()
      expect([await usedDays(), await byKey()]).toEqual([[], []])
    })

    test("loses the numbers with their account", async () => {
      await addUsage(store, [count(1)], [sighting()])
      await put(store, { type: "deleted account", username: "ada" })
      expect([await usedDays(), await byKey()]).toEqual([[], []])
    })

    test("thinning changes no number that a page shows, however often", async () => {
      const hours = Array.from({ length: 30 * 24 }, (_, hours) => hours)
      await addUsage(
        store,
        hours.map((hours) => count(hours + 1, { hour: hourAgo(hours) })),
        hours.map((hours) =>
          sighting({ network: `10.${hours >> 8}.${hours & 255}.0/24`, lastUsedAt: hourAgo(hours) }),
        ),
      )
      const before = [await byKey(), await store.usage.listByDay(ada, range)]
      for (let round = 0; round < 3; round++) await thin(now)
      expect([await byKey(), await store.usage.listByDay(ada, range)]).toEqual(before)
    })

    test("thinning goes on in small batches until nothing is left to thin", async () => {
      const old = Array.from({ length: 100 }, (_, index) => hourAgo(240 + index))
      await addUsage(
        store,
        old.map((hour) => count(1, { hour })),
        [],
      )
      // Ten batches of ten hours each, one that finds none left, and one that finds no more keys.
      expect([await thin(now, 10), await thin(now, 10)]).toEqual([12, 2])
    })

    test("thinning adds calls that are told late to the day they belong to", async () => {
      const old = "2026-06-10T08:00:00Z"
      for (const calls of [1, 2, 4]) {
        await addUsage(store, [count(calls, { hour: old })], [sighting()])
        await thin(now)
      }
      await addUsage(store, [count(8, { hour: old })], [])
      expect(await usedDays()).toEqual([day("2026-06-10", { ok: 15 })])
    })

    test("thinning forgets a day after 400 of them, not before", async () => {
      await addUsage(store, [count(7)], [sighting()])
      await thin(daysLater(now, 400))
      expect(await usedDays()).toEqual([day("2026-06-30", { ok: 7 })])
      await thin(daysLater(now, 401))
      expect(await usedDays()).toEqual([])
    })

    test("thinning keeps when a key was last used, however long ago", async () => {
      const older = sighting({ network: "198.51.100.0/24", lastUsedAt: "2026-06-29T00:00:00Z" })
      await addUsage(store, [count(7)], [older, sighting()])
      await thin(daysLater(now, 1_000))
      expect(await byKey(ada, daysLater(now, 1_000))).toEqual([
        {
          keyId: "key_1",
          lastUsedAt: now,
          callsLastDay: 0,
          callsLast30Days: 0,
          networks: 0,
          days: Array.from({ length: 30 }, () => 0),
        },
      ])
    })

    test("adding and thinning within 30 days, in any order, loses and invents no call", async () => {
      const outcome = fc.constantFrom("ok", "unknown_code", "unavailable")
      const add = fc.record({
        kind: fc.constant("add" as const),
        // Often on the same few days, before and behind the week, so that hours meet their day.
        hours: fc.oneof(fc.nat({ max: 30 * 24 - 12 }), fc.constantFrom(150, 240, 241, 250)),
        outcome,
        operation: fc.constantFrom("read_account", "validate_purchase"),
        calls: fc.integer({ min: 1, max: 1_000 }),
      })
      const thinning = fc.record({
        kind: fc.constant("thin" as const),
        hours: fc.oneof(fc.nat({ max: 30 * 24 }), fc.constantFrom(0, 24)),
      })
      let authors = 0
      await fc.assert(
        fc.asyncProperty(fc.array(fc.oneof(add, thinning), { maxLength: 12 }), async (steps) => {
          const username = `author ${++authors}`
          const keyId = `key of ${username}`
          await put(store, accountRecord(username))
          const account = await accountId(store, username)
          await store.keys.insert(keyRecord(keyId, { accountId: account, username }))
          const expected = new Map(days.map((name) => [name, day(name)]))
          for (const step of steps) {
            const hour = hourAgo(step.hours)
            if (step.kind === "thin") {
              await thin(hour)
              continue
            }
            const { operation, outcome, calls } = step
            await addUsage(store, [{ keyId, operation, outcome, hour, calls }], [])
            const total = expected.get(hour.slice(0, 10)) ?? day("")
            const group = { ok: "ok", unknown_code: "refused", unavailable: "failed" } as const
            const column = group[outcome]
            expected.set(total.day, { ...total, [column]: total[column] + calls })
          }
          expect(await store.usage.listByDay(account, range)).toEqual([...expected.values()])
        }),
        { numRuns: runs(60) },
      )
    })

    test("says when each of these keys was last used", async () => {
      const earlier = sighting({ network: "198.51.100.0/24", lastUsedAt: hourAgo(5) })
      await addUsage(store, [], [sighting(), earlier, sighting({ keyId: "key_bob" })])
      expect(await store.usage.listLastUses(["key_2", "key_1", "key_none"])).toEqual([
        { keyId: "key_1", lastUsedAt: now },
      ])
      expect(await store.usage.listLastUses([])).toEqual([])
    })

    describe("totals of all accounts", () => {
      const totals = async (by: UsageGrouping, since = hourAgo(24), limit = 10) =>
        (await store.usage.listTotals(by, since, limit)).map(
          ({ group, isTest, ok, refused, failed }) => [group, isTest, ok, refused, failed],
        )
      const ofBob = { keyId: "key_bob", operation: "read_item" } as const
      const testCall = { keyId: "key_test", outcome: "unavailable" } as const
      beforeEach(async () => {
        await store.keys.insert(keyRecord("key_test", { accountId: ada, kind: "tk", name: "Try" }))
        const refusals = [
          count(4, { outcome: "unknown_code" }),
          count(3, { outcome: "rate_limited" }),
        ]
        const counts = [count(9), ...refusals, count(20, ofBob), count(2, testCall)]
        await addUsage(store, counts, [])
      })

      test("by key, with its account, kind and name; the most used first", async () => {
        expect(await store.usage.listTotals("key", hourAgo(24), 10)).toEqual([
          {
            group: "key_bob",
            isTest: false,
            ok: 20,
            refused: 0,
            failed: 0,
            key: { username: "bob", kind: "sk", name: "Anahtar" },
          },
          {
            group: "key_1",
            isTest: false,
            ok: 9,
            refused: 7,
            failed: 0,
            key: { username: "ada", kind: "sk", name: "Anahtar" },
          },
          {
            group: "key_test",
            isTest: true,
            ok: 0,
            refused: 0,
            failed: 2,
            key: { username: "ada", kind: "tk", name: "Try" },
          },
        ])
        expect(await totals("key", hourAgo(24), 1)).toEqual([["key_bob", false, 20, 0, 0]])
      })

      test("by account, operation and reason, with test keys apart", async () => {
        expect(await totals("account")).toEqual([
          ["bob", false, 20, 0, 0],
          ["ada", false, 9, 7, 0],
          ["ada", true, 0, 0, 2],
        ])
        expect(await totals("operation")).toEqual([
          ["read_item", false, 20, 0, 0],
          ["validate_purchase", false, 9, 7, 0],
          ["validate_purchase", true, 0, 0, 2],
        ])
        expect(await totals("reason")).toEqual([
          ["ok", false, 29, 0, 0],
          ["unknown_code", false, 0, 4, 0],
          ["rate_limited", false, 0, 3, 0],
          ["unavailable", true, 0, 0, 2],
        ])
        expect((await store.usage.listTotals("account", now, 1))[0]?.key).toBeNull()
      })

      test("from the hour of `since` on, and by whole days where hours have become days", async () => {
        await addUsage(store, [count(100, { hour: hourAgo(2) })], [])
        await addUsage(store, [count(1_000, { hour: hourAgo(9 * 24) })], [])
        await addUsage(store, [count(5_000, { hour: hourAgo(10 * 24) })], [])
        const sinceHours = async (hours: number) => (await totals("reason", hourAgo(hours)))[0]?.[2]
        const all = [await sinceHours(1), await sinceHours(2), await sinceHours(9 * 24)]
        expect(all).toEqual([29, 129, 1_129])
        await thin(now)
        expect(await sinceHours(2)).toBe(129)
        expect(await sinceHours(9 * 24 - 6)).toBe(1_129)
      })
    })
  })
