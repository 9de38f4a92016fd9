/** How much each key is used: counted in memory, written in batches, thinned with age. */
import { type ApiKey, belongsOnServer, type KeyKind, type Operation } from "../keys/api-key.ts"
import type { Reason } from "../values/error.ts"
import { lastDays } from "../values/time/date-arithmetic.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

export type UsageCount = Readonly<{
  keyId: string
  operation: Operation
  outcome: Reason
  /** The hour it happened in. */
  hour: Timestamp
  calls: number
}>

export type KeySighting = Readonly<{ keyId: string; network: string; lastUsedAt: Timestamp }>

/** The calls of one day from one network. */
export type NetworkCalls = Readonly<{
  keyId: string
  network: string
  operation: Operation
  day: string
  calls: number
  /** Only some calls of a busy key are sampled; `calls` is then estimated from the samples. */
  isEstimate: boolean
}>

/** The valid codes of one item that were asked for on one day. */
export type ItemCalls = Readonly<{
  keyId: string
  /** Null stands for all items that were not counted apart. */
  itemId: number | null
  day: string
  calls: number
}>

export type KeyUsage = Readonly<{
  keyId: string
  lastUsedAt: Timestamp | null
  callsLastDay: number
  callsLast30Days: number
  /** Distinct networks of the last seven days. */
  networks: number
  /** Calls of each of the last 30 days, oldest first. */
  days: readonly number[]
}>

/** `refused` counts every "no" and every call beyond a limit, `failed` every call we could not answer. */
export type OutcomeCalls = Readonly<{ ok: number; refused: number; failed: number }>

export type UsageDay = OutcomeCalls & Readonly<{ day: string }>

export type OperationCalls = OutcomeCalls & Readonly<{ operation: Operation }>

export type NetworkUse = Readonly<{
  network: string
  lastUsedAt: Timestamp
  /** The most used first. Empty where the calls were made before they were counted by network. */
  operations: readonly Readonly<{ operation: Operation; calls: number }>[]
  isEstimate: boolean
}>

export type ItemUse = Readonly<{ itemId: number; calls: number }>

/** The networks that use a key, and its calls by day, operation and item. */
export type KeyUsageDetails = Readonly<{
  /** The last 30 days, oldest first, empty ones included. */
  days: readonly UsageDay[]
  /** Calls of these 30 days, by the operation's name; only operations that were called. */
  operations: readonly OperationCalls[]
  /** Networks of the last seven days, the latest first. */
  networks: readonly NetworkUse[]
  /** The items whose valid codes were asked for within 30 days, the most asked for first. */
  items: readonly ItemUse[]
  /** Valid codes of all other items. */
  otherItemCalls: number
}>

export type KeyLastUse = Readonly<{ keyId: string; lastUsedAt: Timestamp }>

export const usageGroupings = ["key", "account", "operation", "reason"] as const
export type UsageGrouping = (typeof usageGroupings)[number]

/** All calls of one key, account, operation or reason. */
export type UsageTotal = OutcomeCalls &
  Readonly<{
    /** The id of the key, the name of the account, the operation or the reason. */
    group: string
    /** Calls with test keys are a group of their own: they fail on purpose. */
    isTest: boolean
    /** Only where the group is a key. */
    key: Readonly<{ username: string; kind: KeyKind; name: string }> | null
  }>

export const callsOf = ({ ok, refused, failed }: Omit<UsageDay, "day">) => ok + refused + failed

export interface UsageStore {
  /** For those of these keys that were ever used, as of `at`. */
  listByKeys(keyIds: readonly string[], at: Timestamp): Promise<readonly KeyUsage[]>
  /** Null for a key that was never used. */
  findByKey(keyId: string, at: Timestamp): Promise<KeyUsage | null>
  /** Everything is empty for a key that was never used. At most `rowsMax` networks and items are read. */
  readDetails(keyId: string, at: Timestamp, rowsMax: number): Promise<KeyUsageDetails>
  /**
   * The 30 days up to `at`, oldest first, empty ones included. Calls with test keys are not counted:
   * they fail on purpose.
   */
  listByDay(accountId: number, at: Timestamp): Promise<readonly UsageDay[]>
  /** How many purchase codes the last 30 days answered with "yes" or "no"; test keys are left out. */
  countCheckedCodes(accountId: number, at: Timestamp): Promise<number>
  /** For those of these keys that were ever used. */
  listLastUses(keyIds: readonly string[]): Promise<readonly KeyLastUse[]>
  /**
   * Of all accounts, those with the most calls first, at most `limit`. Counts from the hour of `since` on; from
   * its day on where hours have become days.
   */
  listTotals(by: UsageGrouping, since: Timestamp, limit: number): Promise<readonly UsageTotal[]>
}

/** A call with a revoked or expired key, or one of a suspended account, is no use of the key. */
export const isUse = (outcome: Reason) =>
  outcome !== "revoked_key" && outcome !== "expired_key" && outcome !== "account_suspended"

