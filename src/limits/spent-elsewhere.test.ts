import { expect, test } from "bun:test"
import fc from "fast-check"
import type { ApiKey } from "../domain/api-key.ts"
import { messageCharactersMax } from "../domain/node-messages.ts"
import { RateLimited } from "../domain/rate-limits.ts"
import { fullMsMax, parsePolicy } from "./policy.ts"
import { createLimitMemory, openRateLimits } from "./rate-limits.ts"
import { readMessage, writeMessage } from "./spent-elsewhere.ts"

const key: ApiKey = {
  ...{ id: "key_1", accountId: 1, kind: "vk", itemIds: null, expiresAt: null, revokedAt: null },
}
const caller = { address: () => "192.0.2.1" }

/** Nodes of two threads each on one store. */
function openNodes(count: number, policy = "on") {
  const sent: string[] = []
  const listeners: ((text: string) => void)[] = []
  const timers: (() => void)[] = []
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
    const memory = createLimitMemory()
    return [0, 1].map((thread) =>
      openRateLimits({
        ...{ policy: parsePolicy(policy, []), memory, thread, hashKey: new Uint8Array(32) },
        ...{ nowMs: () => 1_000, sleep: async () => {}, messages, isListener: thread === 0 },
        every: (_, work) => {
          timers.push(work)
          return () => {}
        },
        onRefused: () => {},
      }),
    )
  })
  return { nodes, sent, tell: () => timers.forEach((work) => void work()) }
}

async function miss(limits: ReturnType<typeof openRateLimits> | undefined) {
  try {
    const ticket = await limits?.calls.admit("validate_purchase", key, caller)
    return ticket?.settle("unknown_code")?.remaining
  } catch (error) {
    if (error instanceof RateLimited) return "refused"
    throw error
  }
}

test("what is spent at one node is spent at the others, once", async () => {
  const { nodes, tell, sent } = openNodes(3)
  const [[one, sibling] = [], [other] = [], [third] = []] = nodes
  for (let call = 0; call < 20; call += 1) await miss(one)
  for (let call = 0; call < 10; call += 1) await miss(sibling)
  for (let call = 0; call < 9; call += 1) await miss(other)
  tell()
  expect([await miss(one), await miss(other), await miss(third)]).toEqual([20, 20, 20])
  tell()
  expect(sent).toHaveLength(6)
})

test("a spent budget is spent everywhere, and not for longer; refusals and successes are not told", async () => {
  const { nodes, tell, sent } = openNodes(2)
  const [[one] = [], [other] = []] = nodes
  for (let call = 0; call < 60; call += 1) expect(await miss(one)).toBeNumber()
  for (let call = 0; call < 60; call += 1) expect(await miss(other)).toBeNumber()
  tell()
  sent.length = 0
  expect([await miss(one), await miss(other)]).toEqual(["refused", "refused"])
  const ticket = await one?.calls.admit("validate_purchase", { ...key, id: "key_2" }, caller)
  ticket?.settle("ok")
  tell()
  expect(sent).toEqual([])
  try {
    await other?.calls.admit("validate_purchase", key, caller)
  } catch (error) {
    expect(error).toMatchObject({ quota: { retryAfterSeconds: 10, resetSeconds: 600 } })
  }
})

test("a budget that takes days to be whole again is told, too", async () => {
  const { nodes, tell } = openNodes(2, "misses=1/h burst 60")
  const [[one] = [], [other] = []] = nodes
  expect(await miss(one)).toBe(59)
  tell()
  expect(await miss(other)).toBe(58)
})

test("what cannot be told soon is not kept", async () => {
  const { nodes, tell, sent } = openNodes(1)
  const [[one] = []] = nodes
  for (let call = 0; call < 20_000; call += 1) {
    one?.badKeys.countRefused({ address: () => `10.${call >> 8}.${call & 255}.1` })
  }
  const timesTold: number[] = []
  do {
    sent.length = 0
    tell()
    timesTold.push(sent.length)
  } while (sent.length > 0)
  expect(timesTold).toEqual([...Array(4).fill(8), 0])
})

test("a message is read as it was written, and fits", () => {
  const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
  const spent = fc.record({
    ...{ low: int32, high: int32, spentMs: fc.integer({ min: 1, max: fullMsMax }) },
    ...{
      fullMs: fc.integer({ min: 1, max: fullMsMax }),
      gate: fc.integer({ min: -1, max: 65_535 }),
    },
  })
  fc.assert(
    fc.property(fc.array(spent, { maxLength: 116 }), (all) => {
      const text = writeMessage("me", all)
      expect(text.length).toBeLessThan(messageCharactersMax)
      expect(readMessage(text, "you")).toEqual(all)
      expect(readMessage(text, "me")).toEqual([])
    }),
  )
})

test("text that no node writes does nothing", () => {
  const possible = fc.oneof(
    fc.string(),
    fc.string().map((text) => `1 x ${text}`),
  )
  fc.assert(fc.property(possible, (text) => readMessage(text, "me").length === 0))
  for (const entry of ["1,2,3,4", "1,2,-3,4,5", "1,2,3,1e13,5", "1,2,3,4,70000", "1,2,NaN,4,5"]) {
    expect(readMessage(`1 x ${entry}`, "me")).toEqual([])
  }
})
