/**
 * Requests or sales by period and outcome as stacked bars, with an axis and a table. The script shows the
 * values of a bar on hover and focus, and makes the bars one tab stop with arrow keys.
 */
import type { Child } from "hono/jsx"
import { withQuery } from "../platform/http/parameters.ts"
import { currentView } from "../platform/pages/context.ts"
import { type Column, column, DataTable } from "../platform/pages/data-table.tsx"
import { type ChosenRange, paramsOfRange } from "../platform/pages/date-range.tsx"
import { CsvLink, formatDays } from "../platform/pages/elements.tsx"
import { currentLocale, type PlainKey, t } from "../platform/t.ts"
import { type DayRange, splitRange } from "../platform/time.ts"
import { type OutcomeKind, sumOfCalls, type UsageDay } from "./usage.ts"

/** The drawing is stretched to its container; the labels are outside it and are not. */
const width = 720
const height = 200

/** The groups of a chart from the bottom up. A group is also the class of its bars. */
type GroupNames<Group extends string> = Readonly<Record<Group, PlainKey>>
type Period<Group extends string> = DayRange & Readonly<Record<Group, number>>

/** The link of a number or bar. Null stands for all periods or all outcomes. */
type ChartLink<Group extends string> = (
  period: DayRange | null,
  group: Group | null,
) => string | undefined

// `as`: Object.keys loses the keys of a record.
const listGroups = <Group extends string>(names: GroupNames<Group>) => Object.keys(names) as Group[]

/** The smallest of 1, 2, 5, 10, 20, … that reaches the highest bar in at most four steps. */
function axisStep(highest: number): number {
  const least = Math.max(1, highest / 4)
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10
  return factor * power
}

type ChartProps<Group extends string> = Readonly<{
  periods: readonly Period<NoInfer<Group>>[]
  /** The chart labels this day as incomplete. */
  today: string
  names: GroupNames<Group>
  /** These are drawn on a scale of their own: a hundred among a million would not be visible. */
  apart?: readonly NoInfer<Group>[]
  caption(total: number, successful: number): string
  empty?: string
  linkTo: ChartLink<NoInfer<Group>>
  csvPath?: string | undefined
}>

function showNumber(calls: number, href: string | undefined): Child {
  const text = calls.toLocaleString(currentLocale())
  return href === undefined || calls === 0 ? text : <a href={href}>{text}</a>
}

export const UsageChart = <Group extends string>(props: ChartProps<Group>) => {
  const { periods, names, apart = [], caption, empty, linkTo, csvPath } = props
  const groups = listGroups(names)
  const sumOf = (group: Group) => periods.reduce((sum, period) => sum + period[group], 0)
  const total = groups.reduce((sum, group) => sum + sumOf(group), 0)
  if (total === 0) return <p class="empty">{empty}</p>
  const plots = [groups.filter((group) => !apart.includes(group)), apart]
  const drawn = plots.filter((plot) => plot.some((group) => sumOf(group) > 0))
  return (
    <figure class="chart">
      {drawn.map((plot, index) => (
        <Plot
          {...props}
          groups={plot}
          label={
            index === 0
              ? caption(total, groups[0] === undefined ? 0 : sumOf(groups[0]))
              : plot.map((group) => t<PlainKey>(names[group])).join(", ")
          }
          hasDates={index === drawn.length - 1}
        />
      ))}
      <figcaption>
        <ul class="legend">
          {groups.map((group) => (
            <li>
              <span class={`swatch ${group}`} aria-hidden="true" />
              {t<PlainKey>(names[group])} {showNumber(sumOf(group), linkTo(null, group))}
            </li>
          ))}
        </ul>
      </figcaption>
      <details>
        <summary>{t("Show as a table")}</summary>
        <DataTable
          rows={periods.filter((each) => groups.some((group) => each[group] > 0)).toReversed()}
          columns={[
            { head: t("Day"), value: (period) => formatDays(period) },
            ...groupColumns<Group, Period<Group>>(names, linkTo),
          ]}
        />
        {csvPath !== undefined && <CsvLink path={csvPath} />}
      </details>
    </figure>
  )
}

export const groupColumns = <Group extends string, Row extends Readonly<Record<Group, number>>>(
  names: GroupNames<Group>,
  linkTo?: (row: Row, group: Group) => string | undefined,
): readonly Column<Row>[] =>
  listGroups(names).map((group) => ({
    head: t<PlainKey>(names[group]),
    kind: "number",
    value: (row) => row[group],
    cell: (row) => showNumber(row[group], linkTo?.(row, group)),
  }))

type PlotProps<Group extends string> = ChartProps<Group> &
  Readonly<{ groups: readonly Group[]; label: string; hasDates: boolean }>

