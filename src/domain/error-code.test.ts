import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { findErrorCode, hasErrorCode } from "./error-code.ts"

function errorOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error("it did not fail")
}

test("an error of the system has its code", () => {
  const missing = errorOf(() => readFileSync("/nowhere/at/all"))
  expect(findErrorCode(missing)).toBe("ENOENT")
  expect([hasErrorCode(missing, "ENOENT"), hasErrorCode(missing, "EEXIST")]).toEqual([true, false])
})

test.each([[new Error("plain")], [{ code: "ENOENT" }], ["ENOENT"], [null], [undefined]])(
  "%p has none",
  (thrown) => {
    expect([findErrorCode(thrown), hasErrorCode(thrown, "ENOENT")]).toEqual([null, false])
  },
)
