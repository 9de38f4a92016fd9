import { expect, test } from "bun:test"
import fc from "fast-check"
import { limitNames } from "../domain/rate-limits.ts"
import { signInOutcomes } from "../domain/sign-in-failures.ts"
import type { TrafficCount } from "../domain/traffic.ts"
import { reasons, routes } from "./labels.ts"
import { createMetricsMemory, rowOf } from "./memory.ts"
import { createRecorder } from "./recorder.ts"
import { openTrafficHistory } from "./traffic-history.ts"

function open(threads = 1) {
  const memory = createMetricsMemory(threads, new Date(0))
  const added: Readonly<{ hour: string; counts: readonly TrafficCount[] }>[] = []
  const faults: unknown[] = []
  let isDown = false
  let nowMs = Date.parse("2026-06-22T10:59:55Z")
  let work = () => {}
  const history = openTrafficHistory({
    memory,
    traffic: {
      async add(hour, counts) {
        if (isDown) throw new Error("lost")
        added.push({ hour, counts })
      },
    },
    now: () => new Date(nowMs),
    every(_, repeated) {
      work = repeated
      return () => {
        work = () => {}
      }
    },
    onFault: (fault) => faults.push(fault),
  })
  return {
    ...history,
    added,
    faults,
    recorder: (thread = 0) => createRecorder(rowOf(memory, thread)),
    async tick() {
      nowMs += 10_000
      work()
      await Bun.sleep(0)
    },
    lose: (isLost: boolean) => {
      isDown = isLost
    },
  }
}

const request = (count: number): TrafficCount => ({
  ...{ kind: "request", operation: "page", detail: "ok", count },
})
const duration = (count: number): TrafficCount => ({
  ...{ kind: "duration", operation: "page", detail: "0.0025", count },
})

test("writes what all threads counted since the last write, and nothing when there is nothing", async () => {
  const { added, recorder, tick, close } = open(2)
  recorder(0).countRequest("page", "ok", 2, false)
  recorder(1).countRequest("page", "ok", 2, false)
  await tick()
  await tick()
  recorder(1).countRequest("page", "ok", 2, false)
  await close()
  expect(added).toEqual([
    { hour: "2026-06-22T11:00:05Z", counts: [request(2), duration(2)] },
    { hour: "2026-06-22T11:00:15Z", counts: [request(1), duration(1)] },
  ])
})

test("what could not be written is written later, once", async () => {
  const { added, faults, recorder, tick, lose } = open()
  lose(true)
  recorder().countRequest("page", "ok", 2, false)
  await tick()
  expect(faults).toEqual([new Error("lost")])
  lose(false)
  recorder().countRequest("page", "ok", 2, false)
  await tick()
  await tick()
  expect(added.map(({ counts }) => counts)).toEqual([[request(2), duration(2)]])
})

test("whatever is counted, the writes add up to it", async () => {
  const any = fc.oneof(
    fc.record({
      route: fc.constantFrom(...routes),
      reason: fc.constantFrom(...reasons),
      ms: fc.double({ min: 0, max: 30_000, noNaN: true }),
    }),
    fc.constantFrom(...signInOutcomes),
    fc.record({ limit: fc.constantFrom(...limitNames) }),
    fc.constant("tick" as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(any, { maxLength: 30 }), async (steps) => {
      const { added, recorder, tick, close } = open()
      const expected = new Map<string, number>()
      const count = (name: string) => expected.set(name, (expected.get(name) ?? 0) + 1)
      for (const step of steps) {
        if (step === "tick") await tick()
        else if (typeof step === "string") {
          recorder().countSignIn(step)
          count(`sign_in  ${step}`)
        } else if ("limit" in step) {
          recorder().countRateLimited(step.limit)
          count(`limit  ${step.limit}`)
        } else {
          recorder().countRequest(step.route, step.reason, step.ms, false)
          count(`request ${step.route} ${step.reason}`)
          count(`duration ${step.route}`)
        }
      }
      await close()
      const sums = new Map<string, number>()
      for (const { kind, operation, detail, count } of added.flatMap(({ counts }) => counts)) {
        const name = kind === "duration" ? `${kind} ${operation}` : `${kind} ${operation} ${detail}`
        sums.set(name, (sums.get(name) ?? 0) + count)
      }
      expect(sums).toEqual(expected)
    }),
    { numRuns: 50 },
  )
})
