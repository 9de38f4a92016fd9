/** The listener: which path leads where, and how it stops. */
import type { Operation } from "../domain/api-key.ts"
import type { Awaitable } from "../domain/awaitable.ts"
import { DomainError } from "../domain/error.ts"
import { networkOf } from "../domain/network.ts"
import type { Log } from "../log.ts"
import type { ApiServices, Endpoint } from "./api/endpoint.ts"
import { listItemsEndpoint } from "./api/list-items.ts"
import { failureOutcome, type Outcome } from "./api/outcome.ts"
import { queryParameters } from "./api/parameters.ts"
import { answer, chooseVariant } from "./api/pipeline.ts"
import { readAccountEndpoint } from "./api/read-account.ts"
import { readItemEndpoint } from "./api/read-item.ts"
import { allowedMethods, createResponder } from "./api/response.ts"
import { validatePurchaseEndpoint } from "./api/validate-purchase.ts"
import { createClientAddress } from "./client-address.ts"
import { addMissingDate } from "./date-header.ts"
import { createHealth, type Health } from "./health.ts"
import { createDocumentRoutes } from "./openapi/routes.ts"
import { handleFeed, type OperatorServices } from "./operator/feed.ts"
import { collapseSlashes, pathOf, queryOf } from "./request-target.ts"
import { openTrace, type Trace } from "./trace.ts"
import type { WorkspaceServices } from "./workspace/services.ts"
import { createWorkspace } from "./workspace/workspace.tsx"

export type ServerOptions = Readonly<{
  host: string
  port: number
  /** What links are built from; null for the address the server listens on. */
  publicUrl: string | null
  /** The version of the program. */
  version: string
  /** How many listeners share the port. */
  threads: number
  trustedProxies: readonly string[]
  idleSeconds: number
  api: ApiServices
  /** Null where no operator token is set: the paths then do not exist. */
  operator: OperatorServices | null
  /** Given the address the server came to listen on. */
  createWorkspaceServices(url: string): WorkspaceServices
  usage: Usage
  /** Asked by `/readyz`: resolves when the store can be used. */
  askStore(): Promise<void>
  /** Whether to ask it every second, so that the log tells when it is lost, or another one. */
  watchesStore: boolean
  log: Log
}>

/** Told of every answer that a key was good enough for, and, where it asks, of where the call came from. */
type Usage = Readonly<{
  count(keyId: string, operation: Operation, outcome: Outcome["reason"]): boolean
  see(keyId: string, network: string): void
}>

export type Listener = Readonly<{
  /** As a client would write it. */
  url: string
  /** Goes on answering until load balancers have noticed that this node stops. */
  retire: Health["retire"]
  /** Lets the requests in flight finish, for a while; then cuts them off. */
  close(): Promise<void>
}>

export const drainMsMax = 10_000
/**
 * For a reader of a long list: the system holds megabytes of it, and until some of
 * those are taken nothing seems to move. The longest the runtime knows.
 */
const readingSeconds = 255
const feedPath = "/operator/feed"

/** Paths for programs always answer in JSON. Every other path is a page. */
const isForPrograms = (path: string) => /^\/+(?:api|operator)(?:\/|$)/i.test(path)

type Server = Bun.Server<undefined>
type Handler = (request: Request, server: Server) => Awaitable<Response>

