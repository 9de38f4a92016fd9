import { expect, test } from "bun:test"
import { SourceError, startIdleTimer, toSourceError, withIdleTimeout } from "./source.ts"

const never = new Promise(() => {})

test("a missing response is a SourceError", async () => {
  await expect(withIdleTimeout(never, 1)).rejects.toThrow(SourceError)
  expect(await withIdleTimeout(Promise.resolve("rows"), 60_000)).toBe("rows")
})

test("a stream that stops sending rows is detected", async () => {
  const { promise, resolve } = Promise.withResolvers<SourceError>()
  const timer = startIdleTimer(1, resolve)
  timer.restart()
  expect(await promise).toBeInstanceOf(SourceError)
  timer.stop()
})

test("a refused connection has the reason in its message", () => {
  const refused = new AggregateError([new Error("connect ECONNREFUSED ::1:3306")])
  expect(String(toSourceError(refused))).toBe("SourceError: connect ECONNREFUSED ::1:3306")
})
