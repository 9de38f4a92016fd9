/** The last step of every request: its log line, and its place in the metrics. */
import type { Log } from "../log.ts"
import type { CountedReason } from "../metrics/labels.ts"
import type { Recorder } from "../metrics/recorder.ts"
import type { Outcome } from "./api/outcome.ts"
import type { RefusalLog } from "./refusal-log.ts"
import type { Trace } from "./trace.ts"

/** Logs and counts the request, and returns its response. */
export type Conclude = (
  response: Response,
  trace: Trace,
  outcome: Pick<Outcome, "keyId" | "fault"> & Readonly<{ reason: CountedReason }>,
) => Response

/** While `isRetired`, every answer asks the client to open its next connection elsewhere. */
export function createRequestLog(
  log: Log,
  recorder: Pick<Recorder, "countRequest">,
  refusals: Pick<RefusalLog, "count">,
  isRetired: () => boolean,
): Conclude {
  return (response, { id: requestId, startedAtMs, method, route }, { reason, keyId, fault }) => {
    const ms = performance.now() - startedAtMs
    recorder.countRequest(route, reason, ms, fault !== null)
    const { status } = response
    const line = { method, route, status, reason, ms, keyId, requestId }
    if (fault === null) log.request(line)
    else log.failedRequest(line, fault)
    if (status >= 400 && status < 500) refusals.count(route, reason)
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