/** A secret key used from so many networks within a week is not only on the author's server. */
export const manyNetworks = 20

/** Whether a key that may do everything is used from so many networks that it must be in a product. */
export const isShipped = (key: Pick<ApiKey, "kind">, networks: number) =>
  belongsOnServer(key) && networks >= manyNetworks

export const failureOutcomes: readonly string[] = ["unavailable"] satisfies readonly Reason[]

/** Also for `refused`, the reason of pages and operator paths that have no closer one. */
export function outcomeGroup(outcome: string): "ok" | "refused" | "failed" {
  if (outcome === "ok") return "ok"
  return failureOutcomes.includes(outcome) ? "failed" : "refused"
}

/** Rows as adapters read them, before they are summed up. */
export type DayCalls = Readonly<{
  keyId: string
  kind: KeyKind
  day: string
  outcome: Reason
  calls: number
}>
export type OperationDayCalls = Pick<DayCalls, "day" | "outcome" | "calls"> &
  Readonly<{ operation: Operation }>
export type KeySeen = Readonly<{ keyId: string; lastUsedAt: Timestamp; networks: number }>

export const daysShown = 30
export const networkDays = 7

export function summariseKeys(
  at: Timestamp,
  byDay: readonly DayCalls[],
  lastDay: ReadonlyMap<string, number>,
  seen: readonly KeySeen[],
): readonly KeyUsage[] {
  const days = lastDays(at, daysShown)
  const byKey = Map.groupBy(byDay, ({ keyId }) => keyId)
  return seen.map(({ keyId, lastUsedAt, networks }) => {
    const calls = new Map<string, number>()
    for (const row of byKey.get(keyId) ?? [])
      calls.set(row.day, (calls.get(row.day) ?? 0) + row.calls)
    const perDay = days.map((day) => calls.get(day) ?? 0)
    const callsLast30Days = perDay.reduce((sum, each) => sum + each, 0)
    const callsLastDay = lastDay.get(keyId) ?? 0
    return { keyId, lastUsedAt, networks, callsLastDay, callsLast30Days, days: perDay }
  })
}

type Outcome = Readonly<{ outcome: Reason; calls: number }>

const noCalls: OutcomeCalls = { ok: 0, refused: 0, failed: 0 }

function addCalls(total: OutcomeCalls, { outcome, calls }: Outcome): OutcomeCalls {
  const group = outcomeGroup(outcome)
  return { ...total, [group]: total[group] + calls }
}

export function summariseAccount(at: Timestamp, byDay: readonly DayCalls[]): readonly UsageDay[] {
  return summariseDays(
    at,
    byDay.filter(({ kind }) => kind !== "tk"),
  )
}

export function summariseDays(
  at: Timestamp,
  calls: readonly (Outcome & Readonly<{ day: string }>)[],
): readonly UsageDay[] {
  const byDay = Map.groupBy(calls, ({ day }) => day)
  return lastDays(at, daysShown).map((day) => ({
    day,
    ...(byDay.get(day) ?? []).reduce(addCalls, noCalls),
  }))
}

export function summariseOperations(
  calls: readonly (Outcome & Readonly<{ operation: Operation }>)[],
): readonly OperationCalls[] {
  const byOperation = Map.groupBy(calls, ({ operation }) => operation)
  return [...byOperation]
    .map(([operation, each]) => ({ operation, ...each.reduce(addCalls, noCalls) }))
    .toSorted((a, b) => (a.operation < b.operation ? -1 : 1))
}

/** Rows of validations as adapters read them, before they are summed up. */
export type CodeCalls = Readonly<{ kind: KeyKind; outcome: Reason; calls: number }>

const codeAnswers: readonly Reason[] = ["ok", "unknown_code", "revoked_code"]

export const sumCheckedCodes = (rows: readonly CodeCalls[]): number =>
  rows
    .filter(({ kind, outcome }) => kind !== "tk" && codeAnswers.includes(outcome))
    .reduce((sum, { calls }) => sum + calls, 0)

/** A row for each network and operation, the latest network first; null where nothing was counted. */
export type NetworkRow = Readonly<{
  network: string
  lastUsedAt: Timestamp
  operation: Operation | null
  calls: number | null
  /** How many of its days are estimates. */
  estimates: number
}>

export function summariseNetworks(rows: readonly NetworkRow[]): readonly NetworkUse[] {
  const byNetwork = Map.groupBy(rows, ({ network }) => network)
  return [...byNetwork].map(([network, each]) => ({
    network,
    lastUsedAt: each[0]?.lastUsedAt ?? "",
    operations: each
      .flatMap(({ operation, calls }) =>
        operation === null ? [] : [{ operation, calls: calls ?? 0 }],
      )
      .toSorted((a, b) => b.calls - a.calls),
    isEstimate: each.some(({ estimates }) => estimates > 0),
  }))
}
