import { describe, expect, test } from "bun:test"
import { message } from "../platform/problem.ts"
import {
  type Attempt,
  type BusySlot,
  chooseDue,
  type DueEndpoint,
  evaluateAttempt,
  retryAfterMs,
} from "./delivery.ts"

const responded = (status: number): Attempt => ({
  status,
  problem: null,
  response: "",
  durationMs: 12,
})
const silent: Attempt = {
  status: null,
  problem: message("connection_failed", { reason: "ECONNREFUSED" }),
  response: "",
  durationMs: 12,
}
const day = 86_400_000

test("a message has ten attempts within about three days", () => {
  const pauses = Array.from({ length: 10 }, (_, at) => retryAfterMs(at + 1, 0.5))
  const minutes = pauses.map((ms) => ms && ms / 60_000)
  expect(minutes).toEqual([1 / 12, 5, 30, 120, 300, 600, 840, 1_200, 1_440, null])
})

test("the pauses vary by 10 %", () => {
  expect([0, 1].map((random) => retryAfterMs(2, random))).toEqual([270_000, 330_000])
})

describe("after an attempt", () => {
  const evaluate = (
    attempt: Attempt,
    attempts = 1,
    failingSinceMs: number | null = null,
    nowMs = day,
    attemptedAtMs = nowMs - day,
  ) => evaluateAttempt(attempt, attempts, { failingSinceMs, attemptedAtMs }, { nowMs, random: 0.5 })

  test.each([200, 201, 202, 204, 299])("%d is a delivery", (status) => {
    expect(evaluate(responded(status), 3, 5)).toEqual({
      state: "delivered",
      nextAtMs: null,
      failingSinceMs: null,
      disabled: null,
    })
  })
  test.each([100, 301, 302, 307, 400, 404, 429, 500, 503])("%d is retried", (status) => {
    expect(evaluate(responded(status))).toEqual({
      state: "waiting",
      nextAtMs: day + 5_000,
      failingSinceMs: day,
      disabled: null,
    })
  })
  test("no response is retried, until the tenth attempt", () => {
    expect(evaluate(silent, 9, 7)).toMatchObject({ state: "waiting", failingSinceMs: 7 })
    expect(evaluate(silent, 10, 7)).toMatchObject({
      state: "failed",
      nextAtMs: null,
      disabled: null,
    })
  })
  test("410 disables the endpoint", () => {
    expect(evaluate(responded(410))).toMatchObject({ state: "failed", disabled: "gone" })
  })
  test("five days of failures disable the endpoint, and no shorter time", () => {
    expect(evaluate(silent, 2, 0, 5 * day - 1).disabled).toBeNull()
    expect(evaluate(silent, 2, 0, 5 * day)).toMatchObject({ state: "waiting", disabled: "failing" })
  })
  test("days without attempts are not failures", () => {
    const expected = { state: "waiting", failingSinceMs: 30 * day, disabled: null } as const
    expect(evaluate(silent, 1, 0, 30 * day, 3 * day)).toMatchObject(expected)
    expect(evaluate(silent, 1, 0, 30 * day, 28 * day)).toMatchObject({ disabled: "failing" })
  })
})

describe("among due messages", () => {
  const due = (id: string, messages: number, changes: Partial<DueEndpoint> = {}): DueEndpoint => ({
    id,
    accountId: 1,
    isFailing: false,
    messageIds: Array.from({ length: messages }, (_, at) => `${id}-${at}`),
    ...changes,
  })
  const chosen = (endpoints: readonly DueEndpoint[], busy: readonly BusySlot[] = []) => [
    ...chooseDue(endpoints, busy).keys(),
  ]
  const busyWith = (count: number, accountId: number | null, isFailing = false) =>
    Array.from({ length: count }, (_, at) => ({ endpointId: `busy-${at}`, accountId, isFailing }))

  test("an author has four slots, shared by all endpoints in turn", () => {
    expect(chosen([due("a", 9), due("b", 9)])).toEqual(["a-0", "b-0", "a-1", "b-1"])
    expect(chosen([due("a", 9)], busyWith(3, 1))).toEqual(["a-0"])
    expect(chosen([due("a", 9)], busyWith(4, 1))).toEqual([])
  })

  test("an author with many messages does not delay another", () => {
    const many = Array.from({ length: 50 }, (_, at) => due(`a${at}`, 16))
    expect(chosen([...many, due("b", 1, { accountId: 2 })])).toContain("b-0")
  })

  test("the operators have more slots", () => {
    expect(chosen([due("o", 16, { accountId: null })]).length).toBe(16)
  })

  test("a failing endpoint gets one message at a time", () => {
    expect(chosen([due("a", 9, { isFailing: true })])).toEqual(["a-0"])
    const slot = { endpointId: "a", accountId: 1, isFailing: true }
    expect(chosen([due("a", 9, { isFailing: true })], [slot])).toEqual([])
  })

  test("failing endpoints leave slots for the others", () => {
    const failing = Array.from({ length: 500 }, (_, at) =>
      due(`dead-${at}`, 1, { accountId: at, isFailing: true }),
    )
    const healthy = Array.from({ length: 500 }, (_, at) => due(`b-${at}`, 1, { accountId: -at }))
    const sent = chosen([...failing, ...healthy])
    expect(sent.filter((id) => id.startsWith("dead")).length).toBe(128)
    expect(sent.length).toBe(512)
  })
})
