/**
 * Requests or sales by day (UTC) and outcome as stacked bars, with an axis and a table. The script shows
 * the values of a bar on hover and focus, and makes the bars one tab stop with arrow keys.
 */
import type { Child } from "hono/jsx"
import { failedRequestDays } from "../../../domain/usage/failed-requests.ts"
import type { OutcomeKind } from "../../../domain/usage/outcome.ts"
import type { UsageDay } from "../../../domain/usage/usage.ts"
import type { Locale } from "../../../domain/values/locale.ts"
import { lastRange } from "../../../domain/values/time/timestamp.ts"
import type { CsvColumn } from "../csv.ts"
import { type LogFilter, pathOfLog, withQuery } from "../paths.ts"
import type { View } from "../view.ts"
import { type ChosenRange, paramsOfRange, RangeNav } from "./date-range.tsx"
import { formatDay } from "./formatted-values.tsx"
import { type Column, CsvLink, Panel, Table } from "./panels-and-tables.tsx"

/** The drawing is stretched to its container; the labels are outside it and are not. */
const width = 720
const height = 200

/** The groups of a chart from the bottom up. A group is also the class of its bars. */
type GroupNames<Group extends string> = Readonly<Record<Group, string>>
type ChartDay<Group extends string> = Readonly<{ day: string } & Record<Group, number>>

/** The link of a number or bar. Null stands for all days or all outcomes. */
export type ChartLink<Group extends string> = (
  day: string | null,
  group: Group | null,
) => string | undefined

// `as`: Object.entries and Object.keys lose the keys of a record.
const groupsOf = <Group extends string>(names: GroupNames<Group>) => Object.keys(names) as Group[]

/** The smallest of 1, 2, 5, 10, 20, … that reaches the highest bar in at most four steps. */
function axisStep(highest: number): number {
  const least = Math.max(1, highest / 4)
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10
  return factor * power
}

type ChartProps<Group extends string> = Readonly<{
  view: View
  days: readonly ChartDay<NoInfer<Group>>[]
  /** The chart labels this day as incomplete. */
  today: string
  names: GroupNames<Group>
  caption(total: number, successful: number): string
  empty?: string
  linkTo?: ChartLink<NoInfer<Group>> | undefined
  csvPath?: string | undefined
}>

/** The log entries of each outcome. Successful requests have none. */
const kinds: Readonly<Record<OutcomeKind, LogFilter["show"] | null>> = {
  ok: null,
  invalidCodes: "codes",
  clientErrors: "errors",
  serverErrors: "errors",
}

/** Links bars and numbers to the log, for days within its retention. */
export function linkToLog(filter: LogFilter, today: string): ChartLink<OutcomeKind> {
  const { from } = lastRange(today, failedRequestDays)
  return (day, group) => {
    const show = group === null ? undefined : kinds[group]
    if (show === null || (day !== null && (day < from || day > today))) return undefined
    return pathOfLog({ ...filter, day: day ?? undefined, show })
  }
}

function showNumber({ locale }: View, calls: number, href: string | undefined): Child {
  const shown = calls.toLocaleString(locale)
  return href === undefined || calls === 0 ? shown : <a href={href}>{shown}</a>
}

export const UsageChart = <Group extends string>(props: ChartProps<Group>) => {
  const { view, days, today, names, caption, empty, linkTo, csvPath } = props
  const { overview } = view.texts
  const groups = groupsOf(names)
  const heightOf = (day: ChartDay<Group>) => groups.reduce((sum, group) => sum + day[group], 0)
  const total = days.reduce((sum, day) => sum + heightOf(day), 0)
  const sumOf = (group: Group) => days.reduce((sum, day) => sum + day[group], 0)
  if (total === 0) return <p class="empty">{empty}</p>
  const step = axisStep(Math.max(...days.map(heightOf)))
  const lines = Math.ceil(Math.max(...days.map(heightOf)) / step)
  const values = Array.from({ length: lines + 1 }, (_, index) => (lines - index) * step)
  const unitHeight = height / (lines * step)
  const slot = width / days.length
  return (
    <figure class="chart">
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
          aria-label={caption(total, groups[0] === undefined ? 0 : sumOf(groups[0]))}
        >
          {values.map((calls) => (
            <line x2={width} y1={height - calls * unitHeight} y2={height - calls * unitHeight} />
          ))}
          {days.map((day, index) => (
            <Bar
              view={view}
              day={day}
              x={index * slot}
              slot={slot}
              unitHeight={unitHeight}
              names={names}
              href={linkTo?.(day.day, null)}
            />
          ))}
        </svg>
        <svg class="dates" aria-hidden="true">
          {listLabels(days).map(({ day, x }) => (
            <text x={x} y="1em">
              {day === today ? overview.today : formatShort(day, view.locale)}
            </text>
          ))}
        </svg>
        <div class="tip" aria-hidden="true" hidden />
      </div>
      <figcaption>
        <ul class="legend">
          {groups.map((group) => (
            <li>
              <span class={`swatch ${group}`} aria-hidden="true" />
              {names[group]} {showNumber(view, sumOf(group), linkTo?.(null, group))}
            </li>
          ))}
        </ul>
      </figcaption>
      <details>
        <summary>{overview.asTable}</summary>
        <DayTable {...props} />
        {csvPath !== undefined && <CsvLink view={view} path={csvPath} />}
      </details>
    </figure>
  )
}

