import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  type MassGuardOptions,
  standardLimits,
  TooManyChanges,
} from "../../../src/domain/feed/batch-changes.ts"
import type { FeedRecord } from "../../../src/domain/feed/feed-record.ts"
import type { DryRun, FeedWriter } from "../../../src/domain/feed/feed-store.ts"
import type { Store } from "../../../src/domain/store.ts"
import { message } from "../../../src/domain/values/problems/problem.ts"
import { endpointRecord } from "../events/endpoint-records.ts"
import { accountRecord, itemRecord, type OpenEmpty, purchaseRecord, put } from "../store-records.ts"

const codes = Array.from({ length: 3_000 }, (_, index) => `code-${index}`)
const deleting = (...of: readonly string[]): FeedRecord[] =>
  of.map((code) => ({ type: "deleted purchase", code }))
const revoking = (...of: readonly string[]) => of.map((code) => purchaseRecord(code, 1, true))
const none = { account: 0, item: 0, purchase: 0 }

export const feedMassChangesContract = (adapter: string, open: OpenEmpty) =>
  describe(`mass changes of a feed on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), itemRecord("ada", 1))
      await put(store, ...codes.map((code) => purchaseRecord(code, 1)))
      await store.endpoints.insert(endpointRecord("ep_all"))
    })
    afterEach(() => store.close())

    const count = async () => (await store.feed.openBatches(origin)).countOlder(0)
    const origin = { source: "test", via: "pull" } as const
    type Writer = Omit<DryRun, "put"> & {
      put(records: readonly FeedRecord[]): ReturnType<FeedWriter["put"]>
    }
    const withoutLine = (writer: FeedWriter, close = async () => {}): Writer => ({
      ...writer,
      put: (records) => writer.put(records, 1),
      close,
    })
    const writers: Readonly<Record<string, (options?: MassGuardOptions) => Promise<Writer>>> = {
      "an import": async (options = {}) =>
        withoutLine(await store.feed.openBatches({ ...origin, ...options })),
      async "a dry run"(options) {
        const dryRun = await store.feed.openDryRun(options)
        return withoutLine(dryRun, dryRun.close)
      },
    }

    for (const [name, openWriter] of Object.entries(writers)) {
      test(`${name} counts what it removes, revokes and restores, and nothing twice`, async () => {
        await put(store, purchaseRecord("refunded", 1, true), purchaseRecord("pending", 99))
        const writer = await openWriter()
        await writer.put([
          ...revoking("code-1", "code-2", "refunded", "new"),
          ...deleting("code-3"),
        ])
        await writer.put([
          ...revoking("code-1"),
          ...deleting("code-3", "never sold", "pending"),
          purchaseRecord("refunded", 1),
          { type: "deleted item", id: 1 },
        ])
        expect(writer.countChanges()).toEqual({
          added: { ...none, purchase: 1 },
          removed: { ...none, purchase: 2 },
          revoked: 2,
          restored: 1,
          ahead: { records: 0, ms: 0 },
        })
        await writer.close()
      })

      test(`${name} stops before the batch that exceeds a limit`, async () => {
        const writer = await openWriter()
        await writer.put(deleting(...codes.slice(0, 30)))
        const late = await writer.put(deleting(...codes.slice(30, 31))).catch((error) => error)
        expect(late).toBeInstanceOf(TooManyChanges)
        const excess = { type: "purchase", records: 31, total: 3_000, allowed: "1%", atLeast: 20 }
        expect(late.problem).toEqual(
          message("too_many_deletes", { ...excess, option: "--max-deletes" }),
        )
        expect(writer.countChanges().removed).toEqual({ ...none, purchase: 30 })
        await writer.put(revoking(...codes.slice(31, 61)))
        const revoked = await writer.put(revoking(...codes.slice(61, 62))).catch((error) => error)
        expect(revoked.problem).toEqual(
          message("too_many_revokes", { ...excess, option: "--max-revokes" }),
        )
        expect(writer.countChanges()).toMatchObject({ revoked: 30, restored: 0 })
        await writer.close()
      })

      test(`${name} may change what its limits allow, and counts from a run that was stopped`, async () => {
        const limits = { ...standardLimits, deletesMax: { count: 40 } }
        const before = { removed: { ...none, purchase: 30 }, revoked: 0 }
        const writer = await openWriter({ limits, before })
        await writer.put(deleting(...codes.slice(0, 10)))
        const late = await writer.put(deleting("code-10")).catch((error) => error)
        expect(late).toBeInstanceOf(TooManyChanges)
        expect(writer.countAgainstLimits()).toEqual({
          removed: { ...none, purchase: 40 },
          revoked: 0,
        })
        await writer.close()
        const harmless = await openWriter({ before: { ...before, revoked: 9_999 } })
        expect(await harmless.put([purchaseRecord("code-99", 1)])).toEqual([null])
        await harmless.close()
      })
    }

    test("a stopped batch changes nothing and creates no events", async () => {
      const writer = await store.feed.openBatches(origin)
      const stopped = await writer.put(revoking(...codes.slice(0, 31)), 31).catch((error) => error)
      expect(stopped).toBeInstanceOf(TooManyChanges)
      expect(await store.messages.list("ep_all", null, 100)).toEqual([])
      expect(await store.feed.findLastRun("test")).not.toMatchObject({ line: 31 })
      expect((await count()).totals.purchase).toBe(3_000)
    })
  })
