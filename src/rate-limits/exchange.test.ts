import { expect, test } from "bun:test"
import fc from "fast-check"
import { runs } from "../../tests/harness/tier.ts"
import type { ApiKey } from "../domain/keys/api-key.ts"
import { messageCharactersMax } from "../domain/running/node.ts"
import { RateLimited } from "../domain/running/rate-limits.ts"
import { createExchange, joinNodes } from "./exchange.ts"
import { parsePolicy } from "./policy.ts"
import { type OpenRateLimits, openRateLimits } from "./rate-limits.ts"

const key: ApiKey = {
  id: "key_0123456789abcdef",
  accountId: 1,
  kind: "vk",
  itemIds: null,
  expiresAt: null,
  revokedAt: null,
}
const caller = { address: () => "192.0.2.1" }

/** Nodes on one store, of two threads each. */
function openNodes(count: number, policy = "on") {
  const sent: string[] = []
  const listeners: ((text: string) => void)[] = []
  const timers: (() => void)[] = []
  let nowMs = 1_000
  const messages = {
    async send(text: string) {
      sent.push(text)
      for (const hear of listeners) hear(text)
    },
    watch(hear: (text: string) => void) {
      listeners.push(hear)
      return async () => {}
    },
  }
  const nodes = Array.from({ length: count }, () => {
    const exchange = createExchange()
    joinNodes(exchange, messages)
    return [0, 1].map(() =>
      openRateLimits({
        policy: parsePolicy(policy, []),
        hashKey: new Uint8Array(32),
        exchange,
        nowMs: () => nowMs,
        every: (_, work) => {
          timers.push(work)
          return () => {}
        },
        onRefused: () => {},
      }),
    )
  })
  return {
    threads: nodes.flat(),
    sent,
    hear: (text: string) => listeners.forEach((hear) => void hear(text)),
    tell: () => timers.forEach((work) => void work()),
    pass: (ms: number) => (nowMs += ms),
  }
}

/** What is left, or the seconds to wait. */
function miss(limits: OpenRateLimits | undefined, of = key) {
  try {
    return limits?.calls.admit("validate_purchase", of, caller)?.settle("unknown_code")?.remaining
  } catch (error) {
    if (error instanceof RateLimited) return `wait ${error.quota.retryAfterSeconds}`
    throw error
  }
}

test("what is spent on one thread is spent on all threads of all nodes, once", () => {
  const { threads, tell, sent } = openNodes(3)
  for (let call = 0; call < 20; call += 1) miss(threads[0])
  for (let call = 0; call < 10; call += 1) miss(threads[1])
  for (let call = 0; call < 9; call += 1) miss(threads[2])
  tell()
  expect(threads.map((thread) => miss(thread))).toEqual([20, 20, 20, 20, 20, 20])
  expect(sent).toHaveLength(3)
  tell()
  tell()
  expect(sent).toHaveLength(9)
})

test("no address, network or secret is told", () => {
  const { threads, tell, sent } = openNodes(1)
  miss(threads[0])
  threads[0]?.badKeys.countRefused(caller)
  threads[0]?.badKeys.accept("the secret")
  tell()
  expect(sent.join()).toMatch(
    /^2 \S+ misses:key_0123456789abcdef:\w+=10000 bad-keys:\w+=50 good:key:\w+=172800000$/,
  )
  expect(sent.join()).not.toMatch(/192\.0|the secret/)
})

test("a burst on two threads gets two budgets at most, and is waited for", () => {
  const { threads, tell, pass, sent } = openNodes(1)
  const [one, other] = threads
  for (let call = 0; call < 60; call += 1) expect(miss(one)).toBeNumber()
  for (let call = 0; call < 60; call += 1) expect(miss(other)).toBeNumber()
  expect([miss(one), miss(other)]).toEqual(["wait 10", "wait 10"])
  tell()
  sent.length = 0
  expect([miss(one), miss(other)]).toEqual(["wait 610", "wait 610"])
  pass(609_999)
  expect([miss(one), miss(other)]).toEqual(["wait 1", "wait 1"])
  pass(1)
  expect([miss(one), miss(other)]).toEqual([0, 0])
  tell()
  expect(miss(one)).toBe("wait 20")
})

