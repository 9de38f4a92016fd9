import { expect, test } from "bun:test"
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import fc from "fast-check"
import { until } from "../../tests/harness/command.ts"
import { afterCall } from "./gcra.ts"
import { createLimitTable, createLimitTableMemory, freePlacesOf } from "./limit-table.ts"

/** Of the same set. */
const hash = (number: number) => new Int32Array([0, number])
const rate = { intervalMs: 100, burst: 3 }

test("keeps the budgets of a set apart, whatever is taken and given back", () => {
  const steps = fc.array(
    fc.record({ who: fc.nat({ max: 7 }), wait: fc.nat({ max: 150 }), isBack: fc.boolean() }),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(steps, (list) => {
      const table = createLimitTable(createLimitTableMemory(), 0)
      const times = new Map<number, number>()
      let nowMs = 0
      for (const { who, wait, isBack } of list) {
        nowMs += wait
        const next = afterCall(times.get(who) ?? 0, nowMs, rate)
        const entry = table.take(hash(who), rate, nowMs)
        expect(entry === -1).toBe(Number.isNaN(next))
        if (entry === -1) continue
        if (isBack) table.settle(entry, 0, who, rate, false)
        times.set(who, isBack ? next - rate.intervalMs : next)
      }
      for (const [who, wholeAtMs] of times) expect(table.findWholeAt(hash(who))).toBe(wholeAtMs)
    }),
    { numRuns: 30 },
  )
})

test("a full set loses the budget that would be whole first", () => {
  const table = createLimitTable(createLimitTableMemory(), 0)
  for (let who = 1; who <= 9; who += 1) table.raise(hash(who), who === 4 ? 500 : 1_000 + who)
  expect(table.findWholeAt(hash(4))).toBe(0)
  expect(table.findWholeAt(hash(9))).toBe(1_009)
})

test("settling a call of a budget that lost its entry changes no other", () => {
  const table = createLimitTable(createLimitTableMemory(), 0)
  const entry = table.take(hash(1), rate, 10)
  for (let who = 2; who <= 9; who += 1) table.raise(hash(who), 1_000)
  table.settle(entry, 0, 1, rate, false)
  const others = [2, 3, 4, 5, 6, 7, 8, 9].map((who) => table.findWholeAt(hash(who)))
  expect(others).toEqual(Array.from({ length: 8 }, () => 1_000))
})

test("is exact when threads take from one budget at once", async () => {
  const memory = createLimitTableMemory()
  const start = new Int32Array(new SharedArrayBuffer(4))
  const large = { intervalMs: 1, burst: 20_000 }
  const workers = [1, 2].map(
    (thread) =>
      new Worker(new URL("../../tests/harness/limit-thread.ts", import.meta.url), {
        workerData: { memory, thread, hash: hash(1), rate: large, start },
      }),
  )
  const counts = Promise.all(workers.map((worker) => once(worker, "message")))
  await Promise.all(workers.map((worker) => once(worker, "online")))
  Atomics.store(start, 0, 1)
  Atomics.notify(start, 0)
  const taken = (await counts).flat().reduce((sum, count) => sum + count, 0)
  await Promise.all(workers.map((worker) => worker.terminate()))
  expect(taken).toBe(large.burst)
})

test("a thread that has the lock in call after call is not taken for a dead one", async () => {
  const memory = createLimitTableMemory()
  const isFree = new Int32Array(new SharedArrayBuffer(4))
  memory.locks[0] = 2
  const busy = new Worker(new URL("../../tests/harness/busy-lock-thread.ts", import.meta.url), {
    workerData: { locks: memory.locks, isFree },
  })
  await until(() => Atomics.load(memory.locks, 0) !== 2 || undefined)
  createLimitTable(memory, 0).take(hash(1), rate, 10)
  expect(Atomics.load(isFree, 0)).toBe(1)
  await busy.terminate()
})

test("goes on when a thread died while it held a lock, and frees its places", () => {
  const memory = createLimitTableMemory()
  const [dead, alive] = [createLimitTable(memory, 1), createLimitTable(memory, 0)]
  const place = { intervalMs: 600_000, burst: 1 }
  dead.takePlace(hash(1), place, 10)
  memory.locks[0] = 2
  expect(alive.takePlace(hash(1), place, 10)).toBe(-1)
  freePlacesOf(memory, 1)
  expect(alive.takePlace(hash(1), place, 10)).not.toBe(-1)
  expect(memory.locks[0]).toBe(0)
})

test("the open calls of a dead thread are forgotten with their budget", () => {
  const memory = createLimitTableMemory()
  const table = createLimitTable(memory, 0)
  for (let call = 0; call < 3; call += 1) table.take(hash(1), rate, 10)
  expect(table.countOpen(hash(1))).toBe(3)
  table.take(hash(1), rate, 1_000)
  expect(table.countOpen(hash(1))).toBe(1)
})
