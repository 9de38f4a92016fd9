/** Failed requests, usage by day and webhooks of an author. */
import { shownUrl } from "../../domain/events/endpoint.ts"
import { failedRequestDays, type LoggedRequest } from "../../domain/usage/failed-requests.ts"
import { type UsageDay, usageDays } from "../../domain/usage/usage.ts"
import { formatTimestamp, lastDays } from "../../domain/values/time/timestamp.ts"
import { findOwnEndpoint } from "../../operations/events/endpoint-operations.ts"
import { type ChosenRange, DaysInUtc, parseRange } from "../pages/components/date-range.tsx"
import { FailedRequestTable } from "../pages/components/failed-requests.tsx"
import { QuietButton, Select } from "../pages/components/form-fields.tsx"
import { displayName, formatDay } from "../pages/components/formatted-values.tsx"
import { Pager } from "../pages/components/panels-and-tables.tsx"
import { RequestsPanel } from "../pages/components/requests-panel.tsx"
import { listKeys } from "../pages/key-facts.ts"
import { AuthorEndpoint } from "../pages/webhooks/webhook-pages.tsx"
import { ConsoleKeyTable, listMasked, type MaskedKey } from "./console-keys-page.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { type AuthorLogQuery, paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import { AuthorTabs, type ChosenAuthor, findAuthor } from "./layout/list-components.tsx"

/** A row has about 1 KB. Keeps the page under 100 KB. */
const pageRows = 50
const keysShown = 25
const deliveriesShown = 25

export function addAuthorUseRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { failedRequests, messages, usage, now } = services

  app.get(paths.authorLog(":id"), async (c) => {
    const author = await findAuthor(services, c.req.param("id"))
    if (author === null) return c.notFound()
    const at = formatTimestamp(now())
    const { key = "", day = "" } = c.req.query()
    return c.html(
      <AuthorLogPage
        view={viewOf(c)}
        author={author}
        log={await failedRequests.list(author.id, at)}
        days={lastDays(at, failedRequestDays)}
        query={{ key, day }}
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

type LogProps = Readonly<{
  view: ConsoleView
  author: ChosenAuthor
  log: readonly LoggedRequest[]
  /** Oldest first. */
  days: readonly string[]
  query: AuthorLogQuery
  page: number
}>

export const AuthorLogPage = ({ view, author, log, days, query, page }: LogProps) => {
  const { author: texts } = view.consoleTexts
  const logTexts = view.texts.log
  const found = log.filter(
    ({ keyId, keyKind, firstAt }) =>
      // Requests with a test key are shown only if it is selected.
      (query.key ? keyId === query.key : keyKind !== "tk") && firstAt.startsWith(query.day ?? ""),
  )
  const pages = Math.max(1, Math.ceil(found.length / pageRows))
  const shown = Math.min(pages, Math.max(1, page))
  return (
    <ConsolePage view={view} title={texts.logTitle(displayName(author.username, author.id))}>
      <AuthorTabs view={view} author={author} />
      <p class="hint">
        {texts.logIntro} <DaysInUtc view={view} last={days.at(-1) ?? ""} />{" "}
        {!query.key && logTexts.testKeys}
      </p>
      <form method="get" action={paths.authorLog(author.id)} class="filter">
        <Select
          name="day"
          label={view.texts.overview.day}
          every={logTexts.allDays}
          options={days.toReversed().map((day) => [day, formatDay(day, view.locale)])}
          chosen={query.day}
        />
        <Select
          name="key"
          label={view.texts.columns.key}
          every={logTexts.allKeys}
          options={keysIn(log, query.key ?? "")}
          chosen={query.key}
        />
        <QuietButton>{view.texts.range.show}</QuietButton>
      </form>
      {found.length === 0 ? (
        <p class="empty">{log.length === 0 ? texts.noLog : logTexts.none}</p>
      ) : (
        <>
          <FailedRequestTable
            view={view}
            rows={found.slice((shown - 1) * pageRows, shown * pageRows)}
            pathOfKey={paths.key}
          />
          <Pager
            view={view}
            label={logTexts.title}
            total={logTexts.entries(found.length)}
            page={shown}
            pages={pages}
            linkTo={(to) => paths.authorLog(author.id, { ...query, page: String(to) })}
          />
        </>
      )}
    </ConsolePage>
  )
}

/** Keys with entries, and the selected key. */
const keysIn = (log: readonly LoggedRequest[], chosen: string) => [
  ...new Map([
    ...(chosen === "" ? [] : [[chosen, chosen] as const]),
    ...log.map(({ keyId, keyName }) => [keyId, displayName(keyName, keyId)] as const),
  ]),
]

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

const AuthorTrafficPage = ({ view, author, range, days, keys }: TrafficProps) => {
  const { traffic } = view.consoleTexts
  return (
    <ConsolePage view={view} title={`${traffic.title}: ${displayName(author.username, author.id)}`}>
      <AuthorTabs view={view} author={author} />
      <RequestsPanel view={view} range={range} days={days} path={paths.authorTraffic(author.id)} />
      {keys.length > 0 && <ConsoleKeyTable view={view} keys={keys} />}
    </ConsolePage>
  )
}
