/** Failed requests, usage by day and webhooks of an author. */
import { shownUrl } from "../../domain/events/endpoint.ts"
import { failedRequestDays } from "../../domain/usage/failed-requests.ts"
import { type UsageDay, usageDays } from "../../domain/usage/usage.ts"
import { formatTimestamp, lastDays } from "../../domain/values/time/timestamp.ts"
import { findOwnEndpoint } from "../../operations/events/endpoint-operations.ts"
import { type ChosenRange, DaysInUtc, parseRange } from "../pages/components/date-range.tsx"
import { displayName } from "../pages/components/formatted-values.tsx"
import {
  parseKeyAndDay,
  RequestLog,
  type RequestLogProps,
} from "../pages/components/request-log.tsx"
import { RequestsPanel } from "../pages/components/requests-panel.tsx"
import { listKeys } from "../pages/key-facts.ts"
import { AuthorEndpoint } from "../pages/webhooks/webhook-pages.tsx"
import { ConsoleKeyTable, listMasked, type MaskedKey } from "./console-keys-page.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import { AuthorTabs, type ChosenAuthor, findAuthor } from "./layout/list-components.tsx"

const keysShown = 25
const deliveriesShown = 25

export function addAuthorUseRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { failedRequests, messages, usage, now } = services

  app.get(paths.authorLog(":id"), async (c) => {
    const author = await findAuthor(services, c.req.param("id"))
    if (author === null) return c.notFound()
    const at = formatTimestamp(now())
    return c.html(
      <AuthorLogPage
        view={viewOf(c)}
        author={author}
        log={await failedRequests.list(author.id, at)}
        days={lastDays(at, failedRequestDays)}
        filter={parseKeyAndDay(c.req.query())}
        page={Math.floor(Number(c.req.query("page")) || 1)}
      />,
    )
  })

  app.get(paths.authorWebhook(":id", ":endpoint"), async (c) => {
    const author = await findAuthor(services, c.req.param("id"))
    if (author === null) return c.notFound()
    const endpoint = await findOwnEndpoint(services, author.id, c.req.param("endpoint") ?? "")
    if (endpoint === null) return c.notFound()
    const deliveries = await messages.list(endpoint.id, null, deliveriesShown)
    return c.html(
      <AuthorWebhookPage
        view={viewOf(c)}
        author={author}
        endpoint={endpoint}
        deliveries={deliveries}
      />,
    )
  })

  app.get(paths.authorTraffic(":id"), async (c) => {
    const author = await findAuthor(services, c.req.param("id"))
    if (author === null) return c.notFound()
    const range = parseRange(c.req.query(), formatTimestamp(now()), usageDays)
    const days = await usage.listByDay(author.id, range)
    const { ids } = await listKeys(services, author.id)
    const keys = await listMasked(services, ids.slice(0, keysShown))
    return c.html(
      <AuthorTrafficPage view={viewOf(c)} author={author} range={range} days={days} keys={keys} />,
    )
  })
}

type LogProps = Pick<RequestLogProps, "filter" | "log" | "days" | "page"> &
  Readonly<{ view: ConsoleView; author: ChosenAuthor }>

export const AuthorLogPage = ({ author, ...props }: LogProps) => {
  const { view, filter, log, days } = props
  const { author: texts } = view.consoleTexts
  return (
    <ConsolePage view={view} title={texts.logTitle(displayName(author.username, author.id))}>
      <AuthorTabs view={view} author={author} />
      <p class="hint">
        {texts.logIntro} <DaysInUtc view={view} last={days.at(-1) ?? ""} />{" "}
        {filter.key === undefined && view.texts.log.testKeys}
      </p>
      <RequestLog
        {...props}
        path={paths.authorLog(author.id)}
        pathOfKey={paths.key}
        empty={log.length === 0 ? texts.noLog : view.texts.log.none}
      />
    </ConsolePage>
  )
}

type WebhookProps = Parameters<typeof AuthorEndpoint>[0] &
  Readonly<{ view: ConsoleView; author: ChosenAuthor }>

const AuthorWebhookPage = ({ view, author, endpoint, deliveries }: WebhookProps) => (
  <ConsolePage view={view} title={`${view.texts.webhooks.title}: ${shownUrl(endpoint.url)}`}>
    <AuthorTabs view={view} author={author} />
    <AuthorEndpoint view={view} endpoint={endpoint} deliveries={deliveries} />
  </ConsolePage>
)

type TrafficProps = Readonly<{
  view: ConsoleView
  author: ChosenAuthor
  range: ChosenRange
  days: readonly UsageDay[]
  keys: readonly MaskedKey[]
}>

const AuthorTrafficPage = ({ view, author, range, days, keys }: TrafficProps) => (
  <ConsolePage
    view={view}
    title={`${view.consoleTexts.traffic.title}: ${displayName(author.username, author.id)}`}
  >
    <AuthorTabs view={view} author={author} />
    <RequestsPanel view={view} range={range} days={days} path={paths.authorTraffic(author.id)} />
    {keys.length > 0 && <ConsoleKeyTable view={view} keys={keys} />}
  </ConsolePage>
)
