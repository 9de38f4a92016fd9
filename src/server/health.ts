/**
 * Probes for load balancers: /healthz for the process, /readyz for the database too. Probes are public, so
 * responses give no cause, and concurrent probes share one query. Only changes are logged.
 */

import { addMissingDate, unavailableRetryAfter } from "../contract/response.ts"
import type { Log } from "../platform/log.ts"
import { withTimeout } from "../platform/timers.ts"

export type Health = Readonly<{
  routes: Readonly<Record<"/healthz" | "/readyz", (request: Request) => Promise<Response>>>
  isDraining(): boolean
  drain(): void
  close(): void
}>

export type ProbedStore = Readonly<{
  /** Resolves if the database is available. */
  ping(): Promise<void>
  /** Whether writes of all threads succeed. */
  isWritable(): boolean
  /** Whether to ping the database every second, so that the log has the time of an outage and of its end. */
  isPolled: boolean
}>

const storeMsMax = 1_000
const pollEveryMs = 1_000

/**
 * `onStoreChecked` is called after each check, but only if `isPolled`: one thread reports, because the
 * metrics add up the values of all threads.
 */
export function openHealth(
  { ping, isWritable, isPolled }: ProbedStore,
  log: Log,
  onStoreChecked: (isAvailable: boolean) => void,
): Health {
  let isDraining = false
  let wasAvailable = true
  let pinging: Promise<void> | null = null

  async function checkStore(): Promise<boolean> {
    pinging ??= ping().finally(() => {
      pinging = null
    })
    const fault = await withTimeout(
      pinging.then(
        () => null,
        (fault: unknown) => fault,
      ),
      storeMsMax,
      () => new Error(`no response within ${storeMsMax} ms`),
    )
    const isAvailable = fault === null
    if (isAvailable && !wasAvailable) log.info("ready again")
    if (!isAvailable && wasAvailable) log.error("not ready: database unavailable", fault)
    wasAvailable = isAvailable
    if (isPolled) onStoreChecked(isAvailable)
    return isAvailable
  }
  if (isPolled) onStoreChecked(true)
  const polling = isPolled ? setInterval(checkStore, pollEveryMs) : undefined

  return {
    routes: {
      "/healthz": createProbe(async () => respond(200, { status: "ok" })),
      "/readyz": createProbe(async () => {
        if (!(await checkStore()) || isDraining)
          return respond(503, { status: "unavailable" }, { "Retry-After": unavailableRetryAfter })
        // Validations only read, so this node can still serve them.
        return respond(200, { status: "ready", ...(!isWritable() && { writable: false }) })
      }),
    },
    isDraining: () => isDraining,
    drain() {
      isDraining = true
    },
    close: () => clearInterval(polling),
  }
}

function createProbe(probe: () => Promise<Response>): (request: Request) => Promise<Response> {
  return async ({ method }) => {
    if (method !== "GET" && method !== "HEAD") {
      return respond(405, { status: "method_not_allowed" }, { Allow: "GET, HEAD" })
    }
    const response = await probe()
    addMissingDate(method, response)
    return response
  }
}

const respond = (
  code: number,
  body: Readonly<{ status: string; writable?: false }>,
  headers: Readonly<Record<string, string>> = {},
) =>
  new Response(JSON.stringify(body), {
    status: code,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  })
