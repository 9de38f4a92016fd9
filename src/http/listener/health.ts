/**
 * Probes for load balancers: whether the process answers, and whether requests should be sent here.
 * They are public, so an answer never says why, and concurrent probes share one read of the store. Only
 * changes are logged.
 */
import { withTimeout } from "../../domain/values/time/timeout.ts"
import type { Log } from "../../log/log.ts"
import { addMissingDate, unavailableRetryAfter } from "../api/answer/headers.ts"

export type Health = Readonly<{
  routes: Readonly<Record<"/healthz" | "/readyz", (request: Request) => Promise<Response>>>
  isRetired(): boolean
  /**
   * From now on `/readyz` says no. Resolves when load balancers have noticed: at once if none has
   * asked `/readyz` lately.
   */
  retire(): Promise<void>
  /** From now on the store is asked every second, with or without probes. */
  watch(): void
  close(): void
}>

const storeMsMax = 1_000
/** Long enough for a load balancer that asks every two seconds to hear "no" twice. */
export const lingerMs = 5_000
/** A balancer that probes less often than this cannot react to a stop in time. */
const watchedMs = 60_000
const watchEveryMs = 1_000

/** `onJudged` is told each time whether the store could be used. */
export function openHealth(
  askStore: () => Promise<void>,
  isWritable: () => boolean,
  log: Log,
  onJudged: (isGood: boolean) => void,
): Health {
  let isRetired = false
  let wasGood = true
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null
  let watching: ReturnType<typeof setInterval> | undefined

  async function judgeStore(): Promise<boolean> {
    asking ??= askStore().finally(() => {
      asking = null
    })
    const fault = await withTimeout(faultOf(asking), storeMsMax, tooSlow)
    const isGood = fault === null
    if (isGood && !wasGood) log.info("ready again")
    if (!isGood && wasGood) log.error("not ready: the store cannot be used", fault)
    wasGood = isGood
    onJudged(isGood)
    return isGood
  }

  return {
    routes: {
      "/healthz": answering(async () => ok({ status: "ok" })),
      "/readyz": answering(async () => {
        askedAt = performance.now()
        if (!(await judgeStore()) || isRetired) return unavailable()
        // Validations only read, so requests still belong here.
        return isWritable() ? ok({ status: "ready" }) : ok({ status: "ready", writable: false })
      }),
    },
    isRetired: () => isRetired,
    async retire() {
      isRetired = true
      if (performance.now() - askedAt < watchedMs) await Bun.sleep(lingerMs)
    },
    watch() {
      watching = setInterval(judgeStore, watchEveryMs)
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

type Answer = Readonly<{ status: string; writable?: false }>

const ok = (answer: Answer) => respond(200, answer, {})
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

const respond = (code: number, answer: Answer, headers: Readonly<Record<string, string>>) =>
  new Response(JSON.stringify(answer), {
    status: code,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  })
