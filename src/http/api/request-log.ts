/** The last step of every request: its log line, and its counts. */
import type { Log } from "../../log/log.ts"
import type { CountedReason } from "../../metrics/labels.ts"
import type { CountedOutcome, Counter } from "../../usage/counter.ts"
import type { Trace } from "../request/trace.ts"

/** Logs and counts the request, and returns its response. */
export type Conclude = (
  response: Response,
  trace: Trace,
  outcome: CountedOutcome,
  /** Of the caller; not asked for where there is no key. */
  address?: () => string,
) => Response

/** Most of an outcome outside the API. */
export const withoutKey = { keyId: null, isKeyAccepted: false, purchase: null } as const

const noAddress = () => ""

/** While `isRetired`, every answer asks the client to open its next connection elsewhere. */
export function createRequestLog(
  log: Log,
  count: Counter["count"],
  isRetired: () => boolean,
): Conclude {
  return (response, trace, outcome, address = noAddress) => {
    const { id: requestId, startedAtMs, method, route } = trace
    const { reason, keyId, fault } = outcome
    const ms = performance.now() - startedAtMs
    count(route, outcome, ms, address)
    const { status } = response
    const line = { method, route, status, reason, ms, keyId, requestId }
    if (fault === null) log.request(line)
    else log.failedRequest(line, fault)
    if (isRetired()) response.headers.set("Connection", "close")
    return response
  }
}

const reasons: Readonly<Record<number, CountedReason>> = {
  404: "unknown_path",
  405: "method_not_allowed",
  413: "too_large",
  429: "rate_limited",
}

/** For answers outside the API, which carry no reason. */
export function reasonOfStatus(status: number): CountedReason {
  if (status < 400) return "ok"
  return status >= 500 ? "unavailable" : (reasons[status] ?? "refused")
}
