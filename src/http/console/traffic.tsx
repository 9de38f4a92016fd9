import type { KeyKind } from "../../domain/keys/api-key.ts"
import type { WidelyUsedKey } from "../../domain/usage/operator-reads.ts"
import type { TrafficCount } from "../../domain/usage/usage.ts"
import {
  callsOf,
  type RejectedAccount,
  type RejectedKey,
  rejectionDays,
  type UsageDay,
} from "../../domain/usage/usage.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
import { createWorkQueue, untilNextTurn } from "../../domain/values/work-queue.ts"
import { listShippedKeys } from "../../operations/keys/find-key.ts"
import type { Locale } from "../api/answer/messages.ts"
import { UsageChart } from "../pages/parts/chart.tsx"
import { Fact, formatMoment, SentenceWithTime, shownName } from "../pages/parts/values.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import { NumberTable } from "./frame/number-table.tsx"
import type { ConsoleServices } from "./frame/services.ts"
import {
  countGuesses,
  listDetails,
  listOperations,
  listPeriods,
  listReasons,
  type OperationFacts,
  periodsOf,
  type Span,
  spans,
} from "./frame/traffic-facts.ts"

/** Keys and accounts in a list: what fits on a screen. */
const rowsMax = 20

export function addTrafficRoutes(app: ConsoleApp, { store, wallClock }: ConsoleServices): void {
  // An embedded store answers no other request while it reads.
  const queue = createWorkQueue(1, untilNextTurn)

  app.get(paths.traffic, async (c) => {
    const span = spans.find((each) => each === c.req.query("span")) ?? "day"
    const { since, periods } = periodsOf(span, wallClock())
    const at = formatTimestamp(wallClock())
    const by = span === "month" ? "day" : "hour"
    const [totals, requests, rejectedKeys, rejectedAccounts, shipped] = await Promise.all([
      queue(() => store.traffic.listTotals(since, by)),
      queue(() => store.traffic.listRequests(since, by)),
      queue(() => store.rejections.listKeys(at, rejectionDays, rowsMax)),
      queue(() => store.rejections.listAccounts(at, rejectionDays, rowsMax)),
      queue(() => listShippedKeys(store.operatorReads, at, rowsMax)),
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
        periods={listPeriods(periods, requests)}
      />,
    )
  })
}

type Props = Readonly<{
  view: ConsoleView
  span: Span
  since: Timestamp
  periods: readonly UsageDay[]
  totals: readonly TrafficCount[]
  rejectedKeys: readonly RejectedKey[]
  rejectedAccounts: readonly RejectedAccount[]
  shipped: readonly WidelyUsedKey[]
}>

export const TrafficPage = (props: Props) => {
  const { view, span, since, periods, totals } = props
  const texts = view.texts.traffic
  return (
    <ConsolePage view={view} title={texts.title}>
      <Spans view={view} span={span} />
      <p class="hint">
        {span === "month" ? (
          texts.since(formatMoment(since, view.locale))
        ) : (
          <SentenceWithTime view={view} at={since} form="moment" tell={texts.since} />
        )}
      </p>
      {totals.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <>
          {span !== "hour" && periods.some((period) => callsOf(period) > 0) && (
            <section class="panel" aria-labelledby="calls">
              <h2 id="calls">{texts.ofApi}</h2>
              <UsageChart view={view} days={periods} caption={texts.chart} />
            </section>
          )}
          <Operations view={view} totals={totals} />
          <Reasons view={view} totals={totals} />
        </>
      )}
      <Guesses view={view} totals={totals} />
      <RejectedKeys {...props} />
      <RejectedAccounts {...props} />
      <Details view={view} totals={totals} />
      <ShippedKeys {...props} />
    </ConsolePage>
  )
}

