import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { endpointRecord } from "../../tests/harness/endpoint-records.ts"
import {
  accountRecord,
  itemRecord,
  type OpenEmpty,
  plainVerdicts,
  purchaseRecord,
  put,
  withoutLimits,
} from "../../tests/harness/stores/store-records.ts"
import { message } from "../platform/problem.ts"
import type { Store } from "../store/store.ts"
import { type MassGuardOptions, standardLimits } from "./batch.ts"
import type { FeedRecord } from "./feed-record.ts"
import type { DryRun, FeedWriter } from "./import-run.ts"

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

    const origin = { source: "test", via: "pull" } as const
    type Writer = Omit<DryRun, "put"> & {
      put(records: readonly FeedRecord[]): ReturnType<FeedWriter["put"]>
    }
    const withoutLine = (writer: FeedWriter, close = async () => {}): Writer => ({
      ...writer,
      put: (records) => writer.put(new Date(), records, 1),
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
        const first = [...revoking("code-1", "code-2", "refunded", "new"), ...deleting("code-3")]
        expect(await writer.put(first)).toEqual(["deferred", "deferred", null, null, "deferred"])
        const second = [
          ...[...revoking("code-1"), ...deleting("code-3", "never sold", "pending")],
          ...[purchaseRecord("refunded", 1), { type: "deleted item", id: 1 } as const],
        ]
        expect(await writer.put(second)).toEqual([
          ...(["deferred", "deferred", null, "deferred", null, "deferred"] as const),
        ])
        expect(writer.countChanges()).toMatchObject({ removed: none, revoked: 0, restored: 1 })
        expect(await writer.findExcess()).toBeNull()
        const deferred = [...first, ...second].filter((_, index) =>
          [0, 1, 4, 5, 6, 8, 10].includes(index),
        )
        expect(plainVerdicts(await writer.putDeferred(new Date(), deferred))).toEqual([
          ...[null, null, null, null, null, null],
          "id: has_purchases",
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

      test(`${name} counts before it deletes or revokes`, async () => {
        const writer = await openWriter()
        await writer.put(deleting(...codes.slice(0, 30)))
        expect(await writer.findExcess()).toBeNull()
        await writer.put(deleting(...codes.slice(30, 31)))
        const bounds = { allowed: "1%", atLeast: 20, atMost: 100 }
        const excess = { type: "purchase", records: 31, total: 3_000, ...bounds }
        expect(await writer.findExcess()).toEqual(
          message("too_many_deletes", { ...excess, option: "--max-deletes" }),
        )
        expect(writer.countChanges().removed).toEqual(none)
        await writer.close()
        const revoker = await openWriter()
        await revoker.put(revoking(...codes.slice(31, 62)))
        expect(await revoker.findExcess()).toEqual(
          message("too_many_revokes", { ...excess, option: "--max-revokes" }),
        )
        expect(revoker.countChanges()).toMatchObject({ revoked: 0, restored: 0 })
        await revoker.close()
      })

      test.each([
        ["too_many_deletes", "--max-deletes", { deletesMax: { count: 1 } }],
        ["too_many_revokes", "--max-revokes", { revokesMax: { count: 1 } }],
      ] as const)(`${name} counts each record once: %s`, async (code, option, limits) => {
        const writer = await openWriter({ limits: { ...standardLimits, ...limits } })
        const [deleted, revoked] = [deleting("code-1", "code-2"), revoking("code-3", "code-4")]
        await writer.put([...deleted, ...revoked.slice(0, 1), ...deleted])
        await writer.put([...revoked, ...deleted, ...revoked])
        const excess = { type: "purchase", records: 2, total: 3_000, allowed: "1", option }
        expect(await writer.findExcess()).toEqual(message(code, excess))
        await writer.close()
      })

      test(`${name} may change what its limits allow, and defers nothing without a limit`, async () => {
        const writer = await openWriter({
          limits: { ...standardLimits, deletesMax: { count: 40 } },
        })
        await writer.put(deleting(...codes.slice(0, 40)))
        expect(await writer.findExcess()).toBeNull()
        await writer.close()
        const free = await openWriter({ limits: withoutLimits })
        expect(await free.put([...deleting("code-99"), ...revoking("code-98")])).toEqual([
          null,
          null,
        ])
        await free.close()
      })
    }

    test("deferred records change nothing and create no events", async () => {
      const writer = await store.feed.openBatches(origin)
      await writer.put(new Date(), [...revoking(...codes.slice(0, 31)), ...deleting("code-31")], 32)
      expect(await store.messages.list("ep_all", null, 100)).toEqual([])
      expect(await store.feed.findLastRun("test")).toMatchObject({ line: 32 })
      const limits = { ...standardLimits, deletesMax: { count: 1 } }
      const { excess } = await (await store.feed.openBatches({ ...origin, limits })).removeOlder(
        new Date(),
        Date.now() + 60_000,
      )
      expect(excess?.params).toMatchObject({ type: "purchase", records: 3_000, total: 3_000 })
    })
  })
