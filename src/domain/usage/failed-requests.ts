/** Failed requests with an author's keys, so that the author can see the causes. Contains no secrets. */
import type { RejectedSite } from "../catalog/purchase-code.ts"
import type { KeyKind, Operation } from "../keys/api-key.ts"
import type { Failure, Reason } from "../values/error.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

/** Equal requests of one day are one entry. */
export type FailedRequest = Readonly<{
  keyId: string
  operation: Operation
  reason: Failure
  /** Empty if there were too many requests to record each IP range and code. */
  ipRange: string
  /** As `shownCode` returns it. Empty if the request had none, or if there were too many requests. */
  code: string
  firstAt: Timestamp
  lastAt: Timestamp
  calls: number
  /** Only for `site_limit`; not part of the log. */
  rejectedSite?: RejectedSite | undefined
}>

export type LoggedRequest = Omit<FailedRequest, "rejectedSite"> &
  Readonly<{ keyName: string; keyKind: KeyKind }>

export const failedRequestDays = 7
export const failedRequestsMax = 500

export interface FailedRequestStore {
  /** Latest first. */
  list(accountId: number, at: Timestamp): Promise<readonly LoggedRequest[]>
}

/** `codes`: the code is invalid. `stopped`: the key is inactive or the account is suspended. */
export type FailureKind = "codes" | "errors" | "stopped"

const codeReasons: readonly Reason[] = ["unknown_code", "revoked_code", "site_limit"]

/** Requests with an inactive key or of a suspended account do not count as use of the key. */
export const isUse = (outcome: Reason) =>
  outcome !== "revoked_key" && outcome !== "expired_key" && outcome !== "account_suspended"

export function failureKindOf(reason: Reason): FailureKind {
  if (codeReasons.includes(reason)) return "codes"
  return isUse(reason) ? "errors" : "stopped"
}

export type InactiveKeyUse = Readonly<{ ipRange: string; calls: number; lastAt: Timestamp }>

export function listInactiveKeyUse(
  log: readonly FailedRequest[],
): ReadonlyMap<string, readonly InactiveKeyUse[]> {
  const ended = log.filter(({ reason }) => reason === "revoked_key" || reason === "expired_key")
  const byKey = Map.groupBy(ended, ({ keyId }) => keyId)
  return new Map([...byKey].map(([keyId, calls]) => [keyId, sumByIpRange(calls)]))
}

const sumByIpRange = (calls: readonly FailedRequest[]): readonly InactiveKeyUse[] =>
  [...Map.groupBy(calls, ({ ipRange }) => ipRange)]
    .map(([ipRange, each]) => ({
      ipRange,
      calls: sumCalls(each),
      lastAt:
        each
          .map(({ lastAt }) => lastAt)
          .toSorted()
          .at(-1) ?? "",
    }))
    .toSorted((a, b) => (a.lastAt > b.lastAt ? -1 : 1))

export const sumCalls = (entries: readonly Readonly<{ calls: number }>[]) =>
  entries.reduce((sum, { calls }) => sum + calls, 0)
