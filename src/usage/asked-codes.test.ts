import { beforeEach, expect, test } from "bun:test"
import fc from "fast-check"
import { type Clock, createClock } from "../../tests/harness/clock.ts"
import { type AskedCodes, openAskedCodes } from "./asked-codes.ts"

let clock: Clock
let written: { codes: readonly string[]; day: string }[]
let isBroken: boolean
let faults: number
let codes: AskedCodes
/** What the timer would do. */
let tick: () => Promise<void>

beforeEach(() => {
  clock = createClock("2026-06-15T23:59:00Z")
  ;[written, isBroken, faults] = [[], false, 0]
  codes = openAskedCodes({
    usage: {
      async noteCodes(codes, day) {
        if (isBroken) throw new Error("the disk is full")
        written.push({ codes, day })
      },
    },
    now: clock.now,
    every(_, work) {
      tick = async () => work()
      return () => {}
    },
    onFault() {
      faults += 1
    },
  })
})

test("a code is written once a day", async () => {
  for (const code of ["a", "b", "a"]) codes.note(code)
  await tick()
  codes.note("b")
  await tick()
  expect(written).toEqual([{ codes: ["a", "b"], day: "2026-06-15" }])
  clock.forward(60)
  codes.note("b")
  await tick()
  expect(written.slice(1)).toEqual([{ codes: ["b"], day: "2026-06-16" }])
})

test("codes that could not be written are written later, and those that found no room when asked for again", async () => {
  isBroken = true
  for (let at = 0; at < 600; at += 1) codes.note(`code-${at}`)
  await tick()
  isBroken = false
  await codes.close()
  expect(faults).toBe(1)
  expect(written.map(({ codes }) => codes.length)).toEqual([500])
  codes.note("code-599")
  await codes.close()
  expect(written[1]?.codes).toEqual(["code-599"])
})

test("each code is written once a day, in writes of at most 500", async () => {
  const steps = fc.array(fc.option(fc.nat(700)), { maxLength: 3_000, size: "max" })
  await fc.assert(
    fc.asyncProperty(steps, async (asked) => {
      written = []
      clock.forward(86_400)
      for (const code of asked) {
        if (code === null) await tick()
        else codes.note(String(code))
      }
      await codes.close()
      for (const code of asked) codes.note(String(code ?? 0))
      await codes.close()
      const all = written.flatMap((write) => write.codes)
      expect(written.every((write) => write.codes.length <= 500)).toBe(true)
      expect(all.toSorted()).toEqual(
        [...new Set(asked.map((code) => String(code ?? 0)))].toSorted(),
      )
    }),
    { numRuns: 30 },
  )
})
