import type { Child } from "hono/jsx"
import { isOfKey, type LoggedRequest } from "../../../domain/usage/failed-requests.ts"
import { failureKindOf } from "../../../domain/usage/outcome.ts"
import { type LogFilter, pathOfLog } from "../paths.ts"
import type { View } from "../view.ts"
import { FailedRequestTable } from "./failed-requests.tsx"
import { QuietButton, Select } from "./form-fields.tsx"
import { displayName, formatDay } from "./formatted-values.tsx"
import { CsvLink, Pager } from "./panels-and-tables.tsx"

/** A row has about 1 KB. Keeps the page under 100 KB. */
const pageRows = 50

/** Invalid query parameters are ignored. */
export const parseKeyAndDay = ({ key, day = "" }: Readonly<Record<string, string>>): LogFilter => ({
  key: key || undefined,
  day: /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined,
})

export function filterLog(log: readonly LoggedRequest[], filter: LogFilter) {
  const { show, key, day, operation } = filter
  return log.filter(
    (call) =>
      (show === undefined ||
        (show === "codes") === (failureKindOf(call.reason) === "invalidCodes")) &&
      isOfKey(call, key ?? null) &&
      (day === undefined || day === call.firstAt.slice(0, 10)) &&
      (operation === undefined || operation === call.operation),
  )
}

export type RequestLogProps = Readonly<{
  view: View
  filter: LogFilter
  log: readonly LoggedRequest[]
  /** Oldest first. */
  days: readonly string[]
  page: number
  path: string
  csvPath?: string
  pathOfKey(keyId: string): string
  empty: string
  /** More fields of the filter. */
  children?: Child
}>

/** Failed requests, filtered by day and key. The filter lists keys with entries, and the selected key. */
export const RequestLog = (props: RequestLogProps) => {
  const { view, filter, log, days, path, csvPath, pathOfKey } = props
  const texts = view.texts.log
  const names = new Map(log.map(({ keyId, keyName }) => [keyId, displayName(keyName, keyId)]))
  if (filter.key !== undefined && !names.has(filter.key)) names.set(filter.key, filter.key)
  const found = filterLog(log, filter)
  const pages = Math.ceil(found.length / pageRows)
  const page = Math.min(pages, Math.max(1, props.page))
  return (
    <>
      <form method="get" action={path} class="filter">
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
        {props.children}
        <QuietButton>{view.texts.range.show}</QuietButton>
      </form>
      {found.length === 0 ? (
        <p class="empty">{props.empty}</p>
      ) : (
        <>
          <FailedRequestTable
            view={view}
            rows={found.slice((page - 1) * pageRows, page * pageRows)}
            pathOfKey={pathOfKey}
          />
          <Pager
            view={view}
            label={texts.title}
            total={texts.entries(found.length)}
            page={page}
            pages={pages}
            linkTo={(to) => pathOfLog(filter, to, path)}
          />
          {csvPath !== undefined && (
            <p>
              <CsvLink view={view} path={csvPath} />
            </p>
          )}
        </>
      )}
    </>
  )
}