const Spans = ({ view, span }: Pick<Props, "view" | "span">) => (
  <nav aria-label={view.texts.traffic.spansLabel} class="tabs">
    <ul>
      {spans.map((each) => (
        <li>
          <a
            href={`${paths.traffic}?span=${each}`}
            aria-current={each === span ? "page" : undefined}
          >
            {view.texts.traffic.spans[each]}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

type TotalsProps = Pick<Props, "view" | "totals">

const Operations = ({ view, totals }: TotalsProps) => {
  const { ofApi, others } = listOperations(totals)
  const { byOperation, otherRequests } = view.texts.traffic
  return (
    <>
      <OperationTable view={view} title={byOperation} operations={ofApi} />
      <OperationTable view={view} title={otherRequests} operations={others} />
    </>
  )
}

type OperationProps = Pick<Props, "view"> &
  Readonly<{ title: string; operations: readonly OperationFacts[] }>

const OperationTable = ({ view, title, operations }: OperationProps) => {
  const { traffic } = view.texts
  const { overview } = view.words
  const show = (n: number) => n.toLocaleString(view.locale)
  return (
    <NumberTable
      title={title}
      columns={[
        { head: traffic.operation },
        ...[traffic.requests, overview.ok, overview.refused, overview.failed].map(toNumbers),
        ...[traffic.half, traffic.most].map(toNumbers),
      ]}
      rows={operations.map((each) => [
        <span class="mono">{each.operation}</span>,
        ...[callsOf(each), each.ok, each.refused, each.failed].map(show),
        ...[each.halfMs, each.mostMs].map((ms) => formatBound(view, ms)),
      ])}
      empty={traffic.none}
    />
  )
}

const toNumbers = (head: string) => ({ head, isNumber: true })

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

/** More than routes and reasons that occur on one day. */
const reasonsMax = 40

const Reasons = ({ view, totals }: TotalsProps) => {
  const { traffic } = view.texts
  return (
    <NumberTable
      title={traffic.why}
      columns={[
        { head: traffic.reason },
        { head: traffic.operation },
        { head: traffic.requests, isNumber: true },
      ]}
      rows={listReasons(totals)
        .slice(0, reasonsMax)
        .map(({ operation, reason, count }) => [
          <span class="mono">{reason}</span>,
          <span class="mono">{operation}</span>,
          count.toLocaleString(view.locale),
        ])}
      empty={traffic.noRejections}
    />
  )
}

const Guesses = ({ view, totals }: TotalsProps) => {
  const { traffic } = view.texts
  const guesses = countGuesses(totals)
  const rows = ["unknownKeys", "unknownCodes", "wrongPasswords", "slowedDown"] as const
  return (
    <section class="panel" aria-labelledby="guessing-title">
      <h2 id="guessing-title">{traffic.guessing}</h2>
      <p class="hint">{traffic.guessingHint}</p>
      <dl class="facts">
        {rows.map((name) => (
          <Fact name={traffic[name]} class="amount">
            {guesses[name].toLocaleString(view.locale)}
          </Fact>
        ))}
      </dl>
    </section>
  )
}

const RejectedKeys = ({ view, rejectedKeys }: Props) => {
  const { traffic } = view.texts
  return (
    <NumberTable
      title={traffic.rejectedKeys}
      hint={traffic.rejectedDays}
      columns={[
        ...[{ head: traffic.author }, { head: traffic.key }],
        ...[{ head: traffic.calls, isNumber: true }, { head: traffic.reason }],
      ]}
      rows={rejectedKeys.map(({ username, calls, reasons, ...key }) => [
        <AuthorLink username={username} />,
        <KeyLink view={view} {...key} />,
        calls.toLocaleString(view.locale),
        <ReasonList view={view} reasons={reasons} />,
      ])}
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
        <span class="mono">{reason}</span> {calls.toLocaleString(view.locale)}
      </>
    ))}
  </>
)

const RejectedAccounts = ({ view, rejectedAccounts }: Props) => {
  const { traffic } = view.texts
  return (
    <NumberTable
      title={traffic.rejectedAccounts}
      columns={[{ head: traffic.author }, ...[traffic.wrong, traffic.throttled].map(toNumbers)]}
      rows={rejectedAccounts.map(({ username, wrong, throttled }) => [
        <AuthorLink username={username} />,
        wrong.toLocaleString(view.locale),
        throttled.toLocaleString(view.locale),
      ])}
      empty={traffic.noRejectedAccounts}
    />
  )
}

/** Sign-ins by outcome, and refusals by limit. */
const Details = ({ view, totals }: TotalsProps) => {
  const { traffic } = view.texts
  const { outcomes, limitNames } = traffic
  const rowsOf = (kind: "sign_in" | "limit", names: Readonly<Record<string, string>>) =>
    listDetails(totals, kind).map(({ detail, count }) => [
      names[detail] ?? detail,
      count.toLocaleString(view.locale),
    ])
  return (
    <>
      <NumberTable
        title={traffic.signIns}
        columns={[{ head: traffic.outcome }, toNumbers(traffic.signIns)]}
        rows={rowsOf("sign_in", outcomes)}
        empty={traffic.noSignIns}
      />
      <NumberTable
        title={traffic.limits}
        columns={[{ head: traffic.limit }, toNumbers(traffic.requests)]}
        rows={rowsOf("limit", limitNames)}
        empty={traffic.noLimits}
      />
    </>
  )
}

const ShippedKeys = ({ view, shipped }: Props) => {
  const { traffic } = view.texts
  return (
    <NumberTable
      title={traffic.shipped}
      hint={traffic.shippedHint}
      columns={[
        ...[{ head: traffic.author }, { head: traffic.key }],
        { head: traffic.networks, isNumber: true },
      ]}
      rows={shipped.map(({ id, username, kind, name, networks }) => [
        <AuthorLink username={username} />,
        <KeyLink view={view} keyId={id} kind={kind} name={name} />,
        networks.toLocaleString(view.locale),
      ])}
      empty={traffic.noShipped}
    />
  )
}

type KeyProps = Readonly<{ view: ConsoleView; keyId: string; kind: KeyKind; name: string }>

const KeyLink = ({ view, keyId, kind, name }: KeyProps) => (
  <>
    <a href={paths.key(keyId)}>
      <bdi>{shownName(name, keyId)}</bdi>
    </a>{" "}
    <span class="hint">{view.words.keys.kinds[kind]}</span>
  </>
)

const AuthorLink = ({ username }: { username: string }) => (
  <a href={paths.authorsAt(username, 1)}>
    <bdi>{username}</bdi>
  </a>
)
