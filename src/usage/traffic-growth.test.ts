import { expect, test } from "bun:test"
import fc from "fast-check"
import { runs } from "../../tests/harness/tier.ts"
import { signInOutcomes } from "../domain/sign-in/sign-in-failures.ts"
import type { TrafficCount } from "../domain/usage/usage.ts"
import { reasons, routes } from "../metrics/labels.ts"
import { createRecorder } from "../metrics/recorder.ts"
import { createRow } from "../metrics/row.ts"
import { watchTraffic } from "./traffic-growth.ts"

test("begins with what comes from now on: a thread may go on with the row of one that died", () => {
  const row = createRow()
  const { countRequest } = createRecorder(row)
  countRequest("page", "ok", 2, false)
  const take = watchTraffic(row)
  expect(take()).toEqual([])
  countRequest("page", "ok", 2, false)
  expect(take()).toEqual([
    { kind: "request", operation: "page", detail: "ok", count: 1 },
    { kind: "duration", operation: "page", detail: "0.0025", count: 1 },
  ])
  expect(take()).toEqual([])
})

test("whatever is counted, what is taken adds up to it", () => {
  const any = fc.oneof(
    fc.record({
      route: fc.constantFrom(...routes),
      reason: fc.constantFrom(...reasons),
      ms: fc.double({ min: 0, max: 30_000, noNaN: true }),
    }),
    fc.constantFrom(...signInOutcomes),
    fc.constant("take" as const),
  )
  fc.assert(
    fc.property(fc.array(any, { maxLength: 30 }), (steps) => {
      const row = createRow()
      const recorder = createRecorder(row)
      const take = watchTraffic(row)
      const taken: TrafficCount[] = []
      const expected = new Map<string, number>()
      const expectOne = (name: string) => expected.set(name, (expected.get(name) ?? 0) + 1)
      for (const step of steps) {
        if (step === "take") taken.push(...take())
        else if (typeof step === "string") {
          recorder.countSignIn(step)
          expectOne(`sign_in  ${step}`)
        } else {
          recorder.countRequest(step.route, step.reason, step.ms, false)
          expectOne(`request ${step.route} ${step.reason}`)
          expectOne(`duration ${step.route}`)
        }
      }
      const sums = new Map<string, number>()
      for (const { kind, operation, detail, count } of [...taken, ...take()]) {
        const name = kind === "duration" ? `${kind} ${operation}` : `${kind} ${operation} ${detail}`
        sums.set(name, (sums.get(name) ?? 0) + count)
      }
      expect(sums).toEqual(expected)
    }),
    { numRuns: runs(100) },
  )
})
