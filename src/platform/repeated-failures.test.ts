import { expect, test } from "bun:test"
import fc from "fast-check"
import { createRepeatedFailures } from "./log.ts"

test("every failure is either written or counted once", () => {
  const kinds = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 200 }))
  const anySteps = fc.array(fc.oneof(kinds, fc.constant("ten seconds" as const)), {
    maxLength: 300,
  })
  fc.assert(
    fc.property(anySteps, (steps) => {
      const timers = new Set<() => void>()
      const logged = new Map<string, number>()
      const add = (kind: string, count: number) => logged.set(kind, (logged.get(kind) ?? 0) + count)
      const repeated = createRepeatedFailures(
        (_, work) => {
          timers.add(work)
          return () => timers.delete(work)
        },
        (count) => add("others", count),
      )
      for (const step of steps) {
        if (step === "ten seconds") for (const work of timers) work()
        else if (repeated.isFirst(`${step}`, (count) => add(`${step}`, count))) add(`${step}`, 1)
      }
      repeated.close()
      expect(timers.size).toBe(0)
      const failures = steps.filter((step) => step !== "ten seconds")
      const countOf = (kind: string) => failures.filter((step) => `${step}` === kind).length
      const counts = [...logged]
      expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBe(failures.length)
      expect(counts.filter(([kind, count]) => kind !== "others" && count > countOf(kind))).toEqual(
        [],
      )
    }),
  )
})
