import { expect, test } from "bun:test"
import fc from "fast-check"
import type { FeedRecord } from "../../src/feed/feed-record.ts"
import { propertyRuns } from "../harness/full-test-run.ts"
import type { Program } from "../harness/program.ts"
import { startOnBothStores } from "../harness/stores/on-both-stores.ts"
import { accountRecord, itemRecord, purchaseRecord, put } from "../harness/stores/store-records.ts"

const programs = startOnBothStores()

type State = string | null
type States = Readonly<Record<string, State>>
/** A complete file as of `asOfMs`, or a push (null). */
type Delivery = Readonly<{ states: States; asOfMs: number | null }>

const codes = ["one", "two", "three"]
const states = fc.dictionary(
  fc.constantFrom(...codes),
  fc.option(fc.constantFrom("ada", "bob", "cyd")),
  { minKeys: 1, maxKeys: 3 },
)
const hourMs = 3_600_000
const pushes = fc.array(fc.record({ states, asOfMs: fc.constant(null) }), { maxLength: 3 })
const files = fc
  .uniqueArray(fc.integer({ min: 1, max: 24 }), { minLength: 1, maxLength: 6 })
  .chain((hoursAgo) =>
    fc.tuple(
      ...hoursAgo.map((hours) =>
        fc.record({ states, asOfMs: fc.constant(Date.now() - hours * hourMs) }),
      ),
    ),
  )
const deliveries: fc.Arbitrary<readonly Delivery[]> = fc
  .tuple(pushes, files)
  .map((parts) => parts.flat())
  .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))

function recordsOf({ states, asOfMs }: Delivery): readonly FeedRecord[] {
  const asOf = { ms: asOfMs ?? Date.now(), isArrival: asOfMs === null }
  return Object.entries(states).map(([code, buyer]) =>
    buyer === null
      ? { type: "deleted purchase", code, asOf }
      : { ...purchaseRecord(code, 7, false, buyer), asOf },
  )
}

/** The last push wins. Without a push, the newest file does. */
function expectedOf(all: readonly Delivery[]): States {
  const fromOldest = [
    ...all
      .filter(({ asOfMs }) => asOfMs !== null)
      .toSorted((one, other) => (one.asOfMs ?? 0) - (other.asOfMs ?? 0)),
    ...all.filter(({ asOfMs }) => asOfMs === null),
  ]
  const latest: States = Object.assign({}, ...fromOldest.map(({ states }) => states))
  return Object.fromEntries(codes.map((code) => [code, latest[code] ?? null]))
}

async function deliver({ app: { store } }: Program, all: readonly Delivery[]): Promise<States> {
  const gone = codes.map((code): FeedRecord => ({ type: "deleted purchase", code }))
  await put(store, accountRecord("elif"), itemRecord("elif", 7), ...gone)
  await store.feed.deleteOldTombstones(Date.now() + hourMs, 100)
  for (const delivery of all) await put(store, ...recordsOf(delivery))
  const snapshot = await store.feed.openSnapshot()
  const found = new Map<string, string | null>()
  for await (const page of snapshot.readPurchases()) {
    for (const { code, buyer } of page) found.set(code, buyer)
  }
  await snapshot.close()
  return Object.fromEntries(codes.map((code) => [code, found.get(code) ?? null]))
}

test("pushes and files in any order leave the newest state of each record", async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, async (all) => {
      const found = await Promise.all(programs.map((program) => deliver(program, all)))
      expect(found).toEqual(programs.map(() => expectedOf(all)))
    }),
    { numRuns: propertyRuns(25) },
  )
})
