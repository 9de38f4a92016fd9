import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { findErrorCode, hasErrorCode } from "./error.ts"

function errorOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error("it did not fail")
}

test("a system error has its code", () => {
  const missing = errorOf(() => readFileSync("/nowhere/at/all"))
  expect(findErrorCode(missing)).toBe("ENOENT")
  expect([hasErrorCode(missing, "ENOENT"), hasErrorCode(missing, "EEXIST")]).toEqual([true, false])
})

test.each([
  ["an error without a code", new Error("plain")],
  ["an object that is not an error", { code: "ENOENT" }],
  ["a text", "ENOENT"],
  ["null", null],
])("%s has no error code", (_, thrown) => {
  expect([findErrorCode(thrown), hasErrorCode(thrown, "ENOENT")]).toEqual([null, false])
})
