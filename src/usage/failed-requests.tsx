/** Failed requests: error codes with their counts, and the requests. For the workspace and the console. */
import type { Child } from "hono/jsx"
import type { HtmlEscapedString } from "hono/utils/html"
import { workspaceOf } from "../access/paths.ts"
import type { Failure } from "../platform/error.ts"
import { withQuery } from "../platform/http/query.ts"
import { may, type PageApp, type PageContext, type View } from "../platform/pages/context.ts"
import { type Column, DataTable } from "../platform/pages/data-table.tsx"
import {
  type ChosenRange,
  FilterRange,
  paramsOfRange,
  parseRange,
} from "../platform/pages/date-range.tsx"
import {
  displayName,
  NamedLink,
  Panel,
  Pill,
  Tabs,
  Time,
  UtcDay,
} from "../platform/pages/elements.tsx"
import {
  addList,
  FilterSelect,
  type ListRequest,
  type OpenList,
  readInMemory,
} from "../platform/pages/list.tsx"
import { formatTimestamp } from "../platform/time.ts"
import type { WorkspaceServices } from "../workspace/services.ts"
import { shownCode } from "./counted-request.ts"
import {
  type FailureCount,
  type FailureGroup,
  type FailureKind,
  failureKindOf,
  filterLog,
  groupFailures,
  type InactiveKeyUse,
  isOfKey,
  type LoggedRequest,
  outcomeKinds,
  sumCalls,
} from "./usage.ts"

const filterNames = ["kind", "error", "key", "ip", "days", "from", "to"] as const
type Filters = ListRequest<(typeof filterNames)[number]>["filters"]

/** The failed requests of some days. The log has less than the counts: fewer days, and fewer requests of a day. */
export type Failures = Readonly<{
  range: ChosenRange
  counts: readonly FailureCount[]
  log: readonly LoggedRequest[]
  keys: ReadonlyMap<string, string>
}>

export async function readFailures(
  { usage, failedRequests, now }: Pick<WorkspaceServices, "usage" | "failedRequests" | "now">,
  accountId: number,
  { key, ...query }: Filters,
): Promise<Failures> {
  const at = formatTimestamp(now())
  const range = parseRange(query, at)
  const [all, log] = await Promise.all([
    usage.list(accountId, range, null),
    failedRequests.list(accountId, at),
  ])
  const keyId = key || null
  const failed = all.filter(({ outcome }) => outcome !== "ok")
  return {
    range,
    counts: all.filter((each) => isOfKey(each, keyId)),
    log: filterLog(log, range, keyId),
    keys: new Map(failed.map(({ keyId, name }) => [keyId, displayName(name, keyId)])),
  }
}

type FailureList = Readonly<{
  failures: Failures
  /** Only for the requests of all authors. */
  pathOfAuthor?: (accountId: number) => string
  page(title: string | null, content: Child): HtmlEscapedString | Promise<HtmlEscapedString>
  chart?: Child
  more?: Child
}>

/** `open` returns null for 404. */
export const addFailureList = (
  app: PageApp,
  path: string,
  open: (c: PageContext, filters: Filters) => Promise<FailureList | null>,
): void =>
  addList(app, {
    path,
    file: "failed-requests",
    filterNames,
    // Whole codes are searched for.
    isPrivate: true,
    async open(c, request) {
      const list = await open(c, request.filters)
      return list === null ? c.notFound() : openFailures(c.var.view, list, request)
    },
  })

const tones: Readonly<Record<FailureKind, "plain" | "warning" | "danger">> = {
  invalidCodes: "plain",
  clientErrors: "warning",
  serverErrors: "danger",
}

/** The purchase belongs to an item outside the key's scope: codes of other authors are masked. */
const isOfOtherItem = ({ operation, reason, code }: LoggedRequest) =>
  operation !== "release_site" && reason === "unknown_code" && code !== "" && !code.includes("…")

/** Explains the error code. Some error codes have their own texts for validations and releases. */
function explainFailure({ texts: { log } }: View, request: LoggedRequest) {
  if (isOfOtherItem(request)) return log.otherItem
  const { operation, reason } = request
  const ownTexts = { validate_purchase: log.validationErrors, release_site: log.releaseErrors }
  return new Map(Object.entries(ownTexts)).get(operation)?.[reason] ?? log.errors[reason]
}

/** The explanations of the requests in the log; those of most entries first. */
function explainAll(view: View, reason: Failure, log: readonly LoggedRequest[]) {
  const entries = log.filter((entry) => entry.reason === reason)
  const found = Map.groupBy(entries, (entry) => explainFailure(view, entry))
  const most = [...found].toSorted(([, one], [, other]) => other.length - one.length)
  return most.length === 0 ? [view.texts.log.errors[reason]] : most.map(([text]) => text)
}

/** Errors before invalid codes, which are expected. */
const orderOf = ({ kind }: FailureGroup) => -outcomeKinds.indexOf(kind)

