import type { KeyKind } from "../../domain/keys/api-key.ts"
import type { WidelyUsedKey } from "../../domain/usage/operator-reads.ts"
import {
  callsOf,
  type RejectedAccount,
  type RejectedKey,
  rejectionDays,
  type TrafficCount,
  type UsageDay,
  usageDays,
} from "../../domain/usage/usage.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
import { operations } from "../../metrics/labels.ts"
import { listShippedKeys } from "../../operations/keys/find-key.ts"
import type { Locale } from "../api/answer/messages.ts"
import {
  type Column,
  FoldedTable,
  numberColumn,
  Panel,
  TableSection,
} from "../pages/parts/blocks.tsx"
import { UsageChart } from "../pages/parts/chart.tsx"
import { type ChosenRange, RangeNav, readRange } from "../pages/parts/date-range.tsx"
import { Fact, NamedLink, SentenceWithTime, shownName } from "../pages/parts/values.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"
import {
  countGuesses,
  isOfApi,
  listDetails,
  listOperations,
  listOperatorSignIns,
  listPeriods,
  listReasons,
  type OperationFacts,
  type OperatorSignIns,
  periodsOf,
  type ReasonFacts,
  spans,
} from "./frame/traffic-facts.ts"

/** Keys and accounts in a list: what fits on a screen. */
const rowsMax = 20
/** The sign-ins of an hour are one event for each operator and network. */
const eventsMax = 1_000

export function addTrafficRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { traffic, rejections, operatorReads, audit, now } = services

  app.get(paths.traffic, async (c) => {
    const at = formatTimestamp(now())
    const { span: asked, ...days } = c.req.query()
    const isOfDays = (days.days ?? days.from ?? days.to) !== undefined
    const span = isOfDays
      ? readRange(days, at, usageDays)
      : (spans.find((each) => each === asked) ?? "day")
    const { since, until, periods } = periodsOf(span, now())
    const by = isOfDays ? "day" : "hour"
    const ofOperators = { accountId: null, kind: "operator" } as const
    const [totals, requests, rejectedKeys, rejectedAccounts, shipped, events] = await Promise.all([
      traffic.listTotals(since, until, by),
      traffic.listRequests(operations, since, until, by),
      rejections.listKeys(at, rejectionDays, rowsMax),
      rejections.listAccounts(at, rejectionDays, rowsMax),
      listShippedKeys(operatorReads, at, rowsMax),
      audit.list(ofOperators, null, eventsMax),
    ])
    return c.html(
      <TrafficPage
        view={viewOf(c)}
        span={span}
        since={since}
        totals={totals}
        rejectedKeys={rejectedKeys}
        rejectedAccounts={rejectedAccounts}
        shipped={shipped}
        operatorSignIns={listOperatorSignIns(events, since, until)}
        periods={listPeriods(periods, requests)}
      />,
    )
  })
}

type Props = Readonly<{
  view: ConsoleView
  span: ChosenRange | (typeof spans)[number]
  since: Timestamp
  periods: readonly UsageDay[]
  totals: readonly TrafficCount[]
  rejectedKeys: readonly RejectedKey[]
  rejectedAccounts: readonly RejectedAccount[]
  shipped: readonly WidelyUsedKey[]
  operatorSignIns: readonly OperatorSignIns[]
}>

