import { describe, expect, test } from "bun:test"
import { rankOf, requestClasses } from "../domain/running/admission.ts"
import type { PoolMeasures, StoreMeasures } from "../domain/usage/measures.ts"
import { watchOverload } from "./watch-overload.ts"

const quiet: PoolMeasures = { inUse: 0, waiting: 0, waitMs: 0, max: 8 }

function open() {
  let nowMs = 0
  let work = () => {}
  const facts = { memory: 0, pools: null as StoreMeasures["pools"] }
  const told: string[] = []
  const watch = watchOverload({
    measureStore: () => facts,
    readMemoryShare: () => facts.memory,
    freeMemory: () => told.push("free"),
    onChange: ({ level, cause }) => told.push(`${level} ${cause}`),
    onRefused: (requestClass, cause) => told.push(`${requestClass}: ${cause}`),
    nowMs: () => nowMs,
    every(_, sample) {
      work = sample
      return () => {
        work = () => {}
      }
    },
  })
  /** The timer fires this much late, `times` times, each after so many requests. */
  const tick = (lateMs = 0, times = 1, requests = 0) => {
    for (let count = 0; count < times; count += 1) {
      for (let request = 0; request < requests; request += 1) {
        watch.enter(rankOf("validations"))
        watch.leave()
      }
      nowMs += 100 + lateMs
      work()
    }
  }
  /** Which classes a request of each is admitted in. */
  const admitted = () =>
    requestClasses.filter((each) => {
      const isAdmitted = watch.enter(rankOf(each))
      watch.leave()
      return isAdmitted
    })
  return { ...watch, facts, told, tick, admitted }
}

test("a late timer counts when it is late three times in a row", () => {
  const { tick, admitted, told } = open()
  tick(500, 2, 5)
  tick()
  expect(admitted()).toEqual([...requestClasses])
  tick(250, 3, 5)
  expect(admitted()).toEqual(["reads", "validations"])
  expect(told).toEqual(["2 event_loop", "pages: event_loop", "lists: event_loop"])
  tick(0, 25)
  expect(admitted()).toEqual([...requestClasses])
})

test("a late timer is no overload without five requests since the last one, or five in flight", () => {
  const { tick, admitted, enter, leave } = open()
  tick(500, 5, 4)
  expect(admitted()).toEqual([...requestClasses])
  for (let request = 0; request < 5; request += 1) enter(rankOf("lists"))
  tick(500, 3)
  expect(admitted()).toEqual(["validations"])
  leave()
  tick(500, 40, 1)
  expect(admitted()).toEqual([...requestClasses])
})

test("memory is read every half second, and freed while it is short", () => {
  const { tick, facts, told } = open()
  tick(0, 5)
  facts.memory = 0.97
  tick(0, 8)
  expect(told).toEqual(["4 memory"])
  tick(0, 50)
  expect(told).toEqual(["4 memory", "free"])
})

describe("waiting for the pool", () => {
  const waiting = (waitMs: number): PoolMeasures => ({ ...quiet, waiting: 3, waitMs })
  test.each([
    ["an embedded store has none", null, 4],
    ["for a moment", { primary: waiting(300), feed: quiet }, 3],
    ["for longer", { primary: waiting(450), feed: quiet }, 2],
    ["feeds wait for each other, which harms nobody", { primary: quiet, feed: waiting(900) }, 4],
  ] as const)("%s", (_, pools, served) => {
    const { tick, facts, admitted } = open()
    facts.pools = pools
    tick(0, 3)
    expect(admitted().length).toBe(served)
  })
})

test("requests in flight are limited, without those that wait for their clients", () => {
  const { enter, leave, pause, resume, told } = open()
  const [read, validation] = [rankOf("reads"), rankOf("validations")]
  const enterMany = (rank: number, count: number) =>
    Array.from({ length: count }, () => enter(rank)).filter((isAdmitted) => isAdmitted).length
  const repeat = (work: () => void, count: number) => {
    for (let done = 0; done < count; done += 1) work()
  }
  expect(enterMany(read, 2_001)).toBe(2_000)
  expect(enterMany(validation, 2_000)).toBe(1_999)
  expect(told).toEqual(["reads: in_flight", "validations: in_flight"])
  repeat(pause, 2_500)
  expect([enter(validation), enter(read)]).toEqual([true, true])
  repeat(resume, 2_500)
  expect(enter(validation)).toBe(false)
  repeat(leave, 4_004)
  expect(enterMany(read, 2_000)).toBe(2_000)
})

test("after it is closed nothing is measured", () => {
  const { tick, close, admitted } = open()
  close()
  tick(900, 5, 5)
  expect(admitted()).toEqual([...requestClasses])
})
