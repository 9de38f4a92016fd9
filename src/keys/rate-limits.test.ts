import { describe, expect, test } from "bun:test"
import type { ApiKey } from "../contract/operation.ts"
import { createRateLimits, RateLimited } from "./rate-limits.ts"

const key: ApiKey = {
  id: "key_1",
  accountId: 1,
  kind: "vk",
  itemIds: null,
  isSiteRequired: false,
  scope: null,
  expiresAt: null,
  revokedAt: null,
}
const from = (address: string) => ({ address: () => address })
const nowhere = {
  address(): never {
    throw new Error("the address was resolved")
  },
}

function open(failuresMax: number | null = 60, threads = 1) {
  let nowMs = 1_000_000
  const limits = createRateLimits(failuresMax, threads, () => nowMs)
  /** Returns Retry-After in seconds; 0 if the request is allowed. */
  const wait = (limited: () => void): number => {
    try {
      limited()
      return 0
    } catch (error) {
      if (error instanceof RateLimited) return error.retryAfterSeconds
      throw error
    }
  }
  const validate = (
    address: string,
    reason: "ok" | "unknown_code",
    apiKey = key,
    code = "a valid code",
  ) =>
    wait(() => {
      limits.admit("validate_purchase", apiKey, from(address))
      const purchase = reason === "ok" ? { code } : null
      limits.recordOutcome("validate_purchase", apiKey, from(address), { reason, purchase })
    })
  return { limits, wait, validate, pass: (ms: number) => (nowMs += ms) }
}

describe("failed validations", () => {
  const here = "192.0.2.1"

  test.each([60, 7, 1])("are limited to %d per ten minutes", (failuresMax) => {
    const { validate, pass } = open(failuresMax)
    const intervalMs = 600_000 / failuresMax
    for (let i = 0; i < failuresMax; i += 1) expect(validate(here, "unknown_code")).toBe(0)
    for (let round = 0; round < 3; round += 1) {
      const seconds = Math.ceil(intervalMs / 1_000)
      expect([validate(here, "unknown_code"), validate(here, "ok")]).toEqual([seconds, seconds])
      pass(intervalMs - 1)
      expect(validate(here, "ok")).toBe(1)
      pass(1)
      expect(validate(here, "unknown_code")).toBe(0)
    }
    pass(600_000)
    for (let i = 0; i < failuresMax; i += 1) expect(validate(here, "unknown_code")).toBe(0)
  })

  test("concurrent guesses reveal no more than sequential ones, for valid and invalid codes", () => {
    const { limits, wait, validate } = open()
    for (let i = 0; i < 60; i += 1) validate(here, "unknown_code")
    expect(wait(() => limits.admit("validate_purchase", key, from(here)))).toBe(10)
    for (const reason of ["ok", "revoked_code", "unknown_code"] as const) {
      const record = () =>
        limits.recordOutcome("validate_purchase", key, from(here), { reason, purchase: null })
      expect(wait(record)).toBe(10)
    }
  })

  test("one address does not affect another, nor another key", () => {
    const { validate } = open()
    for (let i = 0; i < 100; i += 1) validate(here, "unknown_code")
    expect(validate("192.0.2.2", "ok")).toBe(0)
    expect(validate("192.0.2.2", "unknown_code")).toBe(0)
    expect(validate(here, "ok", { ...key, id: "key_2" })).toBe(0)
  })

  test("the addresses of an IPv6 /48 share one limit", () => {
    const { validate } = open()
    const address = (at: number) => `2001:db8:1:${at.toString(16)}::1`
    const failed = Array.from({ length: 900 }, (_, at) => validate(address(at), "unknown_code"))
    expect(failed.filter((seconds) => seconds === 0)).toHaveLength(60)
    expect(validate("2001:db8:2::1", "ok")).toBe(0)
  })

  describe("of an address with valid codes", () => {
    const codes = (count: number) => Array.from({ length: count }, (_, at) => `code-${at}`)
    /** How many failures are allowed at once. */
    function countAllowed({ validate }: ReturnType<typeof open>, address = here): number {
      let count = 0
      while (validate(address, "unknown_code") === 0) count += 1
      return count
    }

    test("are 60, and 2 for each different valid code of the last day", () => {
      const opened = open()
      const { validate, pass } = opened
      for (const code of [...codes(100), ...codes(100)]) validate(here, "ok", key, code)
      const allowed = countAllowed(opened)
      expect(Math.abs(allowed - 260)).toBeLessThan(20)
      pass(86_400_000)
      expect(countAllowed(opened)).toBe(allowed)
      pass(86_400_000)
      expect(countAllowed(opened)).toBe(60)
    })

    test("are at most 1,000, and never fewer than the setting", () => {
      for (const [failuresMax, allowed] of [
        [60, 1_000],
        [2_000, 2_000],
      ] as const) {
        const opened = open(failuresMax)
        for (const code of codes(2_000)) opened.validate(here, "ok", key, code)
        expect(countAllowed(opened)).toBe(allowed)
      }
    })

    test("are 60 at another address, after one valid code 62, and after a revoked one 60", () => {
      const opened = open()
      const { limits, validate } = opened
      for (const code of codes(100)) validate(here, "ok", key, code)
      expect(countAllowed(opened, "192.0.2.2")).toBe(60)
      for (let i = 0; i < 100; i += 1) validate("192.0.2.3", "ok")
      expect(countAllowed(opened, "192.0.2.3")).toBe(62)
      const outcome = { reason: "revoked_code", purchase: { code: "code-1" } } as const
      limits.recordOutcome("validate_purchase", key, from("192.0.2.4"), outcome)
      expect(countAllowed(opened, "192.0.2.4")).toBe(60)
    })

    test("a valid code that is rejected by the limit does not raise it", () => {
      const opened = open()
      expect(countAllowed(opened)).toBe(60)
      for (const code of codes(100)) expect(opened.validate(here, "ok", key, code)).toBe(10)
      opened.pass(600_000)
      expect(countAllowed(opened)).toBe(60)
    })
  })

  test("a test key is never limited, and `off` limits nothing", () => {
    const { validate } = open()
    const { validate: validateFreely } = open(null)
    const testKey: ApiKey = { ...key, kind: "tk" }
    for (let i = 0; i < 100; i += 1) {
      expect(validate(here, "unknown_code", testKey)).toBe(0)
      expect(validateFreely(here, "unknown_code")).toBe(0)
    }
  })

  test("memory is bounded: after 100,000 other IPv6 ranges, a count is evicted", () => {
    const { validate } = open()
    for (let i = 0; i < 60; i += 1) validate(here, "unknown_code")
    expect(validate(here, "ok")).toBe(10)
    const group = (at: number) => `${(at >> 16).toString(16)}:${(at & 65_535).toString(16)}`
    for (let at = 0; at < 100_000; at += 1) validate(`2001:${group(at)}::1`, "unknown_code")
    expect(validate(here, "ok")).toBe(0)
  })
})

