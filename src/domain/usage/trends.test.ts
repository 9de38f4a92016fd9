import { describe, expect, test } from "bun:test"
import {
  addPurchaseDay,
  comparePurchases,
  findPurchaseDrop,
  findUnknownJump,
  parseTrends,
} from "./trends.ts"

/** Counts of the days up to 2026-06-15, of which only the valid purchases differ. */
const daysUntil15 = (...valid: readonly number[]) => ({
  purchases: valid.map((count, at) => ({
    day: `2026-06-${16 - valid.length + at}`,
    valid: count,
    revoked: 0,
  })),
})

describe("the purchases of a week", () => {
  test("the last count of a day stays, for eight days", () => {
    let days = addPurchaseDay([], "2026-06-01T23:00:00Z", { valid: 1, revoked: 0 })
    for (const day of ["03", "05", "08"]) {
      days = addPurchaseDay(days, `2026-06-${day}T01:00:00Z`, { valid: 2, revoked: 0 })
    }
    days = addPurchaseDay(days, "2026-06-08T02:00:00Z", { valid: 3, revoked: 1 })
    expect(days.map(({ day, valid }) => [day, valid])).toEqual([
      ["2026-06-01", 1],
      ["2026-06-03", 2],
      ["2026-06-05", 2],
      ["2026-06-08", 3],
    ])
    expect(comparePurchases({ purchases: days })).toEqual({
      now: { day: "2026-06-08", valid: 3, revoked: 1 },
      weekBefore: { day: "2026-06-01", valid: 1, revoked: 0 },
    })
    const later = addPurchaseDay(days, "2026-06-09T00:00:00Z", { valid: 4, revoked: 1 })
    expect(later[0]?.day).toBe("2026-06-03")
    expect(comparePurchases({ purchases: later }).weekBefore).toBeNull()
  })

  test("days of a clock that was ahead are dropped", () => {
    const ahead = addPurchaseDay([], "2027-01-01T00:00:00Z", { valid: 900, revoked: 0 })
    const days = addPurchaseDay(ahead, "2026-06-15T00:00:00Z", { valid: 10, revoked: 0 })
    expect(days).toEqual([{ day: "2026-06-15", valid: 10, revoked: 0 }])
  })

  test("nothing is stored before the first count", () => {
    expect(parseTrends(null)).toBeNull()
    expect(comparePurchases({ purchases: [] })).toEqual({ now: null, weekBefore: null })
    expect(findPurchaseDrop({ purchases: [] })).toBeNull()
  })
})

describe("a drop of the purchases", () => {
  test.each([
    ["against the day before", daysUntil15(1_000, 949)],
    ["days after it happened", daysUntil15(1_000, 1_000, 10, 10, 10)],
    ["although some have returned", daysUntil15(1_000, 10, 500)],
  ])("is found %s", (_, trends) => {
    expect(findPurchaseDrop(trends)?.before.valid).toBe(1_000)
  })

  test("has the day to compare with, and its size", () => {
    const { purchases } = daysUntil15(900, 1_000, 250)
    const [, before, now] = purchases
    expect(findPurchaseDrop({ purchases })).toMatchObject({ now, before, share: 0.75 })
  })

  test.each([
    ["one of 5 %", daysUntil15(1_000, 950)],
    ["one of at most 20 purchases", daysUntil15(20, 0)],
    ["growth", daysUntil15(10, 1_000)],
    ["the first count", daysUntil15(1_000)],
  ])("is not found in %s", (_, trends) => {
    expect(findPurchaseDrop(trends)).toBeNull()
  })
})

describe("a jump of the unknown codes", () => {
  const validations = (
    recent: readonly [number, number],
    weekBefore: readonly [number, number],
  ) => ({
    validations: {
      recent: { unknown: recent[0], validations: recent[1] },
      weekBefore: { unknown: weekBefore[0], validations: weekBefore[1] },
    },
  })

  test.each([
    ["twice the share", validations([60, 1_000], [30, 1_000]), { now: 0.06, before: 0.03 }],
    ["a week without any", validations([6, 100], [0, 100]), { now: 0.06, before: 0 }],
    ["few requests", validations([50, 100], [10, 1_000]), { now: 0.5, before: 0.01 }],
  ])("is found with %s", (_, trends, found) => {
    expect(findUnknownJump(trends)).toEqual(found)
  })

  test.each([
    ["less than twice the share", validations([59, 1_000], [30, 1_000])],
    ["5 %", validations([50, 1_000], [0, 1_000])],
    ["fewer than 100 validations", validations([99, 99], [0, 1_000])],
    ["fewer than 100 the week before", validations([500, 1_000], [0, 99])],
    ["no validations", validations([0, 0], [0, 0])],
  ])("is not found with %s", (_, trends) => {
    expect(findUnknownJump(trends)).toBeNull()
  })
})