export const TrafficPage = (props: Props) => {
  const { view, span, since, periods, totals } = props
  const texts = view.texts.traffic
  const { overview } = view.words
  const ofApi = totals.filter(isOfApi)
  const others = totals.filter((each) => !isOfApi(each))
  return (
    <ConsolePage view={view} title={texts.title}>
      <RangeNav
        view={view}
        range={typeof span === "string" ? null : span}
        others={spans.map((each) => ({
          text: texts.spans[each],
          params: { span: each },
          isChosen: each === span,
        }))}
        linkTo={(params) => `${paths.traffic}?${new URLSearchParams(params)}`}
      />
      <p class="hint">
        {typeof span === "string" && (
          <SentenceWithTime view={view} at={since} form="moment" tell={texts.since} />
        )}{" "}
        {texts.delay}
      </p>
      {totals.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <>
          {span !== "hour" && periods.some((period) => callsOf(period) > 0) && (
            <Panel id="calls" title={texts.ofApi}>
              <UsageChart
                view={view}
                days={periods}
                today={typeof span === "string" ? "" : span.today}
                names={{ ...overview.groups, refused: overview.refused }}
                caption={texts.chart}
              />
            </Panel>
          )}
          <TableSection title={texts.byOperation} {...operationTable(view, ofApi)} />
          <TableSection title={texts.why} {...reasonTable(view, ofApi)} />
        </>
      )}
      <Guesses view={view} totals={totals} />
      <RejectedKeys {...props} />
      <ShippedKeys {...props} />
      <RejectedAccounts {...props} />
      <OperatorSignInTable {...props} />
      <Details view={view} totals={totals} />
      <FoldedTable title={texts.otherRequests} {...operationTable(view, others)} />
      <FoldedTable title={texts.whyOthers} {...reasonTable(view, others)} />
    </ConsolePage>
  )
}

type TotalsProps = Pick<Props, "view" | "totals">

function operationTable(view: ConsoleView, totals: readonly TrafficCount[]) {
  const { traffic } = view.texts
  const { overview } = view.words
  const columns: readonly Column<OperationFacts>[] = [
    operationColumn(view),
    {
      head: traffic.requests,
      isNumber: true,
      cell: (calls) => callsOf(calls).toLocaleString(view.locale),
    },
    numberColumn(view, overview.groups.ok, "ok"),
    numberColumn(view, overview.refused, "refused"),
    numberColumn(view, overview.groups.failed, "failed"),
    { head: traffic.half, isNumber: true, cell: ({ halfMs }) => formatBound(view, halfMs) },
    { head: traffic.most, isNumber: true, cell: ({ mostMs }) => formatBound(view, mostMs) },
  ]
  return { rows: listOperations(totals), columns, empty: traffic.none }
}

const operationColumn = (view: ConsoleView): Column<Readonly<{ operation: string }>> => ({
  head: view.words.keyPages.use.operation,
  cell: ({ operation }) =>
    findText(view.words.keyPages.operations, operation) ??
    findText(view.texts.traffic.routes, operation) ??
    operation,
})

