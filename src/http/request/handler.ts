/** What a route is, and what it knows of a request. */
import type { Route } from "../../counters/metrics.ts"

export type Server = Bun.Server<undefined>
export type Handler<Asked extends Request = Request> = (
  request: Asked,
  server: Server,
) => Response | Promise<Response>
export type Routes = Readonly<Record<string, Handler>>

/** The facts about a request that every route needs. */
export type Trace = Readonly<{
  /** Logged, and sent as `Request-Id` by the API. */
  id: string
  startedAtMs: number
  method: string
  /** A name for the log and the metrics. Not the path, which may hold secrets. */
  route: Route
}>

export const createTrace = (request: Request, route: Route): Trace => ({
  id: Bun.randomUUIDv7(),
  startedAtMs: performance.now(),
  // Read once: the runtime makes a new string on each access.
  method: request.method,
  route,
})
