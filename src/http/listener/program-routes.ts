/** The paths for programs beside the API: its descriptions, the feed, sign-in links and metrics. */
import type { Caller, TokenLimit } from "../../domain/running/rate-limits.ts"
import type { FindHolder } from "../../domain/sign-in/operator-token.ts"
import type { Log } from "../../log/log.ts"
import type { Recorder } from "../../metrics/recorder.ts"
import type { Locale } from "../api/answer/messages.ts"
import { createDocumentHandlers, failDocument } from "../openapi/handlers.ts"
import { type FeedServices, failFeed, handleFeed } from "../operator-api/feed.ts"
import { failLink, handleLink, type LinkServices } from "../operator-api/links.ts"
import { failMetrics, handleMetrics, type MetricsServices } from "../operator-api/metrics.ts"
import { createOperatorGuard, createTokenGuard } from "../operator-api/token.ts"
import type { Routes, Server } from "../request/handler.ts"
import type { Serving } from "./serving.ts"

export type OperatorServices = Readonly<{
  findHolder: FindHolder
  tokenLimit: TokenLimit
  feed: FeedServices
  links: LinkServices
  /** Null where no metrics token is set: the path then does not exist. */
  metrics: MetricsServices | null
}>

type ProgramRouting = Readonly<{
  operator: OperatorServices
  serving: Serving
  callerOf(request: Request, server: Server): Caller
  /** The address that links are built from. */
  currentBaseUrl(): string
  siteLocale: Locale
  /** The version of the program. */
  version: string
  idleSeconds: number
  recorder: Pick<Recorder, "countFeed">
  log: Log
}>

export const createProgramRoutes = (routing: ProgramRouting): Routes => ({
  ...createDocumentRoutes(routing),
  ...createFeedRoute(routing),
  ...createLinksRoute(routing),
  ...createMetricsRoute(routing),
})

function createDocumentRoutes(routing: ProgramRouting): Routes {
  const { operator, serving, callerOf, version, siteLocale, currentBaseUrl } = routing
  const { findHolder, tokenLimit } = operator
  const admitOperator = createOperatorGuard(findHolder, null, tokenLimit, failDocument)
  const handlers = createDocumentHandlers({ version, siteLocale, admitOperator, currentBaseUrl })
  return Object.fromEntries(
    Object.entries(handlers).map(([path, handle]) => [
      path,
      (request, server) =>
        serving.serve("openapi", request, () => handle(request, callerOf(request, server))),
    ]),
  )
}

function createFeedRoute(routing: ProgramRouting): Routes {
  const { operator, serving, callerOf, idleSeconds, recorder, log } = routing
  const admit = createOperatorGuard(operator.findHolder, "feed", operator.tokenLimit, failFeed)
  return {
    "/operator/feed": (request, server) =>
      serving.serve("feed", request, async (onFault, { id: requestId }) => {
        const actor = await admit(request, callerOf(request, server))
        if (actor instanceof Response) return actor
        const response = await handleFeed(operator.feed, {
          request,
          actor,
          onAdmitted: () => server.timeout(request, 0),
          onTaken(summary) {
            recorder.countFeed("push", summary, 0)
            log.info("feed push", { ...summary, requestId })
          },
          onFault,
        })
        // The setting belongs to the connection, whose next request is no feed.
        server.timeout(request, idleSeconds)
        return response
      }),
  }
}

function createLinksRoute({ operator, serving, callerOf, currentBaseUrl }: ProgramRouting): Routes {
  const admit = createOperatorGuard(operator.findHolder, "links", operator.tokenLimit, failLink)
  return {
    "/operator/links": (request, server) =>
      serving.serveNamed("links", request, async (onFault) => {
        const actor = await admit(request, callerOf(request, server))
        if (actor instanceof Response) return actor
        return handleLink(operator.links, { request, actor, baseUrl: currentBaseUrl(), onFault })
      }),
  }
}

function createMetricsRoute({ operator, serving, callerOf }: ProgramRouting): Routes {
  const { metrics, tokenLimit } = operator
  if (metrics === null) return {}
  const refuse = createTokenGuard(metrics.token, tokenLimit, failMetrics)
  return {
    "/metrics": (request, server) =>
      serving.serve(
        "metrics",
        request,
        async () => refuse(request, callerOf(request, server)) ?? handleMetrics(metrics, request),
      ),
  }
}