/** A version before this one may have counted others. */
const findText = (texts: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(texts, name) ? texts[name] : undefined

const tellReason = ({ texts }: ConsoleView, reason: string) =>
  findText(texts.traffic.reasons, reason) ?? reason

/** The largest bound of the metrics. */
const lastBoundMs = 10_000

function formatBound({ texts, locale }: ConsoleView, ms: number | null): string {
  if (ms === null) return "–"
  return Number.isFinite(ms)
    ? formatMs(ms, locale)
    : texts.traffic.beyond(formatMs(lastBoundMs, locale))
}

const formatMs = (ms: number, locale: Locale) =>
  (ms < 1_000 ? ms : ms / 1_000).toLocaleString(locale, {
    style: "unit",
    unit: ms < 1_000 ? "millisecond" : "second",
    maximumFractionDigits: 2,
  })

function reasonTable(view: ConsoleView, totals: readonly TrafficCount[]) {
  const { traffic } = view.texts
  const columns: readonly Column<ReasonFacts>[] = [
    { head: view.words.columns.reason, cell: ({ reason }) => tellReason(view, reason) },
    operationColumn(view),
    numberColumn(view, traffic.requests, "count"),
  ]
  return { rows: listReasons(totals), columns, empty: traffic.noRejections }
}

const Guesses = ({ view, totals }: TotalsProps) => {
  const { traffic } = view.texts
  const guesses = countGuesses(totals)
  const rows = ["unknownKeys", "unknownCodes", "wrongPasswords", "slowedDown"] as const
  return (
    <Panel id="guessing-title" title={traffic.guessing}>
      <p class="hint">{traffic.guessingHint}</p>
      <dl class="facts">
        {rows.map((name) => (
          <Fact name={traffic[name]} class="amount">
            {guesses[name].toLocaleString(view.locale)}
          </Fact>
        ))}
      </dl>
    </Panel>
  )
}

const RejectedKeys = ({ view, rejectedKeys }: Props) => {
  const { traffic } = view.texts
  return (
    <FoldedTable
      title={traffic.rejectedKeys}
      hint={traffic.rejectedDays}
      rows={rejectedKeys}
      columns={[
        authorColumn(view.texts.authors.author),
        { head: view.words.columns.key, cell: (key) => <KeyLink view={view} {...key} /> },
        numberColumn(view, traffic.calls, "calls"),
        {
          head: view.words.columns.reason,
          cell: ({ reasons }) => <ReasonList view={view} reasons={reasons} />,
        },
      ]}
      empty={traffic.noRejectedKeys}
    />
  )
}

type ReasonListProps = Pick<Props, "view"> & Pick<RejectedKey, "reasons">

/** The first three. */
const ReasonList = ({ view, reasons }: ReasonListProps) => (
  <>
    {reasons.slice(0, 3).map(({ reason, calls }, index) => (
      <>
        {index > 0 && ", "}
        {tellReason(view, reason)} {calls.toLocaleString(view.locale)}
      </>
    ))}
  </>
)

const RejectedAccounts = ({ view, rejectedAccounts }: Props) => {
  const { traffic } = view.texts
  return (
    <FoldedTable
      title={traffic.rejectedAccounts}
      hint={traffic.rejectedAccountDays}
      rows={rejectedAccounts}
      columns={[
        authorColumn(view.texts.authors.author),
        numberColumn(view, traffic.wrong, "wrong"),
        numberColumn(view, traffic.outcomes.throttled, "throttled"),
      ]}
      empty={traffic.noRejectedAccounts}
    />
  )
}

const OperatorSignInTable = ({ view, operatorSignIns }: Props) => {
  const { traffic } = view.texts
  return (
    <FoldedTable
      title={traffic.operatorSignIns}
      rows={operatorSignIns}
      columns={[
        {
          head: view.texts.operators.operator,
          cell: ({ operator }) => (
            <a href={paths.auditAt({ kind: "operator" })}>
              {operator === "" ? traffic.unknownNames : <bdi>{operator}</bdi>}
            </a>
          ),
        },
        numberColumn(view, traffic.outcomes.ok, "signedIn"),
        numberColumn(view, traffic.outcomes.wrong, "failed"),
        numberColumn(view, traffic.outcomes.throttled, "slowed"),
      ]}
      empty={traffic.noSignIns}
    />
  )
}

/** Sign-ins by outcome. */
const Details = ({ view, totals }: TotalsProps) => {
  const { traffic } = view.texts
  const outcomes: Readonly<Record<string, string>> = traffic.outcomes
  return (
    <FoldedTable
      title={traffic.signIns}
      rows={listDetails(totals, "sign_in")}
      columns={[
        { head: traffic.outcome, cell: ({ detail }) => outcomes[detail] ?? detail },
        numberColumn(view, traffic.signIns, "count"),
      ]}
      empty={traffic.noSignIns}
    />
  )
}

const ShippedKeys = ({ view, shipped }: Props) => {
  const { traffic } = view.texts
  return (
    <FoldedTable
      title={traffic.shipped}
      hint={traffic.shippedHint}
      rows={shipped}
      columns={[
        authorColumn(view.texts.authors.author),
        {
          head: view.words.columns.key,
          cell: (key) => <KeyLink view={view} keyId={key.id} {...key} />,
        },
        numberColumn(view, traffic.networks, "networks"),
      ]}
      empty={traffic.noShipped}
    />
  )
}

type KeyProps = Readonly<{ view: ConsoleView; keyId: string; kind: KeyKind; name: string }>

const KeyLink = ({ view, keyId, kind, name }: KeyProps) => (
  <>
    <NamedLink href={paths.key(keyId)} name={shownName(name, keyId)} />{" "}
    <span class="hint">{view.words.keys.kinds[kind]}</span>
  </>
)

const authorColumn = (head: string): Column<Readonly<{ accountId: number; username: string }>> => ({
  head,
  class: "name",
  cell: ({ accountId, username }) => <NamedLink href={paths.author(accountId)} name={username} />,
})