const isOfKind = (reason: Failure, chosen: string) =>
  chosen === "codes"
    ? failureKindOf(reason) === "invalidCodes"
    : chosen !== "errors" || failureKindOf(reason) !== "invalidCodes"

const optionsMax = 100

function openFailures(
  view: View,
  list: FailureList,
  request: ListRequest<(typeof filterNames)[number]>,
): OpenList<LoggedRequest> {
  const { failures, pathOfAuthor } = list
  const { range, counts, log } = failures
  const { filters } = request
  const texts = view.texts.log
  const reasons = Object.keys(texts.errors) as Failure[] // `as`: Object.keys loses the keys of a record
  const reason = reasons.find((each) => each === filters.error) ?? null
  const isChosen = (each: Failure) =>
    reason === null ? isOfKind(each, filters.kind) : each === reason
  const chosen = log.filter((entry) => isChosen(entry.reason))
  const byIpRange = [...Map.groupBy(chosen, ({ ipRange }) => ipRange)]
    .filter(([ipRange]) => ipRange !== "")
    .toSorted(([, one], [, other]) => sumCalls(other) - sumCalls(one))
  const found = chosen.filter(({ ipRange }) => filters.ip === "" || ipRange === filters.ip)
  const masked = shownCode({ code: request.text, isOwn: false })
  const text = found.some(({ code }) => code === masked) ? masked : request.text
  const columns = requestColumns(view, list, reason)
  const query = { key: filters.key, ...paramsOfRange(range) }
  const groups = groupFailures(counts, log).toSorted((a, b) => orderOf(a) - orderOf(b))
  const shown = groups.filter((group) => isChosen(group.reason))
  const formatCalls = (kind: FailureKind) =>
    sumCalls(groups.filter((group) => group.kind === kind)).toLocaleString(view.locale)
  return {
    columns,
    search: texts.search,
    read: readInMemory(found, columns, { ...request, text }),
    filters: (
      <>
        {filters.kind !== "" && <input type="hidden" name="kind" value={filters.kind} />}
        <FilterSelect
          name="error"
          label={view.texts.columns.reason}
          every={texts.allErrors}
          options={reasons
            .filter((each) => each === reason || groups.some((group) => group.reason === each))
            .map((each) => [each, texts.errors[each].what])}
          chosen={filters.error}
        />
        <FilterRange view={view} range={range} />
        <KeyFilter view={view} failures={failures} chosen={filters.key} />
        <FilterSelect
          name="ip"
          label={view.texts.columns.ipRange}
          every={texts.allIpRanges}
          options={byIpRange.slice(0, optionsMax).map(([ipRange]) => [ipRange, ipRange])}
          chosen={filters.ip}
        />
      </>
    ),
    empty: texts.none,
    page: (rows) =>
      list.page(
        reason && texts.errors[reason].what,
        <>
          {reason === null && list.chart}
          <div id="totals">
            <KindTabs
              {...{ view, groups, query }}
              chosen={reason === null ? filters.kind || "all" : null}
            />
            {reason === null && shown.length > 0 && (
              <DataTable
                view={view}
                rows={shown}
                columns={groupColumns(view, pathOfAuthor ? null : log)}
                linkOf={({ reason }) => withQuery(view.path, { ...query, error: reason })}
                groupOf={({ kind }) => `${view.texts.overview.groups[kind]} · ${formatCalls(kind)}`}
              />
            )}
            {reason !== null &&
              explainAll(view, reason, chosen).map(({ what, todo }) => (
                <p>
                  <strong>{what}</strong>: {todo}
                </p>
              ))}
            <p class="hint">{texts.listed(sumCalls(shown), sumCalls(chosen))}</p>
          </div>
          {rows}
          {reason === null && list.more}
        </>,
      ),
  }
}

type TabsProps = Readonly<{
  view: View
  groups: readonly FailureGroup[]
  query: Readonly<Record<string, string | undefined>>
  chosen: string | null
}>

/** The number of requests of each kind. */
const KindTabs = ({ view, groups, query, chosen }: TabsProps) => {
  const texts = view.texts.log
  const tabs = (["all", "codes", "errors"] as const).map((each) => {
    const calls = sumCalls(groups.filter(({ reason }) => isOfKind(reason, each)))
    return {
      path: withQuery(view.path, { ...query, kind: each === "all" ? undefined : each }),
      text: `${texts.tabs[each]} ${calls.toLocaleString(view.locale)}`,
      isCurrent: each === chosen,
    }
  })
  return <Tabs label={texts.choices} tabs={tabs} />
}

type KeyFilterProps = Readonly<{ view: View; failures: Failures; chosen: string }>

