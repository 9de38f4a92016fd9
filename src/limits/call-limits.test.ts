import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { ApiKey } from "../domain/api-key.ts"
import { publicTestKey } from "../domain/public-test-key.ts"
import { RateLimited, type Ticket } from "../domain/rate-limits.ts"
import { parsePolicy } from "./policy.ts"
import { createLimitMemory, endCallsOf, openRateLimits } from "./rate-limits.ts"

const key: ApiKey = {
  ...{ id: "key_1", accountId: 1, kind: "vk", itemIds: null, expiresAt: null, revokedAt: null },
}

function open(
  policy = "on",
  memory = createLimitMemory(),
  thread = 0,
  sleep: (ms: number) => Promise<void> = async () => {},
) {
  let nowMs = 1_000_000
  const refused: string[] = []
  const limits = openRateLimits({
    ...{ policy: parsePolicy(policy, []), memory, thread, sleep, hashKey: new Uint8Array(32) },
    nowMs: () => nowMs,
    ...{ messages: null, isListener: false, every: () => () => {} },
    onRefused: (limit) => refused.push(limit),
  })
  const from = (address: string) => ({ address: () => address })
  /** Null if it is refused. */
  async function admit(
    operation: Parameters<typeof limits.calls.admit>[0],
    address: string,
    of = key,
  ) {
    try {
      return await limits.calls.admit(operation, of, from(address))
    } catch (error) {
      if (error instanceof RateLimited) return error
      throw error
    }
  }
  return { limits, admit, from, refused, pass: (ms: number) => (nowMs += ms) }
}
const isTicket = (admitted: Ticket | RateLimited | null) => !(admitted instanceof RateLimited)
const settle = (admitted: Ticket | RateLimited | null, reason: "ok" | "unknown_code") =>
  admitted instanceof RateLimited ? null : (admitted?.settle(reason) ?? null)

describe("misses", () => {
  const validate = "validate_purchase"

  test("sixty, then one every ten seconds, for as long as they go on", async () => {
    const { admit, pass, refused } = open()
    for (let miss = 60; miss > 0; miss -= 1) {
      expect(settle(await admit(validate, "192.0.2.1"), "unknown_code")?.remaining).toBe(miss - 1)
    }
    for (let round = 0; round < 5; round += 1) {
      const refusal = await admit(validate, "192.0.2.1")
      expect(refusal).toMatchObject({ quota: { limit: "misses", retryAfterSeconds: 10 } })
      pass(9_900)
      expect(await admit(validate, "192.0.2.1")).toMatchObject({ quota: { retryAfterSeconds: 1 } })
      pass(100)
      expect(settle(await admit(validate, "192.0.2.1"), "unknown_code")).not.toBeNull()
    }
    expect(refused).toHaveLength(10)
    pass(600_000)
    expect(settle(await admit(validate, "192.0.2.1"), "unknown_code")?.remaining).toBe(59)
  })

  test("successes never count, nor do answers that say nothing about the code", async () => {
    const { admit } = open()
    for (let call = 0; call < 1_000; call += 1) {
      const ticket = await admit(validate, "192.0.2.1")
      expect(isTicket(ticket)).toBe(true)
      settle(ticket, "ok")
    }
    expect(settle(await admit(validate, "192.0.2.1"), "unknown_code")?.remaining).toBe(59)
  })

  test("calls in flight are waited for: they may be successes", async () => {
    const held: (Ticket | RateLimited | null)[] = []
    const waits: number[] = []
    const { admit } = open("on", createLimitMemory(), 0, async (ms) => {
      waits.push(ms)
      if (ms === 4) settle(held.shift() ?? null, "ok")
    })
    for (let call = 0; call < 60; call += 1) held.push(await admit(validate, "192.0.2.1"))
    expect(isTicket(await admit(validate, "192.0.2.1"))).toBe(true)
    expect(waits).toEqual([1, 2, 4])
  })

  test("calls in flight that are misses are not waited for in vain", async () => {
    const held: (Ticket | RateLimited | null)[] = []
    const waits: number[] = []
    const { admit } = open("on", createLimitMemory(), 0, async (ms) => {
      waits.push(ms)
      for (const ticket of held.splice(0)) settle(ticket, "unknown_code")
    })
    for (let call = 0; call < 60; call += 1) held.push(await admit(validate, "192.0.2.1"))
    expect(isTicket(await admit(validate, "192.0.2.1"))).toBe(false)
    expect(waits).toEqual([1])
    expect(isTicket(await admit(validate, "192.0.2.1"))).toBe(false)
    expect(waits).toEqual([1])
  })

  test("calls that hang keep no other address out", async () => {
    const { admit } = open()
    for (let call = 0; call < 60; call += 1) await admit(validate, "192.0.2.1")
    expect(isTicket(await admit(validate, "192.0.2.2"))).toBe(true)
    expect(isTicket(await admit(validate, "192.0.2.2"))).toBe(false)
  })

  test("one address cannot use up the budget of another, nor of a neighbour in its /64", async () => {
    const { admit } = open()
    const miss = async (address: string) => settle(await admit(validate, address), "unknown_code")
    for (let call = 0; call < 100; call += 1) await miss("192.0.2.1")
    for (let call = 0; call < 100; call += 1) await miss(`2001:db8:0:1::${call.toString(16)}`)
    expect(isTicket(await admit(validate, "192.0.2.1"))).toBe(false)
    expect(isTicket(await admit(validate, "2001:db8:0:1:ffff::"))).toBe(false)
    expect((await miss("192.0.2.2"))?.remaining).toBe(59)
    expect((await miss("2001:db8:0:2::"))?.remaining).toBe(59)
    expect(isTicket(await admit(validate, "192.0.2.1", { ...key, id: "key_2" }))).toBe(true)
  })

  test("the codes of test keys always answer the same", async () => {
    const { admit } = open()
    const testKey = { ...key, kind: "tk" as const }
    for (let call = 0; call < 100; call += 1) {
      expect(await admit(validate, "192.0.2.1", testKey)).toBeNull()
    }
  })

  /** Starts and ends of calls in any order, on two threads, from three addresses. */
  const steps = fc.array(
    fc.record({
      address: fc.constantFrom("192.0.2.1", "192.0.2.2", "192.0.2.3"),
      isMiss: fc.boolean(),
      openForSteps: fc.nat({ max: 20 }),
      passMs: fc.constantFrom(0, 0, 0, 50, 1_000),
      thread: fc.nat({ max: 1 }),
    }),
    { minLength: 100, maxLength: 400 },
  )

  test("whatever happens at once, no address gets more misses than its budget", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const memory = createLimitMemory()
        const policy = "misses=10/100s"
        const threads = [open(policy, memory, 0), open(policy, memory, 1)]
        let nowMs = 0
        const started = new Map<string, number[]>()
        const inFlight: { endAt: number; end(): void; address: string }[] = []
        for (const [step, { address, isMiss, openForSteps, passMs, thread }] of list.entries()) {
          nowMs += passMs
          for (const each of threads) each.pass(passMs)
          for (const call of inFlight) if (call.endAt === step) call.end()
          const ticket = (await threads[thread]?.admit("validate_purchase", address)) ?? null
          const times = started.get(address) ?? []
          if (!isTicket(ticket)) {
            // A caller without a miss and without another call is never refused.
            const others = inFlight.filter((call) => call.address === address && call.endAt > step)
            expect(times.length + others.length).toBeGreaterThan(0)
            continue
          }
          if (isMiss) started.set(address, [...times, nowMs])
          const end = () => settle(ticket, isMiss ? "unknown_code" : "ok")
          inFlight.push({ endAt: step + 1 + openForSteps, end, address })
        }
        for (const times of started.values()) {
          for (const [first, startMs] of times.entries()) {
            for (const [more, endMs] of times.slice(first).entries()) {
              expect(more + 1).toBeLessThanOrEqual(11 + (endMs - startMs) / 10_000)
            }
          }
        }
      }),
      { numRuns: 40, endOnFailure: true },
    )
  })
})

