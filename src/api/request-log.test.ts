import { expect, test } from "bun:test"
import { createLog } from "../platform/log.ts"
import { countRequest, createMetrics } from "../usage/metrics.ts"
import type { CountedReason, Route } from "../usage/usage.ts"
import { createRequestLog, openRequestCounts, unauthenticatedOutcome } from "./request-log.ts"

test("the 503 of a test code is not logged as an error: anybody can request it", () => {
  let text = ""
  const log = createLog("error", (more) => {
    text += more
  })
  const recordResponse = createRequestLog(
    log,
    () => {},
    () => false,
  )
  const trace = {
    id: "r",
    startedAtMs: 0,
    method: "POST",
    route: "validate_purchase",
  } as const
  const createResponse = () => new Response("{}", { status: 503 })
  recordResponse(createResponse(), trace, {
    ...unauthenticatedOutcome,
    reason: "unavailable",
    fault: null,
  })
  log.flush()
  expect(text).toBe("")
  recordResponse(createResponse(), trace, {
    ...unauthenticatedOutcome,
    reason: "unavailable",
    fault: new Error("the disk is full"),
  })
  log.flush()
  expect(text.match(/"level":"error"/g)).toHaveLength(2)
})

test("at info, one line a minute counts the requests by error code", () => {
  const metrics = createMetrics()
  const count = (route: Route, reason: CountedReason) => countRequest(metrics, route, reason, 1)
  let text = ""
  let passMinute = () => {}
  let isStopped = false
  const log = createLog("info", (more) => {
    text += more
  })
  const close = openRequestCounts(log, metrics, (ms, work) => {
    expect(ms).toBe(60_000)
    passMinute = work
    return () => {
      isStopped = true
    }
  })
  const read = () => {
    log.flush()
    const lines = text.split("\n").filter((line) => line !== "")
    text = ""
    return lines.map((line) => {
      const { time: _, level: __, ...rest } = JSON.parse(line)
      return rest
    })
  }
  for (let turn = 0; turn < 3; turn += 1) count("validate_purchase", "unknown_code")
  count("validate_purchase", "ok")
  count("read_item", "ok")
  count("validate_purchase", "unavailable")
  count("validate_purchase", "unknown_key")
  count("list_items", "unknown_key")
  expect(read()).toEqual([])
  passMinute()
  expect(read()).toEqual([
    { message: "requests", ok: 2, unknown_key: 2, unavailable: 1, unknown_code: 3 },
  ])
  passMinute()
  expect(read()).toEqual([])
  count("list_items", "unknown_key")
  close()
  expect([read(), isStopped]).toEqual([[{ message: "requests", unknown_key: 1 }], true])
})