test("refusals and validations that find a purchase are not told", () => {
  const { threads, tell, sent } = openNodes(1, "misses=1/m")
  const [one] = threads
  miss(one)
  tell()
  sent.length = 0
  expect(miss(one)).toBe("wait 60")
  one?.calls.admit("validate_purchase", { ...key, id: "key_2" }, caller)?.settle("ok")
  tell()
  expect(sent).toEqual([])
})

test("whoever asks wherever and whenever, only the burst is as many times larger as there are threads", () => {
  const steps = fc.array(
    fc.record({ thread: fc.nat({ max: 3 }), calls: fc.nat({ max: 12 }), passMs: fc.nat(400) }),
    { minLength: 50, maxLength: 200 },
  )
  const [burst, intervalMs, tellEveryMs] = [5, 200, 250]
  fc.assert(
    fc.property(steps, (list) => {
      const { threads, tell, pass } = openNodes(2, `misses=${burst}/1s`)
      const times: number[] = []
      let [nowMs, toldMs] = [0, 0]
      for (const { thread, calls, passMs } of list) {
        for (let call = 0; call < calls; call += 1) {
          if (typeof miss(threads[thread]) === "number") times.push(nowMs)
        }
        const nextMs = nowMs + passMs
        for (; toldMs + tellEveryMs <= nextMs; toldMs += tellEveryMs) {
          pass(toldMs + tellEveryMs - nowMs)
          nowMs = toldMs + tellEveryMs
          tell()
        }
        pass(nextMs - nowMs)
        nowMs = nextMs
      }
      const extra = threads.length * (burst + Math.ceil(tellEveryMs / intervalMs))
      for (const [first, fromMs] of times.entries()) {
        for (const [more, atMs] of times.slice(first).entries()) {
          expect(more + 1).toBeLessThanOrEqual(extra + (atMs - fromMs) / intervalMs)
        }
      }
    }),
    { numRuns: runs(30), endOnFailure: true },
  )
})

test("a key or network that was right on one thread is remembered by all", () => {
  const { threads, tell } = openNodes(2)
  const [one, , , last] = threads
  one?.badKeys.accept("good")
  one?.tokens.check(caller, () => true)
  for (let call = 0; call < 40; call += 1) last?.badKeys.countRefused(caller)
  for (let call = 0; call < 5; call += 1) last?.tokens.check(caller, () => false)
  expect(() => last?.badKeys.admitLookup("good", caller)).toThrow(RateLimited)
  expect(() => last?.tokens.check(caller, () => true)).toThrow(RateLimited)
  tell()
  expect(last?.badKeys.admitLookup("good", caller)).toBe(true)
  expect(last?.tokens.check(caller, () => true)).toBe(true)
})

test("a thread that is gone is told nothing, and what it told still counts", () => {
  const { threads, tell } = openNodes(1)
  const [one, other] = threads
  for (let call = 0; call < 20; call += 1) miss(one)
  one?.close()
  expect(miss(other)).toBe(39)
  tell()
  expect([miss(one), miss(other)]).toEqual([39, 38])
})

test("what is spent by too many at once is not all told, in messages that fit", () => {
  const { threads, tell, sent } = openNodes(1, "misses=1/h burst 999999")
  const [one] = threads
  for (let call = 0; call < 20_000; call += 1) {
    const address = () => `10.${call >> 8}.${call & 255}.1`
    for (let again = 0; again < 3; again += 1) {
      one?.calls.admit("validate_purchase", key, { address })?.settle("unknown_code")
    }
  }
  tell()
  expect(sent).toHaveLength(10)
  for (const text of sent) expect(text.length).toBeLessThan(messageCharactersMax)
  tell()
  expect(sent).toHaveLength(10)
})

test("text that no node of this version writes does nothing", () => {
  const { threads, hear } = openNodes(1)
  const before = miss(threads[0])
  const sender = crypto.randomUUID()
  const name = `misses:${key.id}:${Bun.hash("192.0.2.1", 0n).toString(36)}`
  fc.assert(fc.property(fc.string(), (text) => hear(text) ?? hear(`2 ${sender} ${text}`)))
  for (const text of [
    `1 ${sender} ${name}=9`,
    `2 ${sender} ${name}=-90000`,
    `2 ${sender} ${name}=x`,
  ]) {
    hear(text)
  }
  expect(miss(threads[0])).toBe(Number(before) - 1)
  hear(`2 ${sender} ${name}=10000`)
  expect(miss(threads[0])).toBe(Number(before) - 3)
})
