/** How the keys of one author are used: why calls failed, and its calls by day. */
import type { LoggedCall } from "../../domain/usage/failed-calls.ts"
import { type UsageDay, usageDays } from "../../domain/usage/usage.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { listKeyFacts, listKeys } from "../pages/key-facts.ts"
import { Pager } from "../pages/parts/blocks.tsx"
import { CallsPanel } from "../pages/parts/calls-panel.tsx"
import { type ChosenRange, readRange } from "../pages/parts/date-range.tsx"
import { FailedCallTable } from "../pages/parts/failed-calls.tsx"
import { shownName } from "../pages/parts/values.tsx"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
} from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import { AuthorTabs, parseAccountId } from "./frame/lists.tsx"
import type { ConsoleServices } from "./frame/services.ts"
import { ConsoleKeyTable, listMasked, type MaskedKey } from "./keys.tsx"

/** A row is about a kilobyte, and a page stays under 100. */
const pageRows = 50
const keysShown = 25

export function addAuthorUseRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { accounts, failedCalls, usage, now } = services

  async function findAuthor(c: ConsoleContext): Promise<Author | null> {
    const id = parseAccountId(c.req.param("id") ?? "")
    return id === null ? null : accounts.find(id)
  }

  app.get(paths.authorLog(":id"), async (c) => {
    const author = await findAuthor(c)
    if (author === null) return c.notFound()
    const log = await failedCalls.list(author.id, formatTimestamp(now()))
    return c.html(
      <AuthorLogPage
        view={viewOf(c)}
        author={author}
        log={log.filter(({ keyKind }) => keyKind !== "tk")}
        page={Math.floor(Number(c.req.query("page")) || 1)}
      />,
    )
  })

  app.get(paths.authorTraffic(":id"), async (c) => {
    const author = await findAuthor(c)
    if (author === null) return c.notFound()
    const range = readRange(c.req.query(), formatTimestamp(now()), usageDays)
    const days = await usage.listByDay(author.id, range)
    const { live, ended } = await listKeys(services, author.id)
    const facts = await listKeyFacts(services, [...live, ...ended].slice(0, keysShown))
    const keys = await listMasked(services, facts)
    return c.html(
      <AuthorTrafficPage view={viewOf(c)} author={author} range={range} days={days} keys={keys} />,
    )
  })
}

type Author = Readonly<{ id: number; username: string }>

type LogProps = Readonly<{
  view: ConsoleView
  author: Author
  log: readonly LoggedCall[]
  page: number
}>

export const AuthorLogPage = ({ view, author, log, page }: LogProps) => {
  const { author: texts } = view.texts
  const words = view.words.log
  const pages = Math.max(1, Math.ceil(log.length / pageRows))
  const shown = Math.min(pages, Math.max(1, page))
  return (
    <ConsolePage view={view} title={texts.logTitle(shownName(author.username, author.id))}>
      <AuthorTabs view={view} author={author} />
      <p class="hint">{texts.logIntro}</p>
      {log.length === 0 ? (
        <p class="empty">{texts.noLog}</p>
      ) : (
        <>
          <FailedCallTable
            view={view}
            rows={log.slice((shown - 1) * pageRows, shown * pageRows)}
            pathOfKey={paths.key}
          />
          <Pager
            view={view}
            label={words.title}
            total={words.entries(log.length)}
            page={shown}
            pages={pages}
            linkTo={(to) => `${paths.authorLog(author.id)}?page=${to}`}
          />
        </>
      )}
    </ConsolePage>
  )
}

type TrafficProps = Readonly<{
  view: ConsoleView
  author: Author
  range: ChosenRange
  days: readonly UsageDay[]
  keys: readonly MaskedKey[]
}>

export const AuthorTrafficPage = ({ view, author, range, days, keys }: TrafficProps) => {
  const { traffic } = view.texts
  return (
    <ConsolePage view={view} title={`${traffic.title}: ${shownName(author.username, author.id)}`}>
      <AuthorTabs view={view} author={author} />
      <CallsPanel view={view} range={range} days={days} path={paths.authorTraffic(author.id)} />
      {keys.length > 0 && <ConsoleKeyTable view={view} keys={keys} />}
    </ConsolePage>
  )
}
