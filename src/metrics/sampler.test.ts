import { expect, test } from "bun:test"
import { createCacheCounts, type StoreMeasures } from "../domain/usage/measures.ts"
import { cacheNames } from "./labels.ts"
import { openSampler } from "./open-metrics.ts"
import { createRow, starts } from "./row.ts"

const writes = { succeededAtMs: 5, failedAtMs: 7 }

function open(row: Float64Array, pools: StoreMeasures["pools"] = null) {
  let nowMs = 0
  let work = () => {}
  const [keys, lists] = [createCacheCounts(), createCacheCounts()]
  const sampler = openSampler({
    row,
    measureStore: () => ({ pools, writes }),
    caches: { keys, lists },
    nowMs: () => nowMs,
    every(_, repeated) {
      work = repeated
      return () => {
        work = () => {}
      }
    },
  })
  /** The timer fires this much later than a second after the last time. */
  const tick = (lateMs = 0) => {
    nowMs += 1_000 + lateMs
    work()
  }
  return { ...sampler, tick, keys, lists }
}

const lookups = (row: Float64Array) =>
  cacheNames.map((_, at) => [
    row[starts.cacheLookups + 2 * at],
    row[starts.cacheLookups + 2 * at + 1],
  ])

test("cache counts are copied, and the thread that replaces another adds to them", () => {
  const row = createRow()
  const first = open(row)
  first.keys.hits = 5
  first.lists.misses = 2
  first.tick()
  first.keys.hits = 6
  first.sample()
  first.close()
  const second = open(row)
  second.keys.hits = 10
  second.lists.misses = 1
  second.sample()
  second.sample()
  expect(lookups(row)).toEqual([
    [16, 0],
    [0, 3],
  ])
})

test("the lag is the worst of the last 15 seconds", () => {
  const row = createRow()
  const { tick } = open(row)
  tick(250)
  expect(row[starts.eventLoopLag]).toBe(0.25)
  for (let seconds = 0; seconds < 14; seconds += 1) tick()
  expect(row[starts.eventLoopLag]).toBe(0.25)
  tick()
  expect(row[starts.eventLoopLag]).toBe(0)
  // A timer may fire a little early.
  tick(-1)
  expect(row[starts.eventLoopLag]).toBe(0)
})

test("pools are copied", () => {
  const row = createRow()
  const pool = { inUse: 3, waiting: 1, waitMs: 5, max: 16 }
  const unused = { inUse: 0, waiting: 0, waitMs: 0, max: 2 }
  open(row, { primary: pool, feed: unused }).sample()
  const of = (start: number) => [...row.subarray(start, start + 2)]
  expect(of(starts.poolsInUse)).toEqual([3, 0])
  expect(of(starts.poolsWaiting)).toEqual([1, 0])
  expect(of(starts.poolsMax)).toEqual([16, 2])
})

test("the times of writes are copied", () => {
  const row = createRow()
  open(row).sample()
  expect([row[starts.writeSucceededAt], row[starts.writeFailedAt]]).toEqual([5, 7])
})
