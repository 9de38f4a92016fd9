/** All limits on the memory that the threads share. */
import type { Every } from "../domain/every.ts"
import type { NodeMessages } from "../domain/node-messages.ts"
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
import {
  createLimitTable,
  createLimitTableMemory,
  freePlacesOf,
  type LimitTableMemory,
} from "./limit-table.ts"
import { createBadKeyLimit, createTokenLimit } from "./secret-limits.ts"
import { openSpentElsewhere } from "./spent-elsewhere.ts"

export type LimitMemory = Readonly<{
  spent: LimitTableMemory
  remembered: LimitTableMemory
  gates: KeyGateMemory
  /** Names this process in what it tells other nodes. */
  sender: string
}>

export const createLimitMemory = (): LimitMemory => ({
  spent: createLimitTableMemory(),
  remembered: createLimitTableMemory(),
  gates: createKeyGateMemory(),
  sender: crypto.randomUUID(),
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
  /** Null where there are no other nodes. One thread of each process is the listener. */
  messages: NodeMessages | null
  isListener: boolean
  every: Every
  onRefused(limit: LimitName): void
}>

export type OpenRateLimits = RateLimits & Readonly<{ close(): Promise<void> }>

export function openRateLimits(options: RateLimitOptions): OpenRateLimits {
  const { policy, memory, thread, nowMs, sleep, messages, isListener, every, onRefused } = options
  const hashOf = createKeyedHash(options.hashKey)
  const table = createLimitTable(memory.spent, thread)
  const gates = createKeyGates(memory.gates, nowMs)
  const elsewhere =
    messages === null
      ? null
      : openSpentElsewhere({
          ...{ messages, isListener, table, gates, every, nowMs, sender: memory.sender },
        })
  const shared = {
    policy,
    ...{ nowMs, sleep, onRefused },
    ...{ hashOf, gates, onSpent: elsewhere?.onSpent ?? (() => {}) },
    budgets: createBudgets({ table, hashOf, nowMs }),
    remembered: createBudgets({
      ...{ table: createLimitTable(memory.remembered, thread), hashOf, nowMs },
    }),
  }
  return {
    calls: createCallLimits(shared),
    badKeys: createBadKeyLimit(shared),
    tokens: createTokenLimit(shared),
    close: async () => elsewhere?.close(),
  }
}
