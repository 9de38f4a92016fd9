import type { Operation } from "../../domain/keys/api-key.ts"
import { failedRequestDays, type LoggedRequest } from "../../domain/usage/failed-requests.ts"
import { formatTimestamp, lastDays } from "../../domain/values/time/timestamp.ts"
import { type AuthorApp, type AuthorContext, viewOf, visitorOf } from "../pages/author-context.ts"
import { DaysInUtc } from "../pages/components/date-range.tsx"
import { explainFailure } from "../pages/components/failed-requests.tsx"
import { Select } from "../pages/components/form-fields.tsx"
import { Tabs } from "../pages/components/panels-and-tables.tsx"
import {
  filterLog,
  parseKeyAndDay,
  RequestLog,
  type RequestLogProps,
} from "../pages/components/request-log.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import { type CsvColumn, csvTimestamp, pagesInMemory, sendCsv } from "../pages/csv.ts"
import { type LogFilter, logCsvPath, logPath, pathOfKey, pathOfLog } from "../pages/paths.ts"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"

const shows = ["codes", "errors"] as const

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
  const { show, operation } = c.req.query()
  return {
    ...parseKeyAndDay(c.req.query()),
    show: shows.find((each) => each === show),
    operation: operationsOf(viewOf(c)).find(([each]) => each === operation)?.[0],
  }
}

const operationsOf = ({ texts }: View) =>
  Object.entries(texts.keyPages.operations) as readonly (readonly [Operation, string])[]

type Props = Pick<RequestLogProps, "view" | "filter" | "log" | "days" | "page">

export const LogPage = (props: Props) => {
  const { view, filter, days } = props
  const texts = view.texts.log
  const { show: _, ...rest } = filter
  const isOld = filter.day !== undefined && filter.day < (days[0] ?? "")
  return (
    <WorkspacePage view={view} title={texts.title}>
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
      <RequestLog
        {...props}
        path={logPath}
        csvPath={pathOfLog(filter, 1, logCsvPath)}
        pathOfKey={pathOfKey}
        empty={isOld ? texts.expired : texts.none}
      >
        {filter.show !== undefined && <input type="hidden" name="show" value={filter.show} />}
        <Select
          name="operation"
          label={texts.operation}
          every={texts.allOperations}
          options={operationsOf(view)}
          chosen={filter.operation}
        />
      </RequestLog>
    </WorkspacePage>
  )
}

function csvColumns(view: View): readonly CsvColumn<LoggedRequest>[] {
  const { columns, keyPages, lists, log } = view.texts
  return [
    { head: lists.csv.inUtc(log.first), cell: ({ firstAt }) => csvTimestamp(firstAt) },
    { head: lists.csv.inUtc(columns.lastRequest), cell: ({ lastAt }) => csvTimestamp(lastAt) },
    { head: columns.key, cell: ({ keyName }) => keyName },
    { head: log.operation, cell: ({ operation }) => keyPages.operations[operation] },
    { head: columns.reason, cell: (call) => explainFailure(view, call).what },
    { head: columns.ipRange, cell: ({ ipRange }) => ipRange || log.severalIpRanges },
    { head: columns.code, cell: ({ code }) => code },
    { head: columns.requests, cell: ({ calls }) => calls },
  ]
}
