import type { Caller } from "../platform/ip-range.ts"
import type { Log } from "../platform/log.ts"
import type { Every } from "../platform/timers.ts"
import { countByReason, type Metrics } from "../usage/metrics.ts"
import type { CountedReason } from "../usage/usage.ts"
import type { CountedOutcome, UsageCounter } from "../usage/usage-counter.ts"
import type { Trace } from "./endpoint.ts"

export type RecordResponse = (
  response: Response,
  trace: Trace,
  outcome: CountedOutcome & Readonly<{ isTestKey: boolean }>,
  /** Needed only if the request had a key. */
  caller?: Caller,
) => Response

export const unauthenticatedOutcome = {
  keyId: null,
  isKeyAccepted: false,
  isTestKey: false,
  purchase: null,
  rejectedCode: null,
} as const

const unknownCaller: Caller = { address: () => "" }

/** While draining, each response closes its connection, so that the client reconnects to another node. */
export function createRequestLog(
  log: Log,
  count: UsageCounter["count"],
  isDraining: () => boolean,
): RecordResponse {
  return (response, trace, outcome, caller = unknownCaller) => {
    const ms = performance.now() - trace.startedAtMs
    count(trace.route, outcome, ms, caller)
    const { status } = response
    const { fault } = outcome
    // Anybody can request an unsupported path (501), or send a test code that fails.
    const isExpected = status < 500 || status === 501 || outcome.isTestKey
    if (log.logsRequests || !isExpected || fault !== null) {
      const { id: requestId, method, route } = trace
      const { reason, keyId } = outcome
      const line = { method, route, status, reason, ms, keyId, requestId }
      if (fault === null) log.request(line, isExpected)
      else log.failedRequest(line, fault)
    }
    if (isDraining()) response.headers.set("Connection", "close")
    return response
  }
}

const reasons: Readonly<Record<number, CountedReason>> = {
  404: "unknown_path",
  405: "method_not_allowed",
  413: "too_large",
  429: "rate_limited",
}

/** For responses outside the API, which have no error code. */
export function reasonOfStatus(status: number): CountedReason {
  if (status < 400) return "ok"
  return status >= 500 ? "unavailable" : (reasons[status] ?? "refused")
}

const countsEveryMs = 60_000

/**
 * Once a minute logs the number of requests by error code; logs nothing after a minute without requests.
 * The returned function logs the rest and stops the timer.
 */
export function openRequestCounts(
  log: Pick<Log, "info">,
  metrics: Metrics,
  every: Every,
): () => void {
  let before = countByReason(metrics)
  function write(): void {
    const sums = countByReason(metrics)
    const counts = [...sums]
      .map(([reason, count]) => [reason, count - (before.get(reason) ?? 0)] as const)
      .filter(([, count]) => count > 0)
    before = sums
    if (counts.length > 0) log.info("requests", Object.fromEntries(counts))
  }
  const stopTimer = every(countsEveryMs, write)
  return () => {
    stopTimer()
    write()
  }
}
