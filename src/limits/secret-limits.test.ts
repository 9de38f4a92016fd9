import { describe, expect, test } from "bun:test"
import { RateLimited } from "../domain/rate-limits.ts"
import { parsePolicy } from "./policy.ts"
import { createLimitMemory, openRateLimits } from "./rate-limits.ts"

function open() {
  let nowMs = 1_000_000
  const { badKeys, tokens } = openRateLimits({
    ...{ policy: parsePolicy("on", []), memory: createLimitMemory(), thread: 0 },
    ...{ hashKey: new Uint8Array(32), onRefused: () => {}, sleep: Bun.sleep },
    ...{ messages: null, isListener: false, every: () => () => {} },
    nowMs: () => nowMs,
  })
  const from = (address: string) => ({ address: () => address })
  const tell = <T>(work: () => T) => {
    try {
      return work()
    } catch (error) {
      if (error instanceof RateLimited) return `wait ${error.quota.retryAfterSeconds}`
      throw error
    }
  }
  return {
    ...{ badKeys, from },
    pass: (ms: number) => (nowMs += ms),
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
    const { tryKey, tryCached, pass } = open()
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
    const { tryKey } = open()
    for (let call = 0; call < 100; call += 1) {
      expect(tryKey(`good ${call}`, "192.0.2.1", "good")).toBe("good")
      expect(tryKey(`bad ${call}`, "192.0.2.1", "unknown")).toBe("unknown")
    }
  })

  test("of many at once no more are told that their key is bad", () => {
    const { badKeys, from } = open()
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
    const { tryKey } = open()
    tryKey("good", "198.51.100.1", "good")
    for (let call = 0; call < 50; call += 1) tryKey("bad", "192.0.2.1", "bad")
    expect(tryKey("good", "192.0.2.1", "good")).toBe("good")
    expect(tryKey("good", "192.0.2.1", "bad")).toBe("wait 1")
  })
})

describe("tokens", () => {
  test("five wrong ones a minute from a network, then not even the right one is compared", () => {
    const { tryToken, pass } = open()
    for (let call = 0; call < 5; call += 1) expect(tryToken(false, "192.0.2.1")).toBe(false)
    expect(tryToken(false, "192.0.2.2")).toBe("wait 12")
    expect(tryToken(true, "192.0.2.2")).toBe("wait 12")
    expect(tryToken(true, "192.0.3.1")).toBe(true)
    pass(12_000)
    expect(tryToken(true, "192.0.2.2")).toBe(true)
  })

  test("a network that had the right one is not locked out, and wrong ones there still are", () => {
    const { tryToken } = open()
    for (let call = 0; call < 20; call += 1) expect(tryToken(true, "192.0.2.1")).toBe(true)
    for (let call = 0; call < 5; call += 1) expect(tryToken(false, "192.0.2.1")).toBe(false)
    expect(tryToken(false, "192.0.2.1")).toBe("wait 12")
    expect(tryToken(true, "192.0.2.1")).toBe(true)
  })
})
