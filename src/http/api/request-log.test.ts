import { expect, test } from "bun:test"
import { createLog } from "../../log/log.ts"
import { createRecorder } from "../../metrics/recorder.ts"
import { createRow } from "../../metrics/row.ts"
import { createRequestLog, openRequestCounts, withoutKey } from "./request-log.ts"

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
    id: "r",
    startedAtMs: 0,
    method: "POST",
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

test("at info, one line a minute counts the requests by error code", () => {
  const row = createRow()
  const { countRequest } = createRecorder(row)
  let text = ""
  let passMinute = () => {}
  let isStopped = false
  const log = createLog("info", (more) => {
    text += more
  })
  const close = openRequestCounts(log, row, (ms, work) => {
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
  for (let turn = 0; turn < 3; turn += 1)
    countRequest("validate_purchase", "unknown_code", 1, false)
  countRequest("validate_purchase", "ok", 1, false)
  countRequest("read_item", "ok", 1, false)
  countRequest("validate_purchase", "unavailable", 1, false)
  countRequest("validate_purchase", "unknown_key", 1, false)
  countRequest("list_items", "unknown_key", 1, false)
  expect(read()).toEqual([])
  passMinute()
  expect(read()).toEqual([
    { message: "requests", ok: 2, unknown_key: 2, unavailable: 1, unknown_code: 3 },
  ])
  passMinute()
  expect(read()).toEqual([])
  countRequest("list_items", "unknown_key", 1, false)
  close()
  expect([read(), isStopped]).toEqual([[{ message: "requests", unknown_key: 1 }], true])
})
