/**
 * Probes for load balancers: whether the process answers, and whether requests should be sent here.
 * They are public, so an answer never says why, and concurrent probes share one read of the store. Only
 * changes are logged.
 */
import { withTimeout } from "../../domain/values/time/timers.ts"
import type { Log } from "../../log/log.ts"
import { addMissingDate, unavailableRetryAfter } from "../api/response/headers.ts"

export type Health = Readonly<{
  routes: Readonly<Record<"/healthz" | "/readyz", (request: Request) => Promise<Response>>>
  isDraining(): boolean
  /** From now on `/readyz` returns 503. */
  drain(): void
  close(): void
}>

export type ProbedStore = Readonly<{
  /** Asked by `/readyz`: resolves when the store can be used. */
  ping(): Promise<void>
  /** Whether writes to the store succeed, by all threads. */
  isWritable(): boolean
  /** Whether to ask the store every second, so that the log tells when it is lost and when it is back. */
  isPolled: boolean
}>

const storeMsMax = 1_000
const watchEveryMs = 1_000

/**
 * `noteStore` is told each time whether the watched store could be used: by one thread, as the metrics add up the
 * numbers of all threads.
 */
export function openHealth(
  { ping, isWritable, isPolled }: ProbedStore,
  log: Log,
  noteStore: (isGood: boolean) => void,
): Health {
  let isDraining = false
  let wasGood = true
  let asking: Promise<void> | null = null

  async function judgeStore(): Promise<boolean> {
    asking ??= ping().finally(() => {
      asking = null
    })
    const fault = await withTimeout(faultOf(asking), storeMsMax, tooSlow)
    const isGood = fault === null
    if (isGood && !wasGood) log.info("ready again")
    if (!isGood && wasGood) log.error("not ready: database unavailable", fault)
    wasGood = isGood
    if (isPolled) noteStore(isGood)
    return isGood
  }
  if (isPolled) noteStore(true)
  const watching = isPolled ? setInterval(judgeStore, watchEveryMs) : undefined

  return {
    routes: {
      "/healthz": answering(async () => ok({ status: "ok" })),
      "/readyz": answering(async () => {
        if (!(await judgeStore()) || isDraining) return unavailable()
        // Validations only read, so requests still belong here.
        return isWritable() ? ok({ status: "ready" }) : ok({ status: "ready", writable: false })
      }),
    },
    isDraining: () => isDraining,
    drain() {
      isDraining = true
    },
    close: () => clearInterval(watching),
  }
}

const tooSlow = () => new Error(`no answer within ${storeMsMax} ms`)

const faultOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => null,
    (fault) => fault,
  )

type ProbeBody = Readonly<{ status: string; writable?: false }>

const ok = (answer: ProbeBody) => respond(200, answer, {})
const unavailable = () =>
  respond(503, { status: "unavailable" }, { "Retry-After": unavailableRetryAfter })

function answering(answer: () => Promise<Response>): (request: Request) => Promise<Response> {
  return async ({ method }) => {
    if (method !== "GET" && method !== "HEAD") {
      return respond(405, { status: "method_not_allowed" }, { Allow: "GET, HEAD" })
    }
    const response = await answer()
    addMissingDate(method, response)
    return response
  }
}

const respond = (code: number, answer: ProbeBody, headers: Readonly<Record<string, string>>) =>
  new Response(JSON.stringify(answer), {
    status: code,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  })
