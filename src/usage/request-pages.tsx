/** Failed requests: error codes with their counts, and the requests. For the workspace and the console. */
import type { Child } from "hono/jsx"
import { may } from "../access/page-view.ts"
import { routes, workspaceOf } from "../access/paths.ts"
import type { Failure } from "../platform/error.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { currentView, Page, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { type Column, column, DataTable } from "../platform/pages/data-table.tsx"
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
import { currentLocale, type PlainKey, t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import { outcomeTexts } from "./request-chart.tsx"
import {
  type FailedRequestStore,
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
  shownCode,
  sumCalls,
  type UsageStore,
} from "./usage.ts"

export type UsagePageServices = Readonly<{
  usage: UsageStore
  failedRequests: FailedRequestStore
  now: () => Date
}>

const filterNames = ["kind", "error", "key", "ip", "days", "from", "to"] as const
type Filters = ListRequest<(typeof filterNames)[number]>["filters"]

type FailureList = Readonly<{
  title: string
  range: ChosenRange
  /** The log has less than the counts: fewer days, and fewer requests of a day. */
  counts: readonly FailureCount[]
  log: readonly LoggedRequest[]
  /** Names by ID. */
  keys: ReadonlyMap<string, string>
  /** Only for the requests of all authors. */
  pathOfAuthor?: (accountId: number) => string
  chart?: Child
  more?: Child
}>

export const addRequestPages = (app: PageApp, services: UsagePageServices): void =>
  addFailureList(app, routes.log, async (c, { key, ...query }) => {
    const { usage, failedRequests, now } = services
    const { id } = c.var.account
    const at = formatTimestamp(now())
    const range = parseRange(query, at)
    const [all, log] = await Promise.all([usage.list(id, range, null), failedRequests.list(id, at)])
    const keyId = key || null
    const failed = all.filter(({ outcome }) => outcome !== "ok")
    return {
      title: t("Failed requests"),
      range,
      counts: all.filter((each) => isOfKey(each, keyId)),
      log: filterLog(log, range, keyId),
      keys: new Map(failed.map(({ keyId, name }) => [keyId, displayName(name, keyId)])),
    }
  })

export const addFailureList = (
  app: PageApp,
  path: string,
  open: (c: PageContext, filters: Filters) => Promise<FailureList>,
): void =>
  addList(app, {
    path,
    file: "failed-requests",
    filterNames,
    // Whole codes are searched for.
    isPrivate: true,
    open: async (c, request) => openFailures(await open(c, request.filters), request),
  })

const tones: Readonly<Record<FailureKind, "plain" | "warning" | "danger">> = {
  invalidCodes: "plain",
  clientErrors: "warning",
  serverErrors: "danger",
}

/** The purchase belongs to an item outside the key's scope: codes of other authors are masked. */
const isOfOtherItem = ({ operation, reason, code }: LoggedRequest) =>
  operation !== "release_site" && reason === "unknown_code" && code !== "" && !code.includes("…")

const optionsMax = 100
const ipRangesShown = 50

type Explanation = Readonly<{ what: PlainKey; todo: PlainKey }>

/** Explains the error code. Some error codes have their own texts for validations and releases. */
function explainFailure(request: LoggedRequest): Explanation {
  if (isOfOtherItem(request)) return otherItemTexts
  const { operation, reason } = request
  return ownTexts[operation]?.[reason] ?? errorTexts[reason]
}

/** The explanations of the requests in the log; those of most entries first. */
function explainAll(reason: Failure, log: readonly LoggedRequest[]): readonly Explanation[] {
  const entries = log.filter((entry) => entry.reason === reason)
  const found = Map.groupBy(entries, (entry) => explainFailure(entry))
  const most = [...found].toSorted(([, one], [, other]) => other.length - one.length)
  return most.length === 0 ? [errorTexts[reason]] : most.map(([text]) => text)
}

const isOfKind = (reason: Failure, chosen: string) =>
  chosen === "codes"
    ? failureKindOf(reason) === "invalidCodes"
    : chosen !== "errors" || failureKindOf(reason) !== "invalidCodes"

function openFailures(
  list: FailureList,
  request: ListRequest<(typeof filterNames)[number]>,
): OpenList<LoggedRequest> {
  const { title, counts, log, chart, more } = list
  const { filters } = request
  const reason = reasons.find((each) => each === filters.error) ?? null
  const isChosen = (each: Failure) =>
    reason === null ? isOfKind(each, filters.kind) : each === reason
  const chosen = log.filter((entry) => isChosen(entry.reason))
  const found = chosen.filter(({ ipRange }) => filters.ip === "" || ipRange === filters.ip)
  const masked = shownCode({ code: request.text, isOwn: false })
  const text = found.some(({ code }) => code === masked) ? masked : request.text
  const columns = requestColumns(list, reason)
  // Errors before invalid codes, which are expected.
  const groups = groupFailures(counts, log).toSorted(
    (a, b) => outcomeKinds.indexOf(b.kind) - outcomeKinds.indexOf(a.kind),
  )
  const shown = { list, filters, reason, groups, chosen }
  return {
    columns,
    search: t("Code, key or IP range"),
    read: readInMemory(found, columns, { ...request, text }),
    filters: <FailureFilters {...shown} />,
    empty: t("No failed requests match."),
    page: (rows) => (
      <Page title={reason === null ? title : t(errorTexts[reason].what)}>
        {reason === null && chart}
        <Totals {...shown} shown={groups.filter((group) => isChosen(group.reason))} />
        {rows}
        {reason === null && more}
      </Page>
    ),
  }
}

type ShownProps = Readonly<{
  list: FailureList
  filters: Filters
  /** The chosen error code. */
  reason: Failure | null
  groups: readonly FailureGroup[]
  /** The log before the filter by IP range. */
  chosen: readonly LoggedRequest[]
}>

const FailureFilters = ({ list, filters, reason, groups, chosen }: ShownProps) => {
  const { range, keys } = list
  const { kind, error, key, ip } = filters
  const errors = reasons.filter(
    (each) => each === reason || groups.some((group) => group.reason === each),
  )
  const ipRanges = [...Map.groupBy(chosen, ({ ipRange }) => ipRange)]
    .filter(([ipRange]) => ipRange !== "")
    .toSorted(([, one], [, other]) => sumCalls(other) - sumCalls(one))
  return (
    <>
      {kind !== "" && <input type="hidden" name="kind" value={kind} />}
      <FilterSelect
        name="error"
        label={t("Error")}
        every={t("All errors")}
        options={errors.map((each) => [each, t(errorTexts[each].what)])}
        chosen={error}
      />
      <FilterRange range={range} />
      {keys.size === 0 ? (
        <input type="hidden" name="key" value={key} />
      ) : (
        <FilterSelect
          name="key"
          label={t("Key")}
          every={t("All except test keys")}
          options={key === "" || keys.has(key) ? [...keys] : [[key, key], ...keys]}
          chosen={key}
        />
      )}
      <FilterSelect
        name="ip"
        label={t("IP range")}
        every={t("All IP ranges")}
        options={ipRanges.slice(0, optionsMax).map(([ipRange]) => [ipRange, ipRange])}
        chosen={ip}
      />
    </>
  )
}

type TotalsProps = ShownProps & Readonly<{ shown: readonly FailureGroup[] }>

const Totals = ({ list, filters, reason, groups, chosen, shown }: TotalsProps) => {
  const { locale, path } = currentView()
  const query = { key: filters.key, ...paramsOfRange(list.range) }
  const formatCalls = (counted: readonly FailureGroup[]) => sumCalls(counted).toLocaleString(locale)
  const kinds = [
    ["all", t("All")],
    ["codes", t("Invalid codes")],
    ["errors", t("Errors")],
  ] as const
  const tabs = kinds.map(([kind, name]) => ({
    path: withQuery(path, { ...query, kind: kind === "all" ? undefined : kind }),
    text: `${name} ${formatCalls(groups.filter((each) => isOfKind(each.reason, kind)))}`,
    isCurrent: reason === null && kind === (filters.kind || "all"),
  }))
  const [calls, listed] = [sumCalls(shown), sumCalls(chosen)]
  return (
    <div id="totals">
      <Tabs label={t("Type of failure")} tabs={tabs} />
      {reason === null && shown.length > 0 && (
        <DataTable
          rows={shown}
          columns={failureColumns(list.pathOfAuthor ? null : list.log)}
          linkOf={(group) => withQuery(path, { ...query, error: group.reason })}
          groupOf={({ kind }) =>
            `${t(outcomeTexts[kind])} · ${formatCalls(groups.filter((each) => each.kind === kind))}`
          }
        />
      )}
      {reason !== null &&
        explainAll(reason, chosen).map(({ what, todo }) => (
          <p>
            <strong>{t(what)}</strong>: {t(todo)}
          </p>
        ))}
      <p class="hint">
        {listed >= calls
          ? t("{calls failed request|failed requests}. Codes of other authors are masked.", {
              calls,
            })
          : t(
              "{calls failed request|failed requests}; {listed} of them are listed. The log keeps 7 days and 500 entries. Codes of other authors are masked.",
              { calls, listed },
            )}
      </p>
    </div>
  )
}

export const failureColumns = (
  log: readonly LoggedRequest[] | null,
): readonly Column<FailureGroup>[] => {
  const todoOf = ({ reason }: FailureGroup) => {
    const [explanation] = explainAll(reason, log ?? [])
    return explanation === undefined ? "" : t(explanation.todo)
  }
  const advice: readonly Column<FailureGroup>[] = [
    column(t("Keys # column"), ({ keys }) => keys, { kind: "number", priority: 3 }),
    column(t("What to do"), todoOf, {
      isWide: true,
      cell: (group) => <span class="advice">{todoOf(group)}</span>,
    }),
  ]
  return [
    column(t("Error"), ({ reason }) => t(errorTexts[reason].what), {
      isWide: log === null,
      cell: ({ reason, kind }) => <Pill tone={tones[kind]}>{t(errorTexts[reason].what)}</Pill>,
    }),
    column(t("Requests # column"), ({ calls }) => calls, { kind: "number" }),
    column(
      t("Share"),
      ({ share }) =>
        share.toLocaleString(currentLocale(), { style: "percent", maximumFractionDigits: 1 }),
      { kind: "number" },
    ),
    column(t("Last request"), ({ lastAt }) => lastAt, {
      kind: "time",
      cell: ({ lastAt }) =>
        lastAt.includes("T") ? <Time at={lastAt} form="short" /> : <UtcDay day={lastAt} />,
    }),
    ...(log === null ? [] : advice),
  ]
}

const requestColumns = (
  { pathOfAuthor }: FailureList,
  reason: Failure | null,
): readonly Column<LoggedRequest>[] => {
  const author: Column<LoggedRequest> = column(t("Author"), ({ username }) => username, {
    cell: ({ accountId, username }) => (
      <NamedLink href={pathOfAuthor?.(accountId) ?? ""} name={username} />
    ),
  })
  return [
    column(t("Last request"), ({ lastAt }) => lastAt, { kind: "time", sort: "last" }),
    column(t("First request"), ({ firstAt }) => firstAt, { kind: "time", on: "csv" }),
    ...(pathOfAuthor === undefined ? [] : [author]),
    column(t("Key"), ({ name, keyId }) => displayName(name, keyId), {
      sort: "key",
      isWide: true,
      cell({ username, name, keyId }) {
        const shown = displayName(name, keyId)
        if (!may("read_setup")) return <bdi>{shown}</bdi>
        return <NamedLink href={workspaceOf(username).key(keyId)} name={shown} />
      },
    }),
    column(t("Operation"), (row) => t(operationTexts[row.operation]), { priority: 3 }),
    column(t("Error"), (entry) => t(explainFailure(entry).what), {
      ...(reason !== null && { on: "csv" }),
      cell: (entry) => (
        <Pill tone={tones[failureKindOf(entry.reason)]}>{t(explainFailure(entry).what)}</Pill>
      ),
    }),
    column(t("IP range"), ({ ipRange }) => ipRange || t("several"), {
      kind: "code",
      sort: "ip",
      priority: 2,
    }),
    column(t("Code"), ({ code }) => code, { kind: "code", sort: "code" }),
    column(t("Requests # column"), ({ calls }) => calls, { kind: "number", sort: "calls" }),
  ]
}

type InactiveKeyProps = Readonly<{
  requestsPath: string
  ipRanges: readonly InactiveKeyUse[]
}>

export const InactiveKeyRequests = ({ requestsPath, ipRanges }: InactiveKeyProps) => (
  <Panel id="still-called" title={t("Who still uses it?")}>
    {ipRanges.length === 0 ? (
      <p class="hint">
        {t("No requests with this key since it became inactive, or in the last 7 days.")}
      </p>
    ) : (
      <>
        <p>
          {t(
            "This key is inactive but was sent with {calls request|requests} in the last 7 days. All were rejected.",
            { calls: sumCalls(ipRanges) },
          )}
        </p>
        <DataTable
          rows={ipRanges.slice(0, ipRangesShown)}
          columns={[
            { head: t("IP range"), kind: "code", value: ({ ipRange }) => ipRange || t("several") },
            { head: t("Requests # column"), kind: "number", value: ({ calls }) => calls },
            { head: t("Last request"), kind: "time", value: ({ lastAt }) => lastAt },
          ]}
        />
        <p>
          <a href={requestsPath}>{t("Show failed requests")}</a>
        </p>
      </>
    )}
  </Panel>
)

/** Why a request failed, and what the author can do. */
const errorTexts: Readonly<Record<Failure, Explanation>> = {
  unknown_code: {
    what: "Unknown code",
    todo: "Expected: no purchase of your items has this code. Ask the buyer to copy it again.",
  },
  revoked_code: {
    what: "Refunded code",
    todo: "Expected: the purchase was refunded or charged back. No action is needed.",
  },
  expired_code: {
    what: "Expired code",
    todo: "Expected: the subscription ended. The code is valid again when the buyer renews it.",
  },
  no_download: {
    what: "No download",
    todo: "The marketplace has no file for this item. Ask it to add a download URL.",
  },
  site_limit: {
    what: "Site limit reached",
    todo: "Release one of its sites under Check a code, or raise the site limit on the item’s page.",
  },
  revoked_key: {
    what: "Revoked key",
    todo: "If the requests are yours, replace the key with a valid one.",
  },
  expired_key: {
    what: "Expired key",
    todo: "If the requests are yours, replace the key with the rotated or a new one.",
  },
  account_suspended: { what: "Your account is suspended", todo: "Contact your marketplace." },
  key_not_allowed: {
    what: "Key not allowed",
    todo: "A validation key can only validate purchases, release sites and create download links. Use a secret key, on your server, whose scope allows the operation. For a purchase: its item has moved to another author.",
  },
  missing_parameter: {
    what: "Missing parameter",
    todo: "Compare the request with the sample in the docs. A common cause is an empty code field.",
  },
  invalid_parameter: {
    what: "Invalid parameter",
    todo: "Compare the request with the sample in the docs. A code has at most 255 characters.",
  },
  no_items: { what: "No published items", todo: "Publish an item, or ignore this error." },
  unknown_item: {
    what: "Unknown item",
    todo: "Check the item ID. The item may be hidden or belong to another author.",
  },
  rate_limited: {
    what: "Rate limit exceeded",
    todo: "Wait for Retry-After seconds and send fewer requests. Cache valid responses for a day.",
  },
  unavailable: {
    what: "Service unavailable",
    todo: "The server had a temporary error. Retry, and keep the last result until then.",
  },
  missing_key: { what: "Missing key", todo: "Send the key with every request." },
  unknown_key: { what: "Unknown key", todo: "Check that the key was copied completely." },
  unknown_path: { what: "Unknown path", todo: "Compare the path with the docs." },
  method_not_allowed: { what: "Method not allowed", todo: "Compare the request with the docs." },
  too_large: { what: "Request too large", todo: "Send a shorter body." },
}

export const operationTexts = {
  read_account: "Read the account",
  list_items: "List items",
  read_item: "Read an item",
  validate_purchase: "Validate a purchase",
  release_site: "Release a site",
  list_purchases: "List purchases",
  list_sites: "List sites",
  create_download: "Create a download link",
} as const

// `as`: Object.keys loses the keys of a record.
const reasons = Object.keys(errorTexts) as Failure[]

/** Valid codes are never rate limited. No error of a release says whether the purchase is valid. */
const ownTexts: Partial<Record<LoggedRequest["operation"], Partial<Record<Failure, Explanation>>>> =
  {
    validate_purchase: {
      rate_limited: {
        what: "Too many invalid codes, keys or sites",
        todo: "This IP address sent many invalid codes with this key, its IP range sent invalid keys, or the purchase was rejected on 20 sites within a day. Wait for Retry-After seconds and find the sender.",
      },
    },
    release_site: {
      unknown_code: {
        what: "Unknown site or code",
        todo: "The code is not active on this site, or no purchase of your items has it: see Check a code. Do not lock the product.",
      },
      rate_limited: {
        what: "Too many releases or invalid codes",
        todo: "Wait for Retry-After seconds. An IP range can release sites of a purchase five times in 30 days, and not for some seconds after many invalid codes. You can always release sites under Check a code.",
      },
    },
  }

const otherItemTexts: Explanation = {
  what: "Item outside the key’s scope",
  todo: "The code is yours, but this key cannot validate its item.",
}