test("a thread has its part of each limit, at least one, and the whole of the reads", () => {
  const { limits, wait, validate, pass } = open(60, 7)
  const repeat = (send: () => number) => {
    let count = 0
    while (send() === 0) count += 1
    return count
  }
  const here = from("192.0.2.1")
  const failures = () => repeat(() => validate("192.0.2.1", "unknown_code"))
  expect(failures()).toBe(Math.ceil(60 / 7))
  pass(600_000)
  for (let at = 0; at < 1_000; at += 1) validate("192.0.2.1", "ok", key, `code-${at}`)
  expect(failures()).toBe(Math.ceil(1_000 / 7))
  expect(repeat(() => wait(() => limits.countBuyer(here)))).toBe(Math.ceil(60 / 7))
  expect(repeat(() => wait(() => limits.countInvalid(here)))).toBe(Math.ceil(40 / 7))
  let sites = 0
  const rejectSite = () => wait(() => limits.countRejectedSite("a", `${++sites}.com`, here))
  expect(repeat(rejectSite)).toBe(Math.ceil(20 / 7))
  expect(wait(() => limits.admitSite("a", here))).toBeGreaterThan(0)
  expect(wait(() => limits.admitSite("a", from("192.0.2.2")))).toBe(0)
  expect(repeat(() => wait(() => limits.admit("read_item", key, nowhere)))).toBe(50)
})

test("a key may send 50 reads, then ten per second; a list counts as ten", () => {
  const { limits, wait, pass } = open()
  const read = (operation: "read_item" | "list_items" = "read_item", apiKey = key) =>
    wait(() => limits.admit(operation, apiKey, nowhere))
  for (let i = 0; i < 4; i += 1) expect(read("list_items")).toBe(0)
  for (let i = 0; i < 10; i += 1) expect(read()).toBe(0)
  expect([read(), read("list_items")]).toEqual([1, 1])
  expect(read("list_items", { ...key, id: "key_2" })).toBe(0)
  pass(100)
  expect([read("list_items"), read(), read()]).toEqual([1, 0, 1])
})

test("wrong codes on /license are limited per address, and per IP range at ten times that", () => {
  const { limits, wait } = open()
  const enter = (address: string) => wait(() => limits.countBuyer(from(address)))
  for (let host = 1; host <= 10; host += 1) {
    for (let i = 0; i < 60; i += 1) expect(enter(`192.0.2.${host}`)).toBe(0)
    expect(enter(`192.0.2.${host}`)).toBe(10)
  }
  const admit = (address: string) => wait(() => limits.admitBuyer(from(address)))
  expect([admit("192.0.2.11"), enter("192.0.2.11"), admit("192.0.3.1")]).toEqual([1, 1, 0])
})

test("an IP range may send 40 invalid keys, then twenty per second", () => {
  const { limits, wait, pass } = open()
  const count = (address: string) => wait(() => limits.countInvalid(from(address)))
  for (let i = 0; i < 40; i += 1) expect(count(`192.0.2.${i}`)).toBe(0)
  const lookUp = (address: string) => wait(() => limits.admitLookup(from(address)))
  expect([count("192.0.2.99"), lookUp("192.0.2.99"), lookUp("192.0.3.1")]).toEqual([1, 1, 0])
  pass(50)
  expect([lookUp("192.0.2.1"), count("192.0.2.1"), lookUp("192.0.2.1")]).toEqual([0, 0, 1])
})
