/** The listener: which path leads where, and how it stops. */
import { DomainError } from "../domain/error.ts"
import type { Log } from "../log.ts"
import { type Exchange, openExchange, respondFailure } from "./api/answer.ts"
import { type ApiServices, type Endpoint, handle } from "./api/endpoint.ts"
import { listItemsEndpoint } from "./api/list-items.ts"
import { readAccountEndpoint } from "./api/read-account.ts"
import { readItemEndpoint } from "./api/read-item.ts"
import { validatePurchaseEndpoint } from "./api/validate-purchase.ts"
import { handleFeed, type OperatorServices } from "./operator/feed.ts"
import { pathOf } from "./request-target.ts"

export type ServerWish = Readonly<{
  host: string
  port: number
  api: ApiServices
  /** Null where no operator token is set: the paths then do not exist. */
  operator: OperatorServices | null
  log: Log
}>

export type Listener = Readonly<{
  /** As a client would write it. */
  url: string
  /** Lets the requests in flight finish, for a while; then cuts them off. */
  close(): Promise<void>
}>

const drainMsMax = 10_000
const feedPath = "/operator/feed"
const welcome =
  "Pazar, an author API for marketplaces of digital items.\n" +
  "The API is under /api: account/details, items/all, items/item, purchases/validation.\n"

type Handler = (request: Request, server: Bun.Server<undefined>) => Promise<Response>

export function openServer({ host, port, api, operator, log }: ServerWish): Listener {
  const routes: Record<string, Handler> = {}

  function serve<Input, Result>(endpoint: Endpoint<Input, Result>): void {
    const handler: Handler = (request) =>
      logged(log, endpoint.operation, openExchange(request, api.siteLocale), (exchange) =>
        handle(endpoint, api, exchange),
      )
    // One trailing slash is served in place: PHP clients write it, and follow no redirect.
    routes[endpoint.path] = handler
    routes[`${endpoint.path}/`] = handler
  }
  serve(readAccountEndpoint)
  serve(listItemsEndpoint)
  serve(readItemEndpoint)
  serve(validatePurchaseEndpoint)
  if (operator !== null) {
    routes[feedPath] = (request, server) => {
      server.timeout(request, 0)
      return logged(log, "feed", openExchange(request, api.siteLocale), () =>
        handleFeed(operator, request),
      )
    }
  }

  const server = Bun.serve({
    hostname: host,
    port,
    // The API judges lengths itself, with an answer in JSON; a feed may be as long as it likes.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes,
    fetch: (request) =>
      logged(log, "other", openExchange(request, api.siteLocale), async (exchange) =>
        pathOf(request.url) === "/"
          ? new Response(welcome)
          : respondFailure(exchange, new DomainError("unknown_path"), ""),
      ),
  })
  return { url: addressOf(server), close: () => drain(server) }
}

/** A failure that no handler expected ends here: told to the operator, not to the caller. */
async function logged(
  log: Log,
  route: string,
  exchange: Exchange,
  respond: (exchange: Exchange) => Promise<Response>,
): Promise<Response> {
  const startedAt = performance.now()
  const { request, requestId } = exchange
  const response = await respond(exchange).catch((error) => respondFailure(exchange, error, ""))
  const { fault, keyId } = exchange
  if (fault !== null) log.error("a request failed", fault, requestId)
  const ms = performance.now() - startedAt
  log.request({ method: request.method, route, status: response.status, ms, keyId, requestId })
  return response
}

function addressOf({ hostname = "localhost", port }: Bun.Server<undefined>): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname
  return `http://${host}:${port}`
}

/** The runtime waits long for a half-sent request; a stop must not. */
async function drain(server: Bun.Server<undefined>): Promise<void> {
  const isDrained = server.stop().then(() => true)
  const isOver = await Promise.race([isDrained, Bun.sleep(drainMsMax).then(() => false)])
  if (!isOver) await server.stop(true)
}
