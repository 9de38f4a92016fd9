import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  type DatedPurchase,
  type ExistingRecords,
  noRecords,
  openMassGuard,
  standardLimits,
} from "./batch.ts"
import type { FeedRecord } from "./feed-record.ts"

const sold = (code: string): DatedPurchase => ({
  code,
  itemId: 1,
  isRevoked: false,
  buyer: null,
  beforeItem: "",
  afterItem: "",
  asOf: 0,
})
const stored = (total: number): ExistingRecords => ({
  accounts: new Map(),
  items: new Map(),
  purchases: new Map(Array.from({ length: total }, (_, at) => [`${at}`, sold(`${at}`)])),
  tombstones: new Map(),
  pending: new Map(),
  hasPending: false,
  oldestEndpointAt: null,
  keyOwners: new Map(),
  accountsInUse: new Set(),
  itemsInUse: new Set(),
})
const change = (type: "deletes" | "revokes", code: string): FeedRecord =>
  type === "deletes"
    ? { type: "deleted purchase", code }
    : { type: "purchase", purchase: { ...sold(code), isRevoked: true } }

const nowMs = Date.parse("2026-06-02T08:00:00Z")

const types = ["deletes", "revokes"] as const

test("a run changes at most 1 %, 20 to 100 records, however it is split into batches", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types),
      fc.integer({ min: 1, max: 20_000 }),
      fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 12 }),
      async (type, total, batches) => {
        const found = stored(total)
        const guard = openMassGuard({}, async () => ({ ...noRecords, purchase: total }))
        let next = 0
        for (const size of batches) {
          const records = Array.from({ length: size }, () => change(type, `${next++}`))
          guard.keep(guard.split([...records, ...records], found, nowMs))
        }
        const changed = Math.min(next, total)
        const allowed = Math.max(20, Math.min(100, total / 100))
        expect((await guard.findExcess()) === null).toBe(changed <= allowed)
      },
    ),
  )
})

test("a run with few changes does not count the records", async () => {
  const guard = openMassGuard({}, () => Promise.reject(new Error("counted")))
  const records = Array.from({ length: 20 }, (_, at) => change("deletes", `${at}`))
  guard.keep(guard.split(records, stored(20), nowMs))
  expect(await guard.findExcess()).toBeNull()
})

test("a run without limits defers nothing", () => {
  const all = { percent: 100 }
  const limits = { ...standardLimits, deletesMax: all, revokesMax: all }
  const guard = openMassGuard({ limits }, () => Promise.reject(new Error("counted")))
  const { isDeferred } = guard.split(
    types.map((type, at) => change(type, `${at}`)),
    stored(2),
    nowMs,
  )
  expect(isDeferred).toEqual([false, false])
})
