/** The last step of every request: its log line. */
import type { Log } from "../log.ts"
import type { Outcome } from "./api/outcome.ts"
import type { Trace } from "./trace.ts"

/** Logs the request and returns its response. */
export type Conclude = (
  response: Response,
  trace: Trace,
  outcome: Pick<Outcome, "keyId" | "fault">,
) => Response

/** While `isRetired`, every answer asks the client to open its next connection elsewhere. */
export function createRequestLog(log: Log, isRetired: () => boolean): Conclude {
  return (response, { id: requestId, startedAtMs, method, route }, { keyId, fault }) => {
    const isFault = fault !== null
    if (isFault) log.error("a request failed", fault, requestId)
    const ms = performance.now() - startedAtMs
    log.request({ method, route, status: response.status, ms, keyId, requestId, isFault })
    if (isRetired()) response.headers.set("Connection", "close")
    return response
  }
}
