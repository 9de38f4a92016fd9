import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  noRecords,
  noTally,
  openMassGuard,
  standardLimits,
  TooManyChanges,
} from "./batch-changes.ts"
import type { FeedRecord } from "./feed-record.ts"

const deletions = (count: number): FeedRecord[] =>
  Array.from({ length: count }, (_, at) => ({ type: "deleted purchase", code: `code-${at}` }))

test("a run deletes at most 1 % or 20 records, however it is split into batches and repeated", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20_000 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (total, batches, runs) => {
        let before = noTally
        let counted = 0
        for (let run = 0; run < runs; run += 1) {
          const guard = openMassGuard({ before }, async () => {
            counted += 1
            return { ...noRecords, purchase: total }
          })
          for (const size of batches) {
            await guard.prepare(deletions(size))
            const tally = { ...noTally, removed: { ...noRecords, purchase: size } }
            try {
              guard.check(tally)
            } catch (error) {
              expect(error).toBeInstanceOf(TooManyChanges)
              break
            }
            guard.keep(tally)
          }
          before = { ...noTally, ...guard.counted() }
        }
        expect(before.removed.purchase).toBeLessThanOrEqual(Math.max(20, total / 100))
        expect(counted).toBeLessThanOrEqual(runs)
      },
    ),
  )
})

test("a run with few changes does not count the records", async () => {
  const guard = openMassGuard({}, () => Promise.reject(new Error("counted")))
  await guard.prepare(deletions(20))
  guard.check({ ...noTally, removed: { ...noRecords, purchase: 20 } })
})

test("100 % allows a run to revoke more records than there were when it began", async () => {
  const guard = openMassGuard({ limits: { ...standardLimits, revokesMax: { percent: 100 } } }, () =>
    Promise.resolve({ ...noRecords, purchase: 10 }),
  )
  const tally = { ...noTally, revoked: 30 }
  await guard.prepare(deletions(0))
  guard.check(tally)
  guard.keep(tally)
})
