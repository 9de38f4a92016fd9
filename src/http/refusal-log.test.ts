import { expect, test } from "bun:test"
import { createLog } from "../log.ts"
import { openRefusalLog } from "./refusal-log.ts"

test("a minute's refusals are one line for each route and reason", () => {
  let text = ""
  let passMinute = () => {}
  let isStopped = false
  const log = createLog("info", (more) => {
    text += more
  })
  const refusals = openRefusalLog(log, (ms, work) => {
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
      const { route, reason, count, message } = JSON.parse(line)
      return [message, route, reason, count]
    })
  }
  for (let turn = 0; turn < 3; turn += 1) refusals.count("validate_purchase", "unknown_code")
  refusals.count("validate_purchase", "unknown_key")
  refusals.count("list_items", "unknown_key")
  expect(read()).toEqual([])
  passMinute()
  expect(read()).toEqual([
    ["refused calls", "validate_purchase", "unknown_code", 3],
    ["refused calls", "validate_purchase", "unknown_key", 1],
    ["refused calls", "list_items", "unknown_key", 1],
  ])
  passMinute()
  expect(read()).toEqual([])
  refusals.count("list_items", "unknown_key")
  refusals.close()
  expect([read(), isStopped]).toEqual([[["refused calls", "list_items", "unknown_key", 1]], true])
})
