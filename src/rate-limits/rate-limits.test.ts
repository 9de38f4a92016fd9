import { describe, expect, test } from "bun:test"
import { type ApiKey, publicTestKey } from "../domain/keys/api-key.ts"
import { RateLimited, type Ticket } from "../domain/running/rate-limits.ts"
import { parsePolicy } from "./policy.ts"
import { createRateLimits } from "./rate-limits.ts"

const key: ApiKey = {
  id: "key_1",
  accountId: 1,
  kind: "vk",
  itemIds: null,
  expiresAt: null,
  revokedAt: null,
}

function open(policy = "on") {
  let nowMs = 1_000_000
  const refused: string[] = []
  const limits = createRateLimits({
    policy: parsePolicy(policy, []),
    nowMs: () => nowMs,
    onRefused: (limit) => refused.push(limit),
  })
  const from = (address: string) => ({ address: () => address })
  /** Null if it is refused. */
  function admit(operation: Parameters<typeof limits.calls.admit>[0], address: string, of = key) {
    try {
      return limits.calls.admit(operation, of, from(address))
    } catch (error) {
      if (error instanceof RateLimited) return error
      throw error
    }
  }
  return { limits, admit, from, refused, pass: (ms: number) => (nowMs += ms) }
}
const isTicket = (admitted: Ticket | RateLimited | null) => !(admitted instanceof RateLimited)
const settle = (
  admitted: Ticket | RateLimited | null,
  reason: "ok" | "revoked_code" | "unknown_code",
) => (admitted instanceof RateLimited ? null : (admitted?.settle(reason) ?? null))

describe("misses", () => {
  const validate = "validate_purchase"

  test("sixty, then one every ten seconds, for as long as they go on", () => {
    const { admit, pass, refused } = open()
    for (let miss = 60; miss > 0; miss -= 1) {
      expect(settle(admit(validate, "192.0.2.1"), "unknown_code")?.remaining).toBe(miss - 1)
    }
    for (let round = 0; round < 5; round += 1) {
      const refusal = admit(validate, "192.0.2.1")
      expect(refusal).toMatchObject({ quota: { limit: "misses", retryAfterSeconds: 10 } })
      pass(9_900)
      expect(admit(validate, "192.0.2.1")).toMatchObject({ quota: { retryAfterSeconds: 1 } })
      pass(100)
      expect(settle(admit(validate, "192.0.2.1"), "unknown_code")).not.toBeNull()
    }
    expect(refused).toHaveLength(10)
    pass(600_000)
    expect(settle(admit(validate, "192.0.2.1"), "unknown_code")?.remaining).toBe(59)
  })

  test("successes never count, nor do answers that say nothing about the code", () => {
    const { admit } = open()
    for (let call = 0; call < 1_000; call += 1) {
      const ticket = admit(validate, "192.0.2.1")
      expect(isTicket(ticket)).toBe(true)
      settle(ticket, "ok")
    }
    expect(settle(admit(validate, "192.0.2.1"), "unknown_code")?.remaining).toBe(59)
  })

  test("of many at once no more are told: those that were looked up meanwhile get 429, found or not", () => {
    const { admit } = open()
    const tickets = Array.from({ length: 100 }, () => admit(validate, "192.0.2.1"))
    expect(tickets.every(isTicket)).toBe(true)
    expect(settle(tickets.pop() ?? null, "ok")).toBeNull()
    for (const ticket of tickets.splice(0, 60)) settle(ticket, "unknown_code")
    for (const reason of ["ok", "revoked_code", "unknown_code"] as const) {
      expect(() => settle(tickets.pop() ?? null, reason)).toThrow(RateLimited)
    }
    expect(settle(admit(validate, "192.0.2.2"), "ok")).toBeNull()
  })

  test("one address cannot use up the budget of another", () => {
    const { admit } = open()
    const miss = (address: string) => settle(admit(validate, address), "unknown_code")
    for (let call = 0; call < 100; call += 1) miss("192.0.2.1")
    expect(isTicket(admit(validate, "192.0.2.1"))).toBe(false)
    expect(miss("192.0.2.2")?.remaining).toBe(59)
    expect(isTicket(admit(validate, "192.0.2.1", { ...key, id: "key_2" }))).toBe(true)
  })

  test("the addresses of an IPv6 /48 share one budget", () => {
    const { admit } = open()
    const guesses = Array.from({ length: 900 }, (_, at) => `2001:db8:1:${at.toString(16)}::1`)
    const told = guesses.filter(
      (address) => settle(admit(validate, address), "unknown_code") !== null,
    )
    expect(told).toHaveLength(60)
    expect(isTicket(admit(validate, "2001:db8:2::1"))).toBe(true)
  })

  test("the codes of test keys always answer the same", () => {
    const { admit } = open()
    const testKey = { ...key, kind: "tk" as const }
    for (let call = 0; call < 100; call += 1) {
      expect(admit(validate, "192.0.2.1", testKey)).toBeNull()
    }
  })
})

