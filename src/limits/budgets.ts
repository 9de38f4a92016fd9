/** Budgets by name, in the table that all threads share. */
import { type LimitName, type Quota, type Rate, RateLimited } from "../domain/rate-limits.ts"
import { remainingCalls, waitMs } from "./gcra.ts"
import type { Hash, KeyedHash } from "./keyed-hash.ts"
import type { LimitTable } from "./limit-table.ts"

/** One call that was taken from a budget. */
export type Taken = Readonly<{ entry: number; low: number; high: number; rate: Rate }>

/** A budget is named by a kind and one or two texts, such as a key and an address. */
export type Budgets = Readonly<{
  /** Null if the budget is spent. */
  take(kind: number, first: string, second: string, rate: Rate): Taken | null
  /** The same for a place, which is free again when this thread ends. */
  takePlace(kind: number, first: string, second: string, rate: Rate): Taken | null
  /** Ends the call. Unless it `counts`, it goes back into the budget. */
  settle(taken: Taken, counts: boolean): void
  /** Calls that are not settled. */
  countOpen(kind: number, first: string, second: string): number
  /** Takes one call even if the budget is spent. It counts at once: `settle` is not called. */
  spend(kind: number, first: string, second: string, rate: Rate): Taken
  findWholeAt(kind: number, first: string, second: string): number
  /** Moves the time at which the budget is whole to `wholeAtMs`, never back. */
  raise(kind: number, first: string, second: string, wholeAtMs: number): void
}>

export type BudgetOptions = Readonly<{ table: LimitTable; hashOf: KeyedHash; nowMs(): number }>

export function createBudgets({ table, hashOf, nowMs }: BudgetOptions): Budgets {
  const taken = (entry: number, hash: Hash, rate: Rate): Taken | null =>
    entry === -1 ? null : { entry, low: hash[0] ?? 0, high: hash[1] ?? 0, rate }
  return {
    take(kind, first, second, rate) {
      const hash = hashOf(kind, first, second)
      return taken(table.take(hash, rate, nowMs()), hash, rate)
    },
    takePlace(kind, first, second, rate) {
      const hash = hashOf(kind, first, second)
      return taken(table.takePlace(hash, rate, nowMs()), hash, rate)
    },
    settle: ({ entry, low, high, rate }, counts) => table.settle(entry, low, high, rate, counts),
    countOpen: (kind, first, second) => table.countOpen(hashOf(kind, first, second)),
    spend(kind, first, second, rate) {
      const hash = hashOf(kind, first, second)
      table.spendMs(hash, rate.intervalMs, rate.burst * rate.intervalMs, nowMs())
      return { entry: -1, low: hash[0] ?? 0, high: hash[1] ?? 0, rate }
    },
    findWholeAt: (kind, first, second) => table.findWholeAt(hashOf(kind, first, second)),
    raise: (kind, first, second, wholeAtMs) => table.raise(hashOf(kind, first, second), wholeAtMs),
  }
}

export function quotaOf(limit: LimitName, rate: Rate, wholeAtMs: number, nowMs: number): Quota {
  return {
    ...{ limit, rate, remaining: remainingCalls(wholeAtMs, nowMs, rate) },
    resetSeconds: Math.ceil(Math.max(0, wholeAtMs - nowMs) / 1000),
    retryAfterSeconds: Math.ceil(waitMs(wholeAtMs, nowMs, rate) / 1000),
  }
}

/** At least one second: a caller with too many calls in flight is refused before its budget is spent. */
export const refusal = (quota: Quota) =>
  new RateLimited({ ...quota, retryAfterSeconds: Math.max(1, quota.retryAfterSeconds) })