const KeyFilter = ({ view, failures: { keys }, chosen }: KeyFilterProps) => {
  if (keys.size === 0) return <input type="hidden" name="key" value={chosen} />
  const options =
    chosen === "" || keys.has(chosen) ? [...keys] : [[chosen, chosen] as const, ...keys]
  return (
    <FilterSelect
      name="key"
      label={view.texts.columns.key}
      every={view.texts.log.allKeys}
      options={options}
      chosen={chosen}
    />
  )
}

export const groupColumns = (
  view: View,
  log: readonly LoggedRequest[] | null,
): readonly Column<FailureGroup>[] => {
  const { columns, log: texts } = view.texts
  const todoOf = ({ reason }: FailureGroup) => explainAll(view, reason, log ?? [])[0]?.todo ?? ""
  const advice: readonly Column<FailureGroup>[] = [
    { head: texts.keys, kind: "number", priority: 3, value: ({ keys }) => keys },
    {
      head: texts.todo,
      isWide: true,
      value: todoOf,
      cell: (group) => <span class="advice">{todoOf(group)}</span>,
    },
  ]
  return [
    {
      head: columns.reason,
      isWide: log === null,
      value: ({ reason }) => texts.errors[reason].what,
      cell: ({ reason, kind }) => <Pill tone={tones[kind]}>{texts.errors[reason].what}</Pill>,
    },
    { head: columns.requests, kind: "number", value: ({ calls }) => calls },
    {
      head: texts.share,
      kind: "number",
      value: ({ share }) =>
        share.toLocaleString(view.locale, { style: "percent", maximumFractionDigits: 1 }),
    },
    {
      head: columns.lastRequest,
      kind: "time",
      value: ({ lastAt }) => lastAt,
      cell: ({ lastAt }) =>
        lastAt.includes("T") ? (
          <Time view={view} at={lastAt} form="short" />
        ) : (
          <UtcDay view={view} day={lastAt} />
        ),
    },
    ...(log === null ? [] : advice),
  ]
}

const requestColumns = (
  view: View,
  { pathOfAuthor }: FailureList,
  reason: Failure | null,
): readonly Column<LoggedRequest>[] => {
  const { authors, columns, keyPages, log: texts } = view.texts
  const author: Column<LoggedRequest> = {
    head: authors.author,
    value: ({ username }) => username,
    cell: ({ accountId, username }) => (
      <NamedLink href={pathOfAuthor?.(accountId) ?? ""} name={username} />
    ),
  }
  return [
    { head: columns.lastRequest, kind: "time", sort: "last", value: ({ lastAt }) => lastAt },
    { head: texts.first, kind: "time", on: "csv", value: ({ firstAt }) => firstAt },
    ...(pathOfAuthor === undefined ? [] : [author]),
    {
      head: columns.key,
      sort: "key",
      isWide: true,
      value: ({ name, keyId }) => displayName(name, keyId),
      cell({ username, name, keyId }) {
        const shown = displayName(name, keyId)
        if (!may(view, "read_setup")) return <bdi>{shown}</bdi>
        return <NamedLink href={workspaceOf(username).key(keyId)} name={shown} />
      },
    },
    { head: texts.operation, priority: 3, value: (row) => keyPages.operations[row.operation] },
    {
      head: columns.reason,
      ...(reason !== null && { on: "csv" }),
      value: (entry) => explainFailure(view, entry).what,
      cell: (entry) => (
        <Pill tone={tones[failureKindOf(entry.reason)]}>{explainFailure(view, entry).what}</Pill>
      ),
    },
    {
      head: columns.ipRange,
      kind: "code",
      sort: "ip",
      priority: 2,
      value: ({ ipRange }) => ipRange || texts.severalIpRanges,
    },
    { head: columns.code, kind: "code", sort: "code", value: ({ code }) => code },
    { head: columns.requests, kind: "number", sort: "calls", value: ({ calls }) => calls },
  ]
}

const ipRangesShown = 50

type InactiveKeyProps = Readonly<{
  view: View
  requestsPath: string
  ipRanges: readonly InactiveKeyUse[]
}>

export const InactiveKeyRequests = ({ view, requestsPath, ipRanges }: InactiveKeyProps) => {
  const { columns } = view.texts
  const { title, summary, none } = view.texts.keyPages.inactiveRequests
  return (
    <Panel id="still-called" title={title}>
      {ipRanges.length === 0 ? (
        <p class="hint">{none}</p>
      ) : (
        <>
          <p>{summary(sumCalls(ipRanges))}</p>
          <DataTable
            view={view}
            rows={ipRanges.slice(0, ipRangesShown)}
            columns={[
              {
                head: columns.ipRange,
                kind: "code",
                value: ({ ipRange }) => ipRange || view.texts.log.severalIpRanges,
              },
              { head: columns.requests, kind: "number", value: ({ calls }) => calls },
              { head: columns.lastRequest, kind: "time", value: ({ lastAt }) => lastAt },
            ]}
          />
          <p>
            <a href={requestsPath}>{view.texts.log.seeWhy}</a>
          </p>
        </>
      )}
    </Panel>
  )
}
