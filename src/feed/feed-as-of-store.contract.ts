import { afterEach, beforeEach, describe, expect, setSystemTime, test } from "bun:test"
import {
  accountId,
  accountRecord,
  importedKeyRecord,
  itemRecord,
  type OpenEmpty,
  purchaseRecord,
  put,
  withoutLimits,
} from "../../tests/harness/stores/store-records.ts"
import { message } from "../platform/problem.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { Store } from "../store/store.ts"
import { standardLimits } from "./batch.ts"
import type { FeedRecord, Verdict } from "./feed-record.ts"
import { emptyOutcome } from "./import-run.ts"

/** Puts each record with this timestamp. */
const at = (ms: number, ...records: FeedRecord[]): FeedRecord[] =>
  records.map((record) => ({ ...record, asOf: { ms, isArrival: false } }))
/** Puts each record as in a push that arrived at this time. */
const pushed = (ms: number, ...records: FeedRecord[]): FeedRecord[] =>
  records.map((record) => ({ ...record, asOf: { ms, isArrival: true } }))

const old = '{"state":"old"}'
const fresh = '{"state":"new"}'
/** One record of each type. */
const oldStates = [
  accountRecord("ada", old),
  itemRecord("ada", 7, false),
  purchaseRecord("abc", 7, false),
]
const newStates = [
  accountRecord("ada", fresh),
  itemRecord("ada", 7, true),
  purchaseRecord("abc", 7, true),
]
const deletions: FeedRecord[] = [
  { type: "deleted purchase", code: "abc" },
  { type: "deleted item", id: 7 },
  { type: "deleted account", username: "ada" },
]
const taken = [null, null, null]
const outdated: Verdict[] = ["outdated", "outdated", "outdated"]

