import { expect, test } from "bun:test"
import { createFailedRequestBuffer } from "./usage-counter.ts"

const code = "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21"
const request = {
  keyId: "key_1",
  operation: "validate_purchase",
  reason: "unknown_code",
  rejectedCode: { code, isOwn: false },
} as const
const nowMs = Date.parse("2026-06-22T08:00:00Z")
const at = "2026-06-22T08:00:00Z"
const from = (address: string) => ({ address: () => address })
const home = from("192.0.2.7")
const entry = {
  keyId: "key_1",
  operation: "validate_purchase",
  reason: "unknown_code",
  ipRange: "192.0.2.0/24",
  code: "8f14…3e21",
  firstAt: at,
  lastAt: at,
  calls: 1,
} as const

test("equal requests are one entry, and a code that the author did not sell is masked", () => {
  const log = createFailedRequestBuffer()
  log.record(request, nowMs, home)
  log.record(request, nowMs + 1_000, from("192.0.2.8"))
  log.record({ ...request, rejectedCode: { code, isOwn: true } }, nowMs, home)
  log.record({ ...request, reason: "rate_limited", rejectedCode: null }, nowMs, home)
  expect(log.take()).toEqual([
    { ...entry, lastAt: "2026-06-22T08:00:01Z", calls: 2 },
    { ...entry, code },
    { ...entry, reason: "rate_limited", code: "" },
  ])
  expect(log.take()).toEqual([])
})

test("requests in a loop become one entry, and their addresses are not resolved", () => {
  const log = createFailedRequestBuffer()
  let lookups = 0
  for (let nth = 0; nth < 10_000; nth += 1) {
    const address = () => {
      lookups += 1
      return `10.${nth >> 8}.${nth & 255}.1`
    }
    log.record({ ...request, rejectedCode: { code: `guess ${nth}`, isOwn: false } }, nowMs, {
      address,
    })
  }
  const entries = log.take()
  expect(lookups).toBe(20)
  expect(entries).toHaveLength(21)
  expect(entries.at(-1)).toEqual({ ...entry, ipRange: "", code: "", calls: 9_980 })
  log.record(request, nowMs, home)
  expect(log.take()).toEqual([entry])
})

test("memory is bounded for any number of keys, and a busy key does not displace others", () => {
  const log = createFailedRequestBuffer()
  for (let nth = 0; nth < 1_000; nth += 1) log.record(request, nowMs, from(`10.0.${nth & 255}.1`))
  log.record({ ...request, keyId: "key_2" }, nowMs, home)
  expect(log.take().at(-1)).toEqual({ ...entry, keyId: "key_2" })
  for (let nth = 0; nth < 10_000; nth += 1)
    log.record({ ...request, keyId: `key_${nth}` }, nowMs, home)
  const entries = log.take()
  expect(entries).toHaveLength(500)
  expect(entries.filter(({ ipRange }) => ipRange !== "")).toHaveLength(300)
})