export function openServer(options: ServerOptions): Listener {
  const { host, port, idleSeconds, api, operator, usage, log } = options
  const routes: Record<string, Handler> = {}
  const clientAddress = createClientAddress(options.trustedProxies)
  const addressOf = (request: Request, server: Server) =>
    clientAddress(server.requestIP(request)?.address ?? "", request.headers.get("x-forwarded-for"))

  const health = createHealth(options.askStore, log)
  if (options.watchesStore) health.watch()
  Object.assign(routes, health.routes)

  const onBroken = ({ id }: Trace, fault: unknown) => log.error("an answer broke off", fault, id)

  function serve<Input, Found, Result>(endpoint: Endpoint<Input, Found, Result>): void {
    const { operation, path, method } = endpoint
    const respond = createResponder({ ...endpoint, allow: allowedMethods(method) })
    const handler: Handler = async (request, server) => {
      const trace = openTrace(request, operation)
      const outcome = await answer(endpoint, api, { request, trace, onBroken })
      const { keyId, reason } = outcome
      if (outcome.body instanceof ReadableStream) server.timeout(request, readingSeconds)
      if (keyId !== null && usage.count(keyId, operation, reason)) {
        usage.see(keyId, networkOf(addressOf(request, server)))
      }
      const response = respond(outcome, trace)
      return conclude(response, trace, outcome)
    }
    // One trailing slash is served in place: PHP clients write it, and follow no redirect.
    routes[path] = handler
    routes[`${path}/`] = handler
  }
  serve(readAccountEndpoint)
  serve(listItemsEndpoint)
  serve(readItemEndpoint)
  serve(validatePurchaseEndpoint)

  const respondElsewhere = createResponder({ cacheControl: "no-store", allow: "" })
  /** An unknown path, or an error that no handler expected. */
  function fail(error: unknown, request: Request, trace: Trace): Response {
    const query = queryParameters(queryOf(request.url))
    const variant = chooseVariant(query, request.headers, api.siteLocale)
    const outcome = failureOutcome(error, null, variant, null)
    return conclude(respondElsewhere(outcome, trace), trace, outcome)
  }
  async function serveElsewhere(
    route: string,
    request: Request,
    handle: (onFault: (fault: unknown) => void) => Promise<Response>,
  ): Promise<Response> {
    const trace = openTrace(request, route)
    let fault: unknown = null
    try {
      const response = await handle((found) => {
        fault = found
      })
      addMissingDate(trace.method, response)
      return conclude(response, trace, { keyId: null, fault })
    } catch (error) {
      return fail(error, request, trace)
    }
  }
  function conclude(
    response: Response,
    { id: requestId, startedAtMs, method, route }: Trace,
    { keyId, fault }: Pick<Outcome, "keyId" | "fault">,
  ): Response {
    if (fault !== null) log.error("a request failed", fault, requestId)
    const ms = performance.now() - startedAtMs
    log.request({ method, route, status: response.status, ms, keyId, requestId })
    if (health.isRetired()) response.headers.set("Connection", "close")
    return response
  }

  const documents = createDocumentRoutes({
    version: options.version,
    siteLocale: api.siteLocale,
    operatorToken: operator?.token ?? null,
    findBaseUrl: () => options.publicUrl ?? urlOf(server),
  })
  for (const [path, handle] of Object.entries(documents)) {
    routes[path] = (request) => serveElsewhere("openapi", request, () => handle(request))
  }

  if (operator !== null) {
    routes[feedPath] = (request, server) =>
      serveElsewhere("feed", request, async (onFault) => {
        const onAdmitted = () => server.timeout(request, 0)
        const response = await handleFeed(operator, { request, onAdmitted, onFault })
        // The setting is the connection's: what comes on it next is no longer a feed.
        server.timeout(request, idleSeconds)
        return response
      })
  }

  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: options.threads > 1,
    idleTimeout: idleSeconds,
    // The API judges lengths itself, with an answer in JSON; a feed may be as long as it likes.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes,
    fetch(request, server) {
      const path = pathOf(request.url)
      // The route table takes a path as it is written, so those with repeated slashes arrive here.
      const handler = routes[collapseSlashes(path)]
      if (handler !== undefined) return handler(request, server)
      if (isForPrograms(path)) {
        return fail(new DomainError("unknown_path"), request, openTrace(request, "unknown"))
      }
      return serveElsewhere("page", request, (onFault) =>
        workspace.fetch(request, addressOf(request, server), onFault),
      )
    },
  })
  const url = urlOf(server)
  const workspace = createWorkspace(options.createWorkspaceServices(url))
  return {
    url,
    retire: health.retire,
    async close() {
      await drain(server)
      health.close()
    },
  }
}

function urlOf({ hostname = "localhost", port }: Server): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname
  return `http://${host}:${port}`
}

/** The runtime waits long for a half-sent request; a stop must not. */
async function drain(server: Server): Promise<void> {
  const isDrained = server.stop().then(() => true)
  const isOver = await Promise.race([isDrained, Bun.sleep(drainMsMax).then(() => false)])
  if (!isOver) await server.stop(true)
}
