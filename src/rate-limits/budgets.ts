/**
 * The budgets of one thread, by the generic cell rate algorithm: one number says how much of a budget is spent.
 * It is the time at which the budget is whole again, and each call moves it on by `intervalMs`.
 */
import {
  type LimitName,
  type Quota,
  type Rate,
  RateLimited,
} from "../domain/running/rate-limits.ts"
import { createGenerations } from "../domain/values/generations.ts"

/** A budget is named by its limit and by digests or the id of a key: `misses:key_…:…`. */
type BudgetQuota = Quota & Readonly<{ limit: LimitName }>

export type Budgets = Readonly<{
  findQuota(name: string, limit: LimitName, rate: Rate): BudgetQuota
  /** Throws RateLimited if the budget is spent. */
  check(name: string, limit: LimitName, rate: Rate): void
  /** Takes one call. Throws RateLimited if the budget is spent. */
  take(name: string, limit: LimitName, rate: Rate): void
  refuse(quota: BudgetQuota): never
  /** Whether an address that used the key has spent its misses. */
  hasSpentMisses(keyId: string, rate: Rate): boolean
  /** A secret or a network that was right. */
  remember(name: string): void
  isRemembered(name: string): boolean
}>

export type BudgetOptions = Readonly<{
  /** It never goes back, whatever happens to the time of day. */
  nowMs(): number
  onRefused(limit: LimitName): void
}>

/** Products ask once a day. */
const rememberedForMs = 2 * 86_400_000

/** Sums of intervals are not exact in a double. */
const slackMs = 0.001

export function createBudgets({ nowMs, onRefused }: BudgetOptions): Budgets {
  const wholeAt = createTimes()
  // On their own, so that a flood of wrong secrets does not evict right ones.
  const rememberedUntil = createTimes()

  function spend(name: string, ms: number): void {
    const wholeAtMs = Math.max(wholeAt.find(name), nowMs()) + ms
    wholeAt.set(name, wholeAtMs)
    if (!name.startsWith("misses:")) return
    // For hasSpentMisses: the latest time of all addresses of the key.
    const keyId = name.slice("misses:".length, name.lastIndexOf(":"))
    wholeAt.set(keyId, Math.max(wholeAt.find(keyId), wholeAtMs))
  }

  const findQuota: Budgets["findQuota"] = (name, limit, rate) => {
    const spentMs = Math.max(0, wholeAt.find(name) - nowMs())
    return {
      limit,
      rate,
      remaining: Math.max(0, Math.floor(rate.burst - (spentMs - slackMs) / rate.intervalMs)),
      resetSeconds: Math.ceil(spentMs / 1000),
      retryAfterSeconds: Math.ceil(waitMs(spentMs, rate) / 1000),
    }
  }
  function refuse(quota: BudgetQuota): never {
    onRefused(quota.limit)
    // At least one second: a caller with too many calls in flight is refused before its budget is spent.
    throw new RateLimited({ ...quota, retryAfterSeconds: Math.max(1, quota.retryAfterSeconds) })
  }
  const check: Budgets["check"] = (name, limit, rate) => {
    if (waitMs(wholeAt.find(name) - nowMs(), rate) > 0) refuse(findQuota(name, limit, rate))
  }
  return {
    findQuota,
    check,
    take(name, limit, rate) {
      check(name, limit, rate)
      spend(name, rate.intervalMs)
    },
    refuse,
    hasSpentMisses(keyId, rate) {
      const wholeAtMs = wholeAt.find(keyId)
      return wholeAtMs > 0 && waitMs(wholeAtMs - nowMs(), rate) > 0
    },
    remember: (name) => rememberedUntil.set(name, nowMs() + rememberedForMs),
    isRemembered: (name) => rememberedUntil.find(name) > nowMs(),
  }
}

/** The next call is allowed after this time. `spentMs` is the time until the budget is whole again. */
function waitMs(spentMs: number, { intervalMs, burst }: Rate): number {
  const wait = spentMs - (burst - 1) * intervalMs
  return wait > slackMs ? wait : 0
}

/** About 10 MB when both generations are full. */
const namesOfGeneration = 50_000

/** Times by name, 0 for an unknown one. */
export function createTimes() {
  const { find, set } = createGenerations<number>(namesOfGeneration)
  return { find: (name: string) => find(name) ?? 0, set }
}