const Plot = <Group extends string>(props: PlotProps<Group>) => {
  const { periods, today, names, groups, label, hasDates, linkTo } = props
  const view = currentView()
  const highest = Math.max(
    ...periods.map((period) => groups.reduce((sum, group) => sum + period[group], 0)),
  )
  const step = axisStep(highest)
  const lines = Math.ceil(highest / step)
  const values = Array.from({ length: lines + 1 }, (_, index) => (lines - index) * step)
  const unitHeight = height / (lines * step)
  const slot = width / periods.length
  const renderBar = (period: Period<Group>, index: number) => {
    const parts = groups.filter((group) => period[group] > 0)
    const labeled = parts.length === 0 ? groups.slice(0, 1) : parts
    const texts = labeled.map(
      (group) => `${t<PlainKey>(names[group])}: ${period[group].toLocaleString(view.locale)}`,
    )
    let y = height
    return (
      <a class="bar" href={linkTo(period, null)}>
        <title>{[formatDays(period), ...texts].join("\n")}</title>
        <rect class="slot" x={round(index * slot)} width={round(slot)} height={height} />
        {parts.map((group) => {
          const barHeight = Math.max(1, Math.round(period[group] * unitHeight))
          const [x, barWidth] = [round(index * slot + slot / 10), round(slot * 0.8)]
          y -= barHeight
          return <rect class={group} x={x} y={y} width={barWidth} height={barHeight} />
        })}
      </a>
    )
  }
  return (
    <div class="plot">
      <div class="scale" aria-hidden="true">
        {values.map((calls) => (
          <span>{calls.toLocaleString(view.locale)}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="group"
        aria-label={label}
      >
        {values.map((calls) => (
          <line x2={width} y1={height - calls * unitHeight} y2={height - calls * unitHeight} />
        ))}
        {periods.map(renderBar)}
      </svg>
      {hasDates && <DateLabels {...{ periods, today }} />}
      <div class="tip" aria-hidden="true" hidden />
    </div>
  )
}

/**
 * Labels in steps of whole weeks back from the last day, as many as fit on a phone. The first days have no
 * room for one.
 */
const DateLabels = ({ periods, today }: Pick<ChartProps<never>, "periods" | "today">) => {
  const step = Math.max(2, 7 * Math.round(periods.length / 28))
  // The label of a wide bar is centered below it.
  const isWide = periods.length <= 14
  const form = { day: "numeric", month: "short", timeZone: "UTC" } as const
  return (
    <svg class="dates" aria-hidden="true">
      {periods.map(({ from: day }, index) => {
        const fromEnd = periods.length - 1 - index
        if (fromEnd % step !== 0 || (index + 1) / periods.length <= 1 / 6) return null
        const slots = isWide ? index + 0.5 : index + 1
        return (
          <text
            x={`${(100 * slots) / periods.length}%`}
            y="1em"
            text-anchor={isWide ? "middle" : undefined}
          >
            {day === today ? t("Today") : new Date(day).toLocaleDateString(currentLocale(), form)}
          </text>
        )
      })}
    </svg>
  )
}

/** Two decimals, because each number appears for every bar. */
const round = (length: number) => Math.round(length * 100) / 100

/** The failed requests of each outcome. Successful requests are not listed. */
const kinds: Readonly<Record<OutcomeKind, string | null>> = {
  ok: null,
  invalidCodes: "codes",
  clientErrors: "errors",
  serverErrors: "errors",
}

type RequestsProps = Readonly<{
  range: ChosenRange
  days: readonly UsageDay[]
  csvPath?: string
  /** Numbers and bars link to this page of failed requests. */
  logPath: string
  keyId?: string
}>

export const RequestsChart = ({ range, days, csvPath, logPath, keyId }: RequestsProps) => {
  const linkTo: ChartLink<OutcomeKind> = (period, group) => {
    const kind = group === null ? undefined : kinds[group]
    if (kind === null) return undefined
    const chosen = period === null ? paramsOfRange(range) : { from: period.from, to: period.to }
    return withQuery(logPath, { kind, key: keyId, ...chosen })
  }
  const periods = splitRange(range).map((period) => ({
    ...period,
    ...sumOfCalls(days.filter(({ day }) => period.from <= day && day <= period.to)),
  }))
  return (
    <UsageChart
      periods={periods}
      today={range.today}
      names={outcomeTexts}
      apart={["clientErrors", "serverErrors"]}
      caption={(total, ok) => t("{total request|requests}, {ok} successful.", { total, ok })}
      empty={t("No requests on these days.")}
      linkTo={linkTo}
      csvPath={csvPath && withQuery(csvPath, paramsOfRange(range))}
    />
  )
}

export const dayColumns = (): readonly Column<UsageDay>[] => [
  column(t("{head} (UTC)", { head: t("Day") }), ({ day }) => day),
  ...groupColumns(outcomeTexts),
]

export const outcomeTexts = {
  ok: "Successful",
  invalidCodes: "Invalid codes # outcome",
  clientErrors: "Client errors",
  serverErrors: "Server errors",
} as const
