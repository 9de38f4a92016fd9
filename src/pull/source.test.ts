import { expect, test } from "bun:test"
import { SourceError, startIdleTimer, toSourceError, withIdleTimeout } from "./source.ts"

const never = new Promise(() => {})

test("an answer that does not come is an error of the source", async () => {
  await expect(withIdleTimeout(never, 1)).rejects.toThrow(SourceError)
  expect(await withIdleTimeout(Promise.resolve("rows"), 60_000)).toBe("rows")
})

test("rows that stop coming are noticed", async () => {
  const { promise, resolve } = Promise.withResolvers<SourceError>()
  const watch = startIdleTimer(1, resolve)
  watch.heard()
  expect(await promise).toBeInstanceOf(SourceError)
  watch.end()
})

test("the reasons of a refused connection are told", () => {
  const refused = new AggregateError([new Error("connect ECONNREFUSED ::1:3306")])
  expect(String(toSourceError(refused))).toBe("SourceError: connect ECONNREFUSED ::1:3306")
})
