/** The last step of every request: its log line. */
import type { Log } from "../log.ts"
import type { Outcome } from "./api/outcome.ts"
import type { RefusalLog } from "./refusal-log.ts"
import type { Trace } from "./trace.ts"

/** A reason of the API, or `refused` where a page or an operator's path has no closer one. */
type LoggedReason = Outcome["reason"] | "refused"

/** Logs the request and returns its response. */
export type Conclude = (
  response: Response,
  trace: Trace,
  outcome: Pick<Outcome, "keyId" | "fault"> & Readonly<{ reason: LoggedReason }>,
) => Response

/** While `isRetired`, every answer asks the client to open its next connection elsewhere. */
export function createRequestLog(
  log: Log,
  refusals: Pick<RefusalLog, "count">,
  isRetired: () => boolean,
): Conclude {
  return (response, { id: requestId, startedAtMs, method, route }, { reason, keyId, fault }) => {
    const ms = performance.now() - startedAtMs
    const { status } = response
    const line = { method, route, status, reason, ms, keyId, requestId }
    if (fault === null) log.request(line)
    else log.failedRequest(line, fault)
    if (status >= 400 && status < 500) refusals.count(route, reason)
    if (isRetired()) response.headers.set("Connection", "close")
    return response
  }
}

const reasons: Readonly<Record<number, LoggedReason>> = {
  404: "unknown_path",
  405: "method_not_allowed",
  413: "too_large",
  429: "rate_limited",
}

/** For answers outside the API, which carry no reason. */
export function reasonOfStatus(status: number): LoggedReason {
  if (status < 400) return "ok"
  return status >= 500 ? "unavailable" : (reasons[status] ?? "refused")
}
