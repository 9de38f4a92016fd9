import { expect, test } from "bun:test"
import fc from "fast-check"
import { parsePolicy } from "./policy.ts"

function read(text: string) {
  const problems: string[] = []
  return { policy: parsePolicy(text, problems), problems }
}
const { policy: defaults } = read("on")

test("named limits replace their defaults, the others stay", () => {
  expect(read("reads=20/s burst 100 in-flight 16, lists=2/s,misses=60/1h , bad-keys=off")).toEqual({
    problems: [],
    policy: {
      ...defaults,
      reads: { intervalMs: 50, burst: 100, inFlightMax: 16 },
      lists: { intervalMs: 500, burst: 2, inFlightMax: 2 },
      misses: { intervalMs: 60_000, burst: 60, inFlightMax: null },
      "bad-keys": null,
    },
  })
})

test.each([
  ["reads=0/s", "reads "],
  ["reads=10/s burst 0", "reads "],
  ["reads=10/s in-flight 0", "reads "],
  ["misses=10/s in-flight 2", "misses "],
  ["lists=1/2h", "lists "],
  ["lists=5/0m", "lists "],
  ["lists", '""'],
  ["operator = five", "operator=5/m"],
  ["read=1/s", '"read"'],
  ["no", '"no"'],
])("%s is refused, and the message names it", (text, named) => {
  expect(read(text).problems).toEqual([expect.stringContaining(named)])
})

test("every problem is told at once", () => {
  expect(read("read=1/s, lists=x, misses=60/10m").problems).toHaveLength(2)
})

test("whatever is written, each limit is off or possible", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), (text, count, burst) => {
      for (const written of [text, `reads=${text}`, `lists=${count}/s burst ${burst}`]) {
        for (const rate of Object.values(read(written).policy)) {
          if (rate === null) continue
          expect(rate.intervalMs > 0 && rate.intervalMs <= 3_600_000 && rate.burst >= 1).toBe(true)
        }
      }
    }),
  )
})
