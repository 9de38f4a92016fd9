/**
 * The log of failed calls, so that an author can see why calls failed. Only calls with a key of the author are in it, and
 * no key's secret.
 */
import type { RejectedSite } from "../catalog/purchase-code.ts"
import type { KeyKind, Operation } from "../keys/api-key.ts"
import type { Failure, Reason } from "../values/error.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

/** Equal calls of one day are one entry. */
export type FailedRequest = Readonly<{
  keyId: string
  operation: Operation
  reason: Failure
  /** "" for calls that were too many to note each network and code. */
  ipRange: string
  /** As the author may see it (`shownCode`); "" where none was asked for, and for calls that were too many. */
  code: string
  firstAt: Timestamp
  lastAt: Timestamp
  calls: number
  /** Of a call that was refused because of its site; not part of the log. */
  rejectedSite?: RejectedSite | undefined
}>

export type LoggedRequest = Omit<FailedRequest, "rejectedSite"> &
  Readonly<{ keyName: string; keyKind: KeyKind }>

export const failedRequestDays = 7
/** Of one author. */
export const failedRequestsMax = 500

export interface FailedRequestStore {
  /** Those of the last seven days up to `at`, the latest first, at most 500. */
  list(accountId: number, at: Timestamp): Promise<readonly LoggedRequest[]>
}

/** `codes`: a correct "no" to a code. `stopped`: the key does not work any more, or the account is suspended. */
export type FailureKind = "codes" | "errors" | "stopped"

const ofCodes: readonly Reason[] = ["unknown_code", "revoked_code", "site_limit"]

/** A call with a revoked or expired key, or one of a suspended account, is no use of the key. */
export const isUse = (outcome: Reason) =>
  outcome !== "revoked_key" && outcome !== "expired_key" && outcome !== "account_suspended"

export function failureKindOf(reason: Reason): FailureKind {
  if (ofCodes.includes(reason)) return "codes"
  return isUse(reason) ? "errors" : "stopped"
}

/** The calls from one network with a key that no longer works. */
export type InactiveKeyUse = Readonly<{ ipRange: string; calls: number; lastAt: Timestamp }>

/** By key, the latest network first. */
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
