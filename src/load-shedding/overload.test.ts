import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { measuredCauses, requestClasses } from "../domain/running/admission.ts"
import {
  judgeLoad,
  type Load,
  noShedding,
  refusedClasses,
  type Shedding,
  sustainedOf,
} from "./overload.ts"

const idle: Load = { event_loop: 0, memory: 0.1, pool: 0 }
const judge = (load: Partial<Load>, before: Shedding = noShedding) =>
  judgeLoad(before, { ...idle, ...load })

describe("each class is refused from a limit on, the least important first", () => {
  test.each([
    ["event_loop", [100, 200, 400, 800]],
    ["memory", [0.8, 0.85, 0.9, 0.95]],
    ["pool", [200, 400, 600, 800]],
  ] as const)("%s", (cause, limits) => {
    const refused = limits
      .flatMap((limit) => [limit, limit * 1.001])
      .map((value) => {
        const shedding = judge({ [cause]: value })
        return [shedding.cause, refusedClasses(shedding)]
      })
    expect(refused).toEqual([
      [null, ""],
      [cause, "pages"],
      [cause, "pages"],
      [cause, "pages, lists"],
      [cause, "pages, lists"],
      [cause, "pages, lists, reads"],
      [cause, "pages, lists, reads"],
      [cause, "pages, lists, reads, validations"],
    ])
  })
})

test("the worst of the measures counts", () => {
  expect(judge({ event_loop: 150, memory: 0.92, pool: 300 })).toEqual({
    level: 3,
    cause: "memory",
    calm: 0,
  })
})

/** The levels after each of `count` equal loads. */
function levels(from: Shedding, load: Partial<Load>, count: number): readonly number[] {
  let shedding = from
  return Array.from({ length: count }, () => {
    shedding = judge(load, shedding)
    return shedding.level
  })
}

test("one class a second is served again, and only well below the limit", () => {
  const all = judge({ event_loop: 900 })
  expect(levels(all, { event_loop: 500 }, 100)).toEqual(Array(100).fill(4))
  const falling = levels(all, {}, 40)
  expect(
    falling
      .map((level, at) => ((at + 1) % 10 === 0 ? level : null))
      .filter((each) => each !== null),
  ).toEqual([3, 2, 1, 0])
  // Between the two limits of pages: they stay refused.
  expect(levels(all, { event_loop: 90 }, 100).at(-1)).toBe(1)
})

test("a load that comes back begins the second anew", () => {
  let shedding = judge({ pool: 300 })
  for (let round = 0; round < 5; round += 1) {
    for (let sample = 0; sample < 9; sample += 1) shedding = judge({}, shedding)
    shedding = judge({ pool: 150 }, shedding)
  }
  expect(shedding.level).toBe(1)
})

const anyLoad = fc.record({
  event_loop: fc.double({ min: 0, max: 5_000, noNaN: true }),
  memory: fc.double({ min: 0, max: 2, noNaN: true }),
  pool: fc.double({ min: 0, max: 2_000, noNaN: true }),
})

test("whatever is measured: the level has a cause, rises at once, falls by one, and ends when it is calm", () => {
  fc.assert(
    fc.property(fc.array(anyLoad, { maxLength: 100 }), (loads) => {
      let before = noShedding
      for (const load of loads) {
        const after = judgeLoad(before, load)
        expect(after.level).toBeGreaterThanOrEqual(
          Math.max(judgeLoad(noShedding, load).level, before.level - 1),
        )
        expect(after.level).toBeLessThanOrEqual(requestClasses.length)
        expect(after.cause === null).toBe(after.level === 0)
        before = after
      }
      expect(levels(before, {}, 40).at(-1)).toBe(0)
    }),
  )
})

test("one long task is no overload: the smallest of the last values counts", () => {
  const loads = [{ ...idle, event_loop: 470 }, idle, { ...idle, memory: 0.9 }]
  expect(sustainedOf(loads)).toEqual(idle)
  expect(measuredCauses.map((cause) => sustainedOf([{ ...idle, [cause]: 7 }])[cause])).toEqual([
    7, 7, 7,
  ])
})
