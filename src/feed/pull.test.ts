import { expect, test } from "bun:test"
import { dueMsOf, isOverdue, type Pull } from "./import-run.ts"

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
const startMs = Date.parse("2026-06-30T12:00:00Z")
const at = (ms: number) => new Date(ms).toISOString()

const pull: Pull = {
  name: "store",
  everySeconds: 300,
  firstRoundAt: at(startMs - dayMs),
  problem: null,
  lastScheduledAt: at(startMs),
  lastReadAt: at(startMs),
  lastSuccessAt: at(startMs),
}

test("a pull is overdue after two intervals and the time of a round", () => {
  expect(isOverdue(pull, startMs + 20 * minuteMs)).toBe(false)
  expect(isOverdue(pull, startMs + 21 * minuteMs)).toBe(true)
  const daily = { ...pull, everySeconds: 86_400 }
  expect(isOverdue(daily, startMs + 2 * dayMs)).toBe(false)
  expect(isOverdue(daily, startMs + 2 * dayMs + 11 * minuteMs)).toBe(true)
})

test("a pull that never succeeded counts from its first round", () => {
  const failing = { ...pull, firstRoundAt: at(startMs), lastReadAt: null, problem: null }
  expect(isOverdue(failing, startMs + 20 * minuteMs)).toBe(false)
  expect(isOverdue(failing, startMs + 21 * minuteMs)).toBe(true)
})

test("a pull without an interval is never overdue, nor one without rounds for a week", () => {
  expect(dueMsOf({ ...pull, everySeconds: null, lastScheduledAt: null }, startMs)).toBeNull()
  expect(isOverdue(pull, startMs + 7 * dayMs)).toBe(true)
  expect(dueMsOf(pull, startMs + 8 * dayMs)).toBeNull()
})