describe("reads and lists", () => {
  test("a burst, then the rate; the answers tell what is left", () => {
    const { admit, pass } = open()
    const read = () => {
      const ticket = admit("read_item", "192.0.2.1")
      const quota = ticket instanceof RateLimited ? ticket.quota : (ticket?.settle("ok") ?? null)
      if (!(ticket instanceof RateLimited)) ticket?.leave()
      return quota
    }
    for (let left = 49; left >= 0; left -= 1) expect(read()?.remaining).toBe(left)
    expect(read()).toMatchObject({ limit: "reads", retryAfterSeconds: 1, resetSeconds: 5 })
    expect(isTicket(admit("read_account", "192.0.2.1"))).toBe(false)
    expect(isTicket(admit("list_items", "192.0.2.1"))).toBe(true)
    pass(100)
    expect(read()).toMatchObject({ remaining: 0, retryAfterSeconds: 1 })
  })

  test("only so many calls of a key are in flight", () => {
    const { admit } = open()
    const held = [admit("list_items", ""), admit("list_items", "")]
    expect(held.map(isTicket)).toEqual([true, true])
    expect(admit("list_items", "")).toMatchObject({
      quota: { limit: "lists", remaining: 3, retryAfterSeconds: 1 },
    })
    expect(isTicket(admit("list_items", "", { ...key, id: "key_2" }))).toBe(true)
    for (const ticket of held) if (!(ticket instanceof RateLimited)) ticket?.leave()
    expect([admit("list_items", ""), admit("list_items", "")].map(isTicket)).toEqual([true, true])
    expect(isTicket(admit("list_items", ""))).toBe(false)
  })

  test("the public test key is limited by address", () => {
    const { admit } = open()
    const list = (address: string) => isTicket(admit("list_items", address, publicTestKey))
    const three = [list("192.0.2.1"), list("192.0.2.1"), list("192.0.2.1")]
    expect(three).toEqual([true, true, false])
    expect(list("192.0.2.2")).toBe(true)
  })
})

test("nothing is limited where the policy is off", () => {
  const { admit } = open("off")
  expect([admit("list_items", ""), admit("validate_purchase", "")]).toEqual([null, null])
})

function openSecrets() {
  const { limits, from, pass } = open()
  const { badKeys, tokens } = limits
  const tell = <T>(work: () => T) => {
    try {
      return work()
    } catch (error) {
      if (error instanceof RateLimited) return `wait ${error.quota.retryAfterSeconds}`
      throw error
    }
  }
  return {
    badKeys,
    from,
    pass,
    /** What happens to a key that is looked up. */
    tryKey: (secret: string, address: string, ending: "good" | "bad" | "unknown") =>
      tell(() => {
        badKeys.admitLookup(secret, from(address))
        if (ending === "good") badKeys.accept(secret)
        if (ending === "bad") badKeys.countRefused(from(address))
        return ending
      }),
    tryCached: (address: string) => tell(() => badKeys.countRefused(from(address)) ?? "counted"),
    tryToken: (isRight: boolean, address: string) =>
      tell(() => tokens.check(from(address), () => isRight)),
  }
}

describe("bad keys", () => {
  test("forty from a network at once, then twenty a second", () => {
    const { tryKey, tryCached, pass } = openSecrets()
    for (let call = 0; call < 40; call += 1) {
      expect(tryKey(`bad ${call}`, `192.0.2.${call}`, "bad")).toBe("bad")
    }
    expect(tryKey("bad", "192.0.2.200", "bad")).toBe("wait 1")
    expect(tryCached("192.0.2.200")).toBe("wait 1")
    expect(tryKey("bad", "192.0.3.1", "bad")).toBe("bad")
    pass(50)
    expect(tryCached("192.0.2.200")).toBe("counted")
    expect(tryCached("192.0.2.200")).toBe("wait 1")
  })

  test("good keys and look-ups that fail cost nothing", () => {
    const { tryKey } = openSecrets()
    for (let call = 0; call < 100; call += 1) {
      expect(tryKey(`good ${call}`, "192.0.2.1", "good")).toBe("good")
      expect(tryKey(`bad ${call}`, "192.0.2.1", "unknown")).toBe("unknown")
    }
  })

  test("of many at once no more are told that their key is bad", () => {
    const { badKeys, from } = openSecrets()
    for (let call = 0; call < 50; call += 1) badKeys.admitLookup("bad", from("192.0.2.1"))
    const answers = Array.from({ length: 50 }, () => {
      try {
        badKeys.countRefused(from("192.0.2.1"))
        return 401
      } catch {
        return 429
      }
    })
    expect(answers.filter((status) => status === 401)).toHaveLength(40)
  })

  test("a key that was good is looked up whatever its neighbours do, until it is bad itself", () => {
    const { tryKey } = openSecrets()
    tryKey("good", "198.51.100.1", "good")
    for (let call = 0; call < 50; call += 1) tryKey("bad", "192.0.2.1", "bad")
    expect(tryKey("good", "192.0.2.1", "good")).toBe("good")
    expect(tryKey("good", "192.0.2.1", "bad")).toBe("wait 1")
  })
})

describe("tokens", () => {
  test("five wrong ones a minute from a network, then not even the right one is compared", () => {
    const { tryToken, pass } = openSecrets()
    for (let call = 0; call < 5; call += 1) expect(tryToken(false, "192.0.2.1")).toBe(false)
    expect(tryToken(false, "192.0.2.2")).toBe("wait 12")
    expect(tryToken(true, "192.0.2.2")).toBe("wait 12")
    expect(tryToken(true, "192.0.3.1")).toBe(true)
    pass(12_000)
    expect(tryToken(true, "192.0.2.2")).toBe(true)
  })

  test("a network that had the right one is not locked out, and wrong ones there still are", () => {
    const { tryToken } = openSecrets()
    for (let call = 0; call < 20; call += 1) expect(tryToken(true, "192.0.2.1")).toBe(true)
    for (let call = 0; call < 5; call += 1) expect(tryToken(false, "192.0.2.1")).toBe(false)
    expect(tryToken(false, "192.0.2.1")).toBe("wait 12")
    expect(tryToken(true, "192.0.2.1")).toBe(true)
  })
})
