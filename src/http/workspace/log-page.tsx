import type { Operation } from "../../domain/keys/api-key.ts"
import {
  failedRequestDays,
  failureKindOf,
  type LoggedRequest,
} from "../../domain/usage/failed-requests.ts"
import { formatTimestamp, lastDays } from "../../domain/values/time/timestamp.ts"
import { type AuthorApp, type AuthorContext, viewOf, visitorOf } from "../pages/author-context.ts"
import { DaysInUtc } from "../pages/components/date-range.tsx"
import { explainFailure, FailedRequestTable } from "../pages/components/failed-requests.tsx"
import { QuietButton, Select } from "../pages/components/form-fields.tsx"
import { formatDay } from "../pages/components/formatted-values.tsx"
import { CsvLink, Pager, Tabs } from "../pages/components/panels-and-tables.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import { type CsvColumn, csvTimestamp, pagesInMemory, sendCsv } from "../pages/csv.ts"
import { type LogFilter, logCsvPath, logPath, pathOfKey, pathOfLog } from "../pages/paths.ts"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"

const shows = ["codes", "errors", "stopped"] as const
/** A row has about 1 KB. Keeps the page under 100 KB. */
const pageRows = 50

export function addLogRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { failedRequests, now } = services

  app.get(logCsvPath, async (c) => {
    const { account } = visitorOf(c)
    const view = viewOf(c)
    const at = formatTimestamp(now())
    const filter = parseFilter(c)
    const found = filterLog(await failedRequests.list(account.id, at), filter)
    return sendCsv(c, "failed-calls", csvColumns(view), pagesInMemory(found))
  })

  app.get(logPath, async (c) => {
    const { account } = visitorOf(c)
    const at = formatTimestamp(now())
    const filter = parseFilter(c)
    return c.html(
      <LogPage
        view={viewOf(c)}
        filter={filter}
        log={await failedRequests.list(account.id, at)}
        days={lastDays(at, failedRequestDays)}
        page={Math.floor(Number(c.req.query("page")) || 1)}
      />,
    )
  })
}

/** Invalid query parameters are ignored. */
function parseFilter(c: AuthorContext): LogFilter {
  const { show, key, day, operation } = c.req.query()
  return {
    show: shows.find((each) => each === show),
    key: key || undefined,
    day: /^\d{4}-\d\d-\d\d$/.test(day ?? "") ? day : undefined,
    operation: operationsOf(viewOf(c)).find(([each]) => each === operation)?.[0],
  }
}

const operationsOf = ({ texts }: View) =>
  Object.entries(texts.keyPages.operations) as readonly (readonly [Operation, string])[]

type Props = Readonly<{
  view: View
  filter: LogFilter
  log: readonly LoggedRequest[]
  /** Oldest first. */
  days: readonly string[]
  page: number
}>

export const LogPage = ({ view, filter, log, days, page }: Props) => {
  const texts = view.texts.log
  const { show: _, ...rest } = filter
  return (
    <WorkspacePage view={view} title={texts.title}>
      <h1>{texts.title}</h1>
      <Tabs
        label={texts.choices}
        tabs={([undefined, ...shows] as const).map((show) => ({
          path: pathOfLog({ ...rest, show }),
          text: texts.tabs[show ?? "all"],
          isCurrent: show === filter.show,
        }))}
      />
      <p class="hint">
        {texts.intro} <DaysInUtc view={view} last={days.at(-1) ?? ""} /> {texts.masked}{" "}
        {filter.key === undefined && texts.testKeys}
      </p>
      <FilterForm view={view} filter={filter} log={log} days={days} />
      <Entries view={view} filter={filter} log={log} days={days} page={page} />
    </WorkspacePage>
  )
}

type FilterFormProps = Pick<Props, "view" | "filter" | "log" | "days">

/** Keys with entries, and the selected key. */
const FilterForm = ({ view, filter, log, days }: FilterFormProps) => {
  const texts = view.texts.log
  const names = new Map(log.map(({ keyId, keyName }) => [keyId, keyName]))
  if (filter.key !== undefined && !names.has(filter.key)) names.set(filter.key, filter.key)
  return (
    <form method="get" action={logPath} class="filter">
      {filter.show !== undefined && <input type="hidden" name="show" value={filter.show} />}
      <Select
        name="day"
        label={view.texts.overview.day}
        every={texts.allDays}
        options={days.toReversed().map((day) => [day, formatDay(day, view.locale)])}
        chosen={filter.day}
      />
      <Select
        name="key"
        label={view.texts.columns.key}
        every={texts.allKeys}
        options={[...names]}
        chosen={filter.key}
      />
      <Select
        name="operation"
        label={texts.operation}
        every={texts.allOperations}
        options={operationsOf(view)}
        chosen={filter.operation}
      />
      <QuietButton>{view.texts.range.show}</QuietButton>
    </form>
  )
}

function filterLog(log: readonly LoggedRequest[], filter: LogFilter): readonly LoggedRequest[] {
  const { show, key, day, operation } = filter
  return log.filter(
    (call) =>
      (show === undefined || show === failureKindOf(call.reason)) &&
      // The overview does not count test keys, either.
      (key === undefined ? call.keyKind !== "tk" : key === call.keyId) &&
      (day === undefined || day === call.firstAt.slice(0, 10)) &&
      (operation === undefined || operation === call.operation),
  )
}

const Entries = ({ view, filter, log, days, page }: Props) => {
  const texts = view.texts.log
  const found = filterLog(log, filter)
  if (found.length === 0) {
    const isOld = filter.day !== undefined && filter.day < (days[0] ?? "")
    return <p class="empty">{isOld ? texts.expired : texts.none}</p>
  }
  const pages = Math.ceil(found.length / pageRows)
  const shown = Math.min(pages, Math.max(1, page))
  return (
    <>
      <FailedRequestTable
        view={view}
        rows={found.slice((shown - 1) * pageRows, shown * pageRows)}
        pathOfKey={pathOfKey}
      />
      <Pager
        view={view}
        label={texts.title}
        total={texts.entries(found.length)}
        page={shown}
        pages={pages}
        linkTo={(to) => pathOfLog(filter, to)}
      />
      <p>
        <CsvLink view={view} path={pathOfLog(filter, 1, logCsvPath)} />
      </p>
    </>
  )
}

function csvColumns(view: View): readonly CsvColumn<LoggedRequest>[] {
  const { columns, log, keyPages, csv } = view.texts
  return [
    { head: csv.inUtc(log.first), cell: ({ firstAt }) => csvTimestamp(firstAt) },
    { head: csv.inUtc(columns.lastRequest), cell: ({ lastAt }) => csvTimestamp(lastAt) },
    { head: columns.key, cell: ({ keyName }) => keyName },
    { head: log.operation, cell: ({ operation }) => keyPages.operations[operation] },
    { head: columns.reason, cell: (call) => explainFailure(view, call).what },
    { head: columns.ipRange, cell: ({ ipRange }) => ipRange || log.severalIpRanges },
    { head: columns.code, cell: ({ code }) => code },
    { head: columns.requests, cell: ({ calls }) => calls },
  ]
}