export const feedAsOfContract = (adapter: string, open: OpenEmpty) =>
  describe(`timestamps of a feed on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    /** Returns the states of the stored ones of the three records. */
    async function look() {
      const account = await store.accounts.findByUsername("ada")
      if (account === null) return []
      const item = await store.items.find(account.id, 7)
      const [purchase] = await store.purchases.listByCode(account.id, "abc")
      return [account.body, item?.isHidden, purchase?.isRevoked]
    }
    const asOld = [old, false, false]
    const asNew = [fresh, true, true]

    test("an older state does not replace a newer one, and a newer one does", async () => {
      await put(store, ...at(20, ...newStates))
      expect(await put(store, ...at(10, ...oldStates))).toEqual(outdated)
      expect(await look()).toEqual(asNew)
      expect(await put(store, ...at(30, ...oldStates))).toEqual(taken)
      expect(await look()).toEqual(asOld)
    })

    test("the last of two states with the same timestamp wins", async () => {
      await put(store, ...at(20, ...oldStates))
      expect(await put(store, ...at(20, ...newStates))).toEqual(taken)
      expect(await look()).toEqual(asNew)
    })

    test("an unchanged state gets the newer timestamp", async () => {
      await put(store, ...at(10, ...newStates))
      await put(store, ...at(30, ...newStates))
      expect(await put(store, ...at(20, ...oldStates))).toEqual(outdated)
      expect(await look()).toEqual(asNew)
    })

    test("a record without a timestamp replaces any state and has the current time", async () => {
      const before = Date.now() - 60_000
      await put(store, ...at(before, ...newStates))
      expect(await put(store, ...oldStates)).toEqual(taken)
      expect(await look()).toEqual(asOld)
      expect(await put(store, ...at(before + 1, ...newStates))).toEqual(outdated)
    })

    test("so does a push with any clock, even if it changes nothing", async () => {
      await put(store, ...at(30, ...newStates))
      expect(await put(store, ...pushed(20, ...oldStates))).toEqual(taken)
      expect(await put(store, ...at(29, ...newStates))).toEqual(outdated)
      await put(store, ...pushed(50, ...oldStates))
      expect(await put(store, ...at(40, ...newStates))).toEqual(outdated)
      expect(await look()).toEqual(asOld)
    })

    test("a deleted record is restored by a newer state only", async () => {
      await put(store, ...at(10, ...oldStates))
      expect(await put(store, ...at(30, ...deletions))).toEqual(taken)
      expect(await put(store, ...at(20, ...newStates))).toEqual(outdated)
      expect(await look()).toEqual([])
      expect(await put(store, ...at(40, ...newStates))).toEqual(taken)
      expect(await put(store, ...at(35, ...deletions))).toEqual(outdated)
      expect(await look()).toEqual(asNew)
    })

    test("a deletion of a missing record is remembered", async () => {
      await put(store, ...pushed(30, ...deletions))
      expect(await put(store, ...at(20, ...oldStates))).toEqual(outdated)
      expect(await look()).toEqual([])
    })

    test("an older patch changes nothing", async () => {
      await put(store, ...at(20, ...oldStates))
      const patch = { type: "patched purchase", code: "abc", isRevoked: true, fields: {} } as const
      expect(await put(store, ...at(10, patch))).toEqual(["outdated"])
      expect(await look()).toEqual(asOld)
    })

    test("an older state does not restore a suspension that an operator has ended", async () => {
      const suspended = accountRecord("ada", old, true)
      await put(store, ...at(10, suspended))
      await store.accounts.setSuspended(await accountId(store, "ada"), false, new Date())
      expect(await put(store, ...at(20, suspended))).toEqual(["outdated"])
      expect((await store.accounts.findByUsername("ada"))?.isSuspended).toBe(false)
    })

    test("expired tombstones are deleted in batches", async () => {
      await put(store, ...at(10, ...deletions.slice(0, 2)), ...at(20, ...deletions.slice(2)))
      expect(await store.feed.deleteOldTombstones(20, 1)).toBe(1)
      expect(await store.feed.deleteOldTombstones(20, 10)).toBe(1)
      expect(await store.feed.deleteOldTombstones(20, 10)).toBe(0)
      expect(await put(store, ...at(5, accountRecord("ada"), accountRecord("bob")))).toEqual([
        "outdated",
        null,
      ])
    })

    describe("after a clock that was three days ahead", () => {
      const days = 86_400_000
      afterEach(() => {
        setSystemTime()
      })
      async function whileAhead(work: () => Promise<unknown>) {
        setSystemTime(Date.now() + 3 * days)
        await work()
        setSystemTime()
      }
      const recently = (...records: FeedRecord[]) => at(Date.now() - 5_000, ...records)

      test("newer states are imported, and report how far the clock was ahead", async () => {
        await whileAhead(() => put(store, ...at(Date.now(), ...oldStates)))
        const writer = await store.feed.openBatches({
          source: "test",
          via: "file",
          limits: withoutLimits,
        })
        expect(await writer.put(new Date(), recently(...newStates), 1)).toEqual(taken)
        const { ahead } = writer.countChanges()
        expect(ahead.records).toBe(3)
        expect(Math.round(ahead.ms / days)).toBe(3)
        expect(await look()).toEqual(asNew)
        // Their timestamps are correct afterwards.
        expect(await put(store, ...at(Date.now() - days, ...oldStates))).toEqual(outdated)
        expect(await put(store, ...recently(...oldStates))).toEqual(taken)
      })

      test("deleted records are restored, pending ones are replaced, and a rename is imported", async () => {
        await put(store, ...oldStates)
        await whileAhead(() =>
          put(store, ...at(Date.now(), ...deletions, purchaseRecord("pending", 9))),
        )
        expect(await put(store, ...recently(...oldStates))).toEqual(taken)
        expect(await put(store, ...recently(purchaseRecord("pending", 7)))).toEqual([null])
        await whileAhead(() => put(store, ...at(Date.now(), accountRecord("ada", fresh))))
        const was = "ada"
        const record = { ...accountRecord("eda"), was } as FeedRecord
        expect(await put(store, ...recently(record))).toEqual([null])
      })

      test("a full sync deletes the records it does not contain, and keeps the others", async () => {
        await whileAhead(() =>
          put(store, ...at(Date.now(), ...oldStates, purchaseRecord("gone", 7))),
        )
        const begunMs = Date.now() - 5_000
        const writer = await store.feed.openBatches({ source: "test", via: "file" })
        await writer.put(new Date(), at(begunMs, ...oldStates), 1)
        expect((await writer.removeOlder(new Date(), begunMs)).removed).toBe(1)
        expect(await look()).toEqual(asOld)
      })
      test("a push of seconds ago with the clock of another node is kept", async () => {
        await put(store, ...oldStates)
        setSystemTime(Date.now() + 10_000)
        await put(store, ...pushed(Date.now(), ...newStates))
        setSystemTime()
        expect(await put(store, ...recently(...oldStates))).toEqual(outdated)
        expect(await look()).toEqual(asNew)
      })

      test("imports that finished with that clock do not hide later ones", async () => {
        const finish = async (source: string) => {
          const writer = await store.feed.openBatches({ source, via: "file" })
          await writer.finish(new Date(), emptyOutcome)
        }
        await whileAhead(() => finish("ahead"))
        const now = formatTimestamp(new Date())
        expect(await store.feed.listLastFinishes(new Date())).toEqual([])
        await finish("right")
        const [last] = await store.feed.listLastFinishes(new Date())
        expect((last?.finishedAt ?? "") >= now).toBeTrue()
        const [first] = await store.feed.listImportCounts(new Date(), 1)
        expect(first?.id).toBe((await store.feed.findLastRun("right"))?.id ?? 0)
      })
    })

    describe("a code in two rows of one pull", () => {
      const pulled = (...records: FeedRecord[]): FeedRecord[] =>
        records.map((record) => ({
          ...record,
          asOf: { ms: pulledMs, isArrival: false, isOfRun: true },
        }))
      const pulledMs = Date.now() - 5_000
      const [valid, revoked] = [purchaseRecord("abc", 7), purchaseRecord("abc", 7, true)]
      const isRevoked = async () => (await look())[2]

      test.each([
        ["valid first", [valid, revoked]],
        ["revoked first", [revoked, valid]],
      ] as const)("is revoked, in two batches: %s", async (_, rows) => {
        await put(store, ...at(10, accountRecord("ada", old), itemRecord("ada", 7), valid))
        expect(await put(store, ...pulled(rows[0]))).toEqual([null])
        expect(await put(store, ...pulled(rows[1]))).toEqual(["repeated"])
        expect(await isRevoked()).toBeTrue()
      })

      test("counts for pending and deleted rows, too, and for no other run", async () => {
        expect(await put(store, ...pulled(revoked))).toEqual(["pending"])
        expect(await put(store, ...pulled(valid))).toEqual(["repeated"])
        await put(store, ...pulled(accountRecord("ada", old), itemRecord("ada", 7)))
        expect(await isRevoked()).toBeTrue()
        const gone: FeedRecord = { type: "deleted purchase", code: "abc" }
        expect(await put(store, ...pulled(gone, valid))).toEqual(["repeated", "repeated"])
        expect(await put(store, ...at(pulledMs, revoked, valid))).toEqual([null, null])
        expect(await isRevoked()).toBeFalse()
        const later = { ms: pulledMs + 1, isArrival: false, isOfRun: true }
        expect(await put(store, { ...revoked, asOf: later })).toEqual([null])
      })
    })

    describe("deleting records older than a full sync", () => {
      const openWriter = () =>
        store.feed.openBatches({ source: "test", via: "file", limits: withoutLimits })

      test("deletes records of every type, keys with their accounts, and keeps the rest", async () => {
        const key = importedKeyRecord("key_1")
        await put(store, ...at(10, accountRecord("ada", undefined, false, key), ...oldStates))
        const others = [accountRecord("bob"), itemRecord("bob", 8), purchaseRecord("def", 8)]
        await put(store, ...at(20, ...others))
        const limits = { ...standardLimits, deletesMax: { count: 0 } }
        const limited = await store.feed.openBatches({ source: "test", via: "file", limits })
        const excess = { type: "account", records: 1, total: 2, allowed: "0", needed: 1 }
        expect(await limited.removeOlder(new Date(), 20)).toEqual({
          removed: 0,
          retained: [],
          excess: message("too_many_missing", { ...excess, option: "--max-deletes" }),
        })
        expect(await (await openWriter()).removeOlder(new Date(), 20)).toEqual({
          removed: 3,
          retained: [],
          excess: null,
        })
        expect(await look()).toEqual([])
        expect(await store.keys.find("key_1")).toBeNull()
        expect(await put(store, ...at(15, ...oldStates))).toEqual(outdated)
        expect(await put(store, ...at(20, ...oldStates))).toEqual(taken)
      })

      test("an item with a newer purchase is kept, and so is its author", async () => {
        await put(store, ...at(10, ...oldStates), ...at(10, itemRecord("ada", 8)))
        await put(store, ...pushed(30, purchaseRecord("abc", 7, true)))
        const list = await store.items.findList(await accountId(store, "ada"))
        expect(await (await openWriter()).removeOlder(new Date(), 20)).toMatchObject({
          removed: 1,
          retained: [
            { kind: "item", identity: "7", why: message("has_purchases") },
            { kind: "account", identity: "ada", why: message("has_items") },
          ],
        })
        expect(await look()).toEqual([old, false, true])
        const shorter = await store.items.findList(await accountId(store, "ada"))
        expect(shorter?.version).not.toBe(list?.version)
      })

      test("a record that the feed only references is not changed", async () => {
        await put(store, ...at(10, ...oldStates))
        const mentions: FeedRecord[] = [
          { type: "mentioned", kind: "account", identity: "ada" },
          { type: "mentioned", kind: "item", identity: "7" },
          { type: "mentioned", kind: "purchase", identity: "abc" },
          { type: "mentioned", kind: "purchase", identity: "never sold" },
        ]
        expect(await put(store, ...at(20, ...mentions))).toEqual([...taken, null])
        expect(await (await openWriter()).removeOlder(new Date(), 20)).toMatchObject({
          removed: 0,
          retained: [],
        })
        expect(await look()).toEqual(asOld)
        expect(await put(store, ...at(15, purchaseRecord("never sold", 7)))).toEqual([null])
      })

      test("several batches are deleted in one transaction", async () => {
        const codes = Array.from({ length: 1_200 }, (_, index) => `code-${index}`)
        await put(store, ...at(10, ...oldStates), ...codes.map((code) => purchaseRecord(code, 7)))
        await put(store, ...at(20, ...codes.map((code) => purchaseRecord(code, 7))))
        const writer = await openWriter()
        expect((await writer.removeOlder(new Date(), Date.now() + 60_000)).removed).toBe(1_203)
        expect(await look()).toEqual([])
      })
    })
  })
