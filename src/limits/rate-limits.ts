/** All limits on the memory that the threads share. */
import type { LimitName, RateLimitPolicy, RateLimits } from "../domain/rate-limits.ts"
import { createBudgets } from "./budgets.ts"
import { createCallLimits } from "./call-limits.ts"
import {
  createKeyGateMemory,
  createKeyGates,
  forgetOpenCalls,
  type KeyGateMemory,
} from "./key-gates.ts"
import { createKeyedHash } from "./keyed-hash.ts"
import { createLimitTableMemory, freePlacesOf, type LimitTableMemory } from "./limit-table.ts"
import { createBadKeyLimit, createTokenLimit } from "./secret-limits.ts"

export type LimitMemory = Readonly<{
  spent: LimitTableMemory
  remembered: LimitTableMemory
  gates: KeyGateMemory
}>

export const createLimitMemory = (): LimitMemory => ({
  spent: createLimitTableMemory(),
  remembered: createLimitTableMemory(),
  gates: createKeyGateMemory(),
})

/** For a thread that ended: its calls are no longer in flight. */
export function endCallsOf({ spent, gates }: LimitMemory, thread: number): void {
  freePlacesOf(spent, thread)
  forgetOpenCalls(gates)
}

export type RateLimitOptions = Readonly<{
  policy: RateLimitPolicy
  memory: LimitMemory
  thread: number
  /** The same on all nodes, and secret. */
  hashKey: Uint8Array
  /** The same on all threads. It never goes back, whatever happens to the time of day. */
  nowMs(): number
  sleep(ms: number): Promise<void>
  onRefused(limit: LimitName): void
}>

export function createRateLimits(options: RateLimitOptions): RateLimits {
  const { policy, memory, thread, nowMs, sleep, onRefused } = options
  const hashOf = createKeyedHash(options.hashKey)
  const shared = {
    policy,
    ...{ nowMs, sleep, onRefused },
    hashOf,
    gates: createKeyGates(memory.gates, nowMs),
    budgets: createBudgets({ memory: memory.spent, thread, hashOf, nowMs }),
    remembered: createBudgets({ memory: memory.remembered, thread, hashOf, nowMs }),
  }
  return {
    calls: createCallLimits(shared),
    badKeys: createBadKeyLimit(shared),
    tokens: createTokenLimit(shared),
  }
}