/**
 * Labels in steps of whole weeks back from the last day, as many as fit on a phone. The first days have no
 * room for one.
 */
function listLabels(
  days: readonly Pick<UsageDay, "day">[],
): readonly Readonly<{ day: string; x: string }>[] {
  const step = Math.max(2, 7 * Math.round(days.length / 28))
  return days.flatMap(({ day }, index) => {
    const fromEnd = days.length - 1 - index
    const isLabeled = fromEnd % step === 0 && (index + 1) / days.length > 1 / 6
    return isLabeled ? [{ day, x: `${(100 * (index + 1)) / days.length}%` }] : []
  })
}

/** Two decimals, because each number appears for every bar. */
const round = (length: number) => Math.round(length * 100) / 100

function formatShort(day: string, locale: Locale): string {
  const form = { day: "numeric", month: "short", timeZone: "UTC" } as const
  return new Date(day).toLocaleDateString(locale, form)
}

type BarProps<Group extends string> = Readonly<{
  view: View
  day: ChartDay<Group>
  x: number
  slot: number
  unitHeight: number
  names: GroupNames<Group>
  href: string | undefined
}>

const Bar = <Group extends string>(props: BarProps<Group>) => {
  const { view, day, x, slot, unitHeight, names, href } = props
  const date = formatDay(day.day, view.locale)
  const parts = groupsOf(names).filter((group) => day[group] > 0)
  const labeled = parts.length === 0 ? groupsOf(names).slice(0, 1) : parts
  const values = labeled.map(
    (group) => `${names[group]}: ${day[group].toLocaleString(view.locale)}`,
  )
  let y = height
  const picture = (
    <>
      <title>{[date, ...values].join("\n")}</title>
      <rect class="slot" x={round(x)} width={round(slot)} height={height} />
      {parts.map((group) => {
        const barHeight = Math.max(1, Math.round(day[group] * unitHeight))
        y -= barHeight
        return (
          <rect
            class={group}
            x={round(x + slot / 10)}
            y={y}
            width={round(slot * 0.8)}
            height={barHeight}
          />
        )
      })}
    </>
  )
  if (href !== undefined) {
    return (
      <a class="bar" href={href}>
        {picture}
      </a>
    )
  }
  return (
    <g class="bar" role="img">
      {picture}
    </g>
  )
}

export const groupColumns = <Group extends string, Row extends Readonly<Record<Group, number>>>(
  view: View,
  names: GroupNames<Group>,
  linkTo: (row: Row, group: Group) => string | undefined,
): readonly Column<Row>[] =>
  groupsOf(names).map((group) => ({
    head: names[group],
    isNumber: true,
    cell: (row) => showNumber(view, row[group], linkTo(row, group)),
  }))

export const dayCsvColumns = (
  view: View,
  names: GroupNames<OutcomeKind>,
): readonly CsvColumn<UsageDay>[] => [
  { head: view.texts.lists.csv.inUtc(view.texts.overview.day), cell: ({ day }) => day },
  ...groupsOf(names).map((group) => ({
    head: names[group],
    cell: (row: UsageDay) => row[group],
  })),
]

const DayTable = <Group extends string>({ view, days, names, linkTo }: ChartProps<Group>) => (
  <Table
    class="numbers stack"
    rows={days.filter((day) => groupsOf(names).some((group) => day[group] > 0)).toReversed()}
    columns={[
      {
        head: view.texts.overview.day,
        isRowHead: true,
        cell: ({ day }) => formatDay(day, view.locale),
      },
      ...groupColumns(view, names, ({ day }: ChartDay<Group>, group) => linkTo?.(day, group)),
    ]}
  />
)

type RequestsProps = Readonly<{
  view: View
  range: ChosenRange
  days: readonly UsageDay[]
  path: string
  csvPath?: string
  /** In the workspace, bars and numbers link to these log entries. */
  log?: LogFilter
  children?: Child
}>

export const RequestsPanel = ({
  view,
  range,
  days,
  path,
  csvPath,
  log,
  children,
}: RequestsProps) => {
  const { overview } = view.texts
  return (
    <Panel id="calls" title={overview.requests}>
      <RangeNav
        view={view}
        range={range}
        linkTo={(params) => `${path}?${new URLSearchParams(params)}#calls`}
      />
      <UsageChart
        view={view}
        days={days}
        today={range.today}
        names={overview.groups}
        caption={overview.chart}
        empty={overview.noRequests}
        linkTo={log && linkToLog(log, range.today)}
        csvPath={csvPath && withQuery(csvPath, paramsOfRange(range))}
      />
      {children}
    </Panel>
  )
}
