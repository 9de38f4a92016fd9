import { expect, test } from "bun:test"
import { median, quantile, ratios, shuffle, spreadOf } from "./statistics.ts"

test("a quantile lies between its neighbors, in any order", () => {
  expect([0, 0.25, 0.5, 0.9, 1].map((share) => quantile([40, 10, 30, 20], share))).toEqual([
    10, 17.5, 25, 37, 40,
  ])
  expect(quantile([7], 0.99)).toBe(7)
})

test("numbers are sorted numerically, and the input is not changed", () => {
  const values = [100, 9, 20]
  expect(median(values)).toBe(20)
  expect(values).toEqual([100, 9, 20])
})

test("an empty list has no quantile", () => {
  expect(() => quantile([], 0.5)).toThrow("a quantile of an empty list")
})

test("a spread has the median, the quartiles and the extremes", () => {
  expect(spreadOf([5, 1, 2, 4, 3])).toEqual({
    median: 3,
    lowerQuartile: 2,
    upperQuartile: 4,
    min: 1,
    max: 5,
  })
})

test("ratios are computed within a round", () => {
  expect(ratios([10, 30], [20, 10])).toEqual([0.5, 3])
  expect(() => ratios([1], [])).toThrow("lists of different lengths")
})

test("shuffling keeps all values and can return every order", () => {
  const rolls = [0, 0.4, 0.7, 0.99]
  const orders = rolls.flatMap((first) =>
    rolls.map((second) => {
      const numbers = [first, second].values()
      return shuffle(["a", "b", "c"], () => numbers.next().value ?? 0).join("")
    }),
  )
  expect([...new Set(orders)].sort()).toEqual(["abc", "acb", "bac", "bca", "cab", "cba"])
})
