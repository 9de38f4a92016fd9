/**
 * Wrong secrets, by network. A secret that was right before is remembered in a table of its own, so that
 * it cannot evict spent budgets: neighbours with wrong secrets cannot lock it out.
 */
import { networkOf } from "../domain/network.ts"
import type {
  BadKeyLimit,
  LimitName,
  Rate,
  RateLimitPolicy,
  TokenLimit,
} from "../domain/rate-limits.ts"
import { unlimited } from "../domain/rate-limits.ts"
import { budgetKinds } from "./budget-kinds.ts"
import { type Budgets, quotaOf, refusal } from "./budgets.ts"
import { waitMs } from "./gcra.ts"
import type { OnSpent } from "./spent-elsewhere.ts"

/** Products ask once a day. */
const rememberedForMs = 2 * 86_400_000

export type SecretLimitOptions = Readonly<{
  policy: Pick<RateLimitPolicy, "bad-keys" | "operator">
  budgets: Budgets
  onSpent: OnSpent
  /** The secrets that were right. */
  remembered: Budgets
  nowMs(): number
  onRefused(limit: LimitName): void
}>

export function createBadKeyLimit(options: SecretLimitOptions): BadKeyLimit {
  const rate = options.policy["bad-keys"]
  if (rate === null) return unlimited.badKeys
  const { budgets, remember, isRemembered, refuse } = prepare(options)
  return {
    // Nothing is reserved: after a restart, many good keys are looked up at once.
    admitLookup(secret, caller) {
      if (isRemembered(budgetKinds.goodKeys, secret)) return true
      const network = networkOf(caller.address())
      const wholeAtMs = budgets.findWholeAt(budgetKinds.badKeys, network, "")
      if (waitMs(wholeAtMs, options.nowMs(), rate) > 0) {
        refuse("bad-keys", budgetKinds.badKeys, network, rate)
      }
      return false
    },
    accept: (secret) => remember(budgetKinds.goodKeys, secret),
    countRefused(caller) {
      const network = networkOf(caller.address())
      const taken = budgets.take(budgetKinds.badKeys, network, "", rate)
      if (taken === null) refuse("bad-keys", budgetKinds.badKeys, network, rate)
      else options.onSpent(taken, -1)
    },
  }
}

export function createTokenLimit(options: SecretLimitOptions): TokenLimit {
  const rate = options.policy.operator
  if (rate === null) return unlimited.tokens
  const { budgets, remember, isRemembered, refuse } = prepare(options)
  return {
    check(caller, isRight) {
      const network = networkOf(caller.address())
      const taken = budgets.take(budgetKinds.operator, network, "", rate)
      const spent = () => refuse("operator", budgetKinds.operator, network, rate)
      if (taken === null && !isRemembered(budgetKinds.goodNetworks, network)) return spent()
      if (isRight()) {
        if (taken !== null) budgets.settle(taken, false)
        remember(budgetKinds.goodNetworks, network)
        return true
      }
      if (taken === null) return spent()
      options.onSpent(taken, -1)
      return false
    },
  }
}

function prepare({ budgets, remembered, nowMs, onRefused }: SecretLimitOptions) {
  return {
    budgets,
    isRemembered: (kind: number, text: string) => remembered.findWholeAt(kind, text, "") > nowMs(),
    remember: (kind: number, text: string) =>
      remembered.raise(kind, text, "", nowMs() + rememberedForMs),
    refuse(limit: "bad-keys" | "operator", kind: number, network: string, rate: Rate): never {
      onRefused(limit)
      throw refusal(quotaOf(limit, rate, budgets.findWholeAt(kind, network, ""), nowMs()))
    },
  }
}