describe("reads and lists", () => {
  test("a burst, then the rate; the answers tell what is left", async () => {
    const { admit, pass } = open()
    const read = async () => {
      const ticket = await admit("read_item", "192.0.2.1")
      const quota = ticket instanceof RateLimited ? ticket.quota : (ticket?.settle("ok") ?? null)
      if (!(ticket instanceof RateLimited)) ticket?.leave()
      return quota
    }
    for (let left = 49; left >= 0; left -= 1) expect((await read())?.remaining).toBe(left)
    expect(await read()).toMatchObject({ limit: "reads", retryAfterSeconds: 1, resetSeconds: 5 })
    expect(isTicket(await admit("read_account", "192.0.2.1"))).toBe(false)
    expect(isTicket(await admit("list_items", "192.0.2.1"))).toBe(true)
    pass(100)
    expect(await read()).toMatchObject({ remaining: 0, retryAfterSeconds: 1 })
  })

  test("calls in flight have places, on all threads together", async () => {
    const memory = createLimitMemory()
    const [one, other] = [open("on", memory, 0), open("on", memory, 1)]
    const held = [await one.admit("list_items", ""), await other.admit("list_items", "")]
    expect(held.map(isTicket)).toEqual([true, true])
    expect(await one.admit("list_items", "")).toMatchObject({
      quota: { limit: "lists", remaining: 3, retryAfterSeconds: 1 },
    })
    endCallsOf(memory, 1)
    expect(isTicket(await one.admit("list_items", ""))).toBe(true)
  })

  test("the public test key is limited by address", async () => {
    const { admit } = open()
    const list = async (address: string) =>
      isTicket(await admit("list_items", address, publicTestKey))
    const three = [await list("192.0.2.1"), await list("192.0.2.1"), await list("192.0.2.1")]
    expect(three).toEqual([true, true, false])
    expect(await list("192.0.2.2")).toBe(true)
  })
})

test("nothing is limited where the policy is off", async () => {
  const { admit } = open("off")
  expect([await admit("list_items", ""), await admit("validate_purchase", "")]).toEqual([
    null,
    null,
  ])
})
