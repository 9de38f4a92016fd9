/** The listener: which path leads where, and how it stops. */
import type { Operation } from "../domain/api-key.ts"
import type { Awaitable } from "../domain/awaitable.ts"
import { DomainError } from "../domain/error.ts"
import { networkOf } from "../domain/network.ts"
import type { Log } from "../log.ts"
import { type Exchange, openExchange, respondFailure } from "./api/answer.ts"
import { type ApiServices, type Endpoint, handle } from "./api/endpoint.ts"
import { listItemsEndpoint } from "./api/list-items.ts"
import { readAccountEndpoint } from "./api/read-account.ts"
import { readItemEndpoint } from "./api/read-item.ts"
import { validatePurchaseEndpoint } from "./api/validate-purchase.ts"
import { createClientAddress } from "./client-address.ts"
import { addMissingDate } from "./date-header.ts"
import { createHealth, type Health } from "./health.ts"
import { handleFeed, type OperatorServices } from "./operator/feed.ts"
import { collapseSlashes, pathOf } from "./request-target.ts"
import type { WorkspaceServices } from "./workspace/services.ts"
import { createWorkspace } from "./workspace/workspace.tsx"

export type ServerWish = Readonly<{
  host: string
  port: number
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
  /** What `/readyz` asks: resolves when the store can answer. */
  askStore(): Promise<void>
  /** Whether to ask it every second, so that the log tells when it is lost, or another one. */
  watchesStore: boolean
  log: Log
}>

/** Told of every answer that a key was good enough for, and, where it asks, of where the call came from. */
type Usage = Readonly<{
  count(keyId: string, operation: Operation, outcome: Exchange["reason"]): boolean
  see(keyId: string, network: string): void
}>

export type Listener = Readonly<{
  /** As a client would write it. */
  url: string
  /** Goes on answering while whoever sends requests here hears that it should stop doing so. */
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

/** What programs ask: JSON whatever happens. Everything else is a page. */
const isForPrograms = (path: string) => /^\/+(?:api|operator)(?:\/|$)/i.test(path)

type Server = Bun.Server<undefined>
type Handler = (request: Request, server: Server) => Awaitable<Response>

export function openServer(wish: ServerWish): Listener {
  const { host, port, idleSeconds, api, operator, usage, log } = wish
  const routes: Record<string, Handler> = {}
  const clientAddress = createClientAddress(wish.trustedProxies)
  const addressOf = (request: Request, server: Server) =>
    clientAddress(server.requestIP(request)?.address ?? "", request.headers.get("x-forwarded-for"))

  const health = createHealth(wish.askStore, log)
  if (wish.watchesStore) health.watch()
  Object.assign(routes, health.routes)

  const onBroken = (requestId: string, fault: unknown) =>
    log.error("an answer broke off", fault, requestId)
  const open = (request: Request) => {
    const exchange = openExchange(request, api.siteLocale, onBroken)
    exchange.isLast = health.isRetired()
    return exchange
  }

  function serve<Input, Result>(endpoint: Endpoint<Input, Result>): void {
    const { operation } = endpoint
    function finish(response: Response, exchange: Exchange): Response {
      const { request, keyId, reason, isStreamed } = exchange
      if (isStreamed) server.timeout(request, readingSeconds)
      if (keyId !== null && usage.count(keyId, operation, reason)) {
        usage.see(keyId, networkOf(addressOf(request, server)))
      }
      return conclude(log, operation, exchange, response)
    }
    const handler: Handler = (request) => handle(endpoint, api, open(request), finish)
    // One trailing slash is served in place: PHP clients write it, and follow no redirect.
    routes[endpoint.path] = handler
    routes[`${endpoint.path}/`] = handler
  }
  serve(readAccountEndpoint)
  serve(listItemsEndpoint)
  serve(readItemEndpoint)
  serve(validatePurchaseEndpoint)
  if (operator !== null) {
    routes[feedPath] = (request, server) =>
      logged(log, "feed", open(request), async (exchange) => {
        const response = await handleFeed(operator, {
          request,
          onAdmitted: () => server.timeout(request, 0),
          onFault: (fault) => {
            exchange.fault = fault
          },
        })
        // The setting is the connection's: what comes on it next is no longer a feed.
        server.timeout(request, idleSeconds)
        return response
      })
  }

  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: wish.threads > 1,
    idleTimeout: idleSeconds,
    // The API judges lengths itself, with an answer in JSON; a feed may be as long as it likes.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes,
    fetch(request, server) {
      const path = pathOf(request.url)
      // The route table takes a path as it is written, so those with repeated slashes arrive here.
      const handler = routes[collapseSlashes(path)]
      if (handler !== undefined) return handler(request, server)
      const exchange = open(request)
      if (isForPrograms(path)) {
        return logged(log, "unknown", exchange, async () =>
          respondFailure(exchange, new DomainError("unknown_path"), ""),
        )
      }
      return logged(log, "page", exchange, () =>
        workspace.fetch(request, addressOf(request, server), (fault) => {
          exchange.fault = fault
        }),
      )
    },
  })
  const url = urlOf(server)
  const workspace = createWorkspace(wish.createWorkspaceServices(url))
  return {
    url,
    retire: health.retire,
    async close() {
      await drain(server)
      health.close()
    },
  }
}

/** A failure that no handler expected ends here: told to the operator, not to the caller. */
async function logged(
  log: Log,
  route: string,
  exchange: Exchange,
  respond: (exchange: Exchange) => Promise<Response>,
): Promise<Response> {
  const response = await respond(exchange).catch((error) => respondFailure(exchange, error, ""))
  return conclude(log, route, exchange, response)
}

function conclude(
  log: Log,
  route: string,
  { method, requestId, startedAtMs, keyId, fault, isLast }: Exchange,
  response: Response,
): Response {
  if (fault !== null) log.error("a request failed", fault, requestId)
  const ms = performance.now() - startedAtMs
  log.request({ method, route, status: response.status, ms, keyId, requestId })
  if (isLast) response.headers.set("Connection", "close")
  addMissingDate(method, response)
  return response
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
