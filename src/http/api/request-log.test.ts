import { expect, test } from "bun:test"
import { createLog } from "../../log/log.ts"
import { createRequestLog, withoutKey } from "./request-log.ts"

test("the 503 of a test code, which anybody can ask for, is no error in the log", () => {
  let text = ""
  const log = createLog("error", (more) => {
    text += more
  })
  const conclude = createRequestLog(
    log,
    () => {},
    () => false,
  )
  const trace = {
    ...{ id: "r", startedAtMs: 0, method: "POST" },
    route: "validate_purchase",
  } as const
  const answer = () => new Response("{}", { status: 503 })
  conclude(answer(), trace, { ...withoutKey, reason: "unavailable", fault: null })
  log.flush()
  expect(text).toBe("")
  conclude(answer(), trace, {
    ...withoutKey,
    reason: "unavailable",
    fault: new Error("the disk is full"),
  })
  log.flush()
  expect(text.match(/"level":"error"/g)).toHaveLength(2)
})
