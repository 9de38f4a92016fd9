import type { Route } from "../usage/usage.ts"

export type Server = Bun.Server<undefined>
export type Handler<Received extends Request = Request> = (
  request: Received,
  server: Server,
) => Response | Promise<Response>
export type Routes = Readonly<Record<string, Handler>>

export type Trace = Readonly<{
  /** Logged, and sent as `Request-Id` by the API. */
  id: string
  startedAtMs: number
  method: string
  /** The name in the log and the metrics. Not the path, which may contain secrets. */
  route: Route
}>

export const createTrace = (request: Request, route: Route): Trace => ({
  id: Bun.randomUUIDv7(),
  startedAtMs: performance.now(),
  // Read once: the runtime creates a new string on each access.
  method: request.method,
  route,
})
