/** Failed requests with an author's keys, so that the author can see the causes. Contains no secrets. */
import type { RejectedSite } from "../catalog/purchase-code.ts"
import type { KeyKind, Operation } from "../keys/api-key.ts"
import type { Failure } from "../values/error.ts"
import type { DayRange, Timestamp } from "../values/time/timestamp.ts"

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
  Readonly<{ accountId: number; username: string; keyName: string; keyKind: KeyKind }>

export const failedRequestDays = 7
export const failedRequestsMax = 500

/** All of them latest first, at most `failedRequestsMax`. */
export interface FailedRequestStore {
  list(accountId: number, at: Timestamp): Promise<readonly LoggedRequest[]>
  /** Requests of all accounts with this error code, without test keys. */
  listOfAll(reason: Failure, at: Timestamp): Promise<readonly LoggedRequest[]>
}

/** Requests with test keys fail on purpose, and are listed only for their key. */
export const filterLog = (
  log: readonly LoggedRequest[],
  { from, to }: DayRange,
  keyId: string | null,
) =>
  log.filter((entry) => {
    const day = entry.firstAt.slice(0, 10)
    return from <= day && day <= to && isOfKey(entry, keyId)
  })

export const isOfKey = (
  { keyId, keyKind }: Readonly<{ keyId: string; keyKind: KeyKind }>,
  chosen: string | null,
) => (chosen === null ? keyKind !== "tk" : keyId === chosen)

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
