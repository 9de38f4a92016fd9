/**
 * Requests or sales by day (UTC) and outcome as stacked bars, with an axis and a table. The script shows
 * the values of a bar on hover and focus, and makes the bars one tab stop with arrow keys.
 */
import type { Child } from "hono/jsx"
import { type FailureKind, failedRequestDays } from "../../../domain/usage/failed-requests.ts"
import { callsOf, type UsageDay } from "../../../domain/usage/usage.ts"
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
const groups = ["ok", "rejected", "failed"] as const
type Group = (typeof groups)[number]

export type GroupNames = Readonly<Partial<Record<Group, string>>>

/** The link of a number or bar. Null stands for all days or all outcomes. */
export type ChartLink = (day: string | null, group: Group | null) => string | undefined

const shownGroups = (names: GroupNames) =>
  groups.flatMap((group) => (names[group] === undefined ? [] : [[group, names[group]] as const]))

/** The smallest of 1, 2, 5, 10, 20, … that reaches the highest bar in at most four steps. */
function axisStep(highest: number): number {
  const least = Math.max(1, highest / 4)
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10
  return factor * power
}

type ChartProps = Readonly<{
  view: View
  days: readonly UsageDay[]
  /** The chart labels this day as incomplete. */
  today: string
  names: GroupNames
  caption(total: number, successful: number): string
  empty?: string
  linkTo?: ChartLink | undefined
  csvPath?: string | undefined
}>

/** The log entries of each outcome. Successful requests have none. */
const kinds: Readonly<Record<Group, FailureKind | null>> = {
  ok: null,
  rejected: "codes",
  failed: "errors",
}

/** Links bars and numbers to the log, for days within its retention. */
export function linkToLog(filter: LogFilter, today: string): ChartLink {
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

export const UsageChart = (props: ChartProps) => {
  const { view, days, today, names, caption, empty, linkTo, csvPath } = props
  const { overview } = view.texts
  const total = days.reduce((sum, day) => sum + callsOf(day), 0)
  const sumOf = (group: Group) => days.reduce((sum, day) => sum + day[group], 0)
  if (total === 0) return <p class="empty">{empty}</p>
  const step = axisStep(Math.max(...days.map(callsOf)))
  const lines = Math.ceil(Math.max(...days.map(callsOf)) / step)
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
          aria-label={caption(total, sumOf("ok"))}
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
          {shownGroups(names).map(([group, name]) => (
            <li>
              <span class={`swatch ${group}`} aria-hidden="true" />
              {name} {showNumber(view, sumOf(group), linkTo?.(null, group))}
            </li>
          ))}
        </ul>
      </figcaption>
      <details>
        <summary>{overview.asTable}</summary>
        <DayTable view={view} days={days} names={names} linkTo={linkTo} />
        {csvPath !== undefined && <CsvLink view={view} path={csvPath} />}
      </details>
    </figure>
  )
}

/**
 * Labels in steps of whole weeks back from the last day, as many as fit on a phone. The first days have no
 * room for one.
 */
function listLabels(days: readonly UsageDay[]): readonly Readonly<{ day: string; x: string }>[] {
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

type BarProps = Readonly<{
  view: View
  day: UsageDay
  x: number
  slot: number
  unitHeight: number
  names: GroupNames
  href: string | undefined
}>

const Bar = ({ view, day, x, slot, unitHeight, names, href }: BarProps) => {
  const date = formatDay(day.day, view.locale)
  const parts = shownGroups(names).filter(([group]) => day[group] > 0)
  const labeled = parts.length === 0 ? shownGroups(names).slice(0, 1) : parts
  const values = labeled.map(
    ([group, name]) => `${name}: ${day[group].toLocaleString(view.locale)}`,
  )
  let y = height
  const picture = (
    <>
      <title>{[date, ...values].join("\n")}</title>
      <rect class="slot" x={round(x)} width={round(slot)} height={height} />
      {parts.map(([group]) => {
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

export const groupColumns = <Row extends Readonly<Record<Group, number>>>(
  view: View,
  names: GroupNames,
  linkTo: (row: Row, group: Group) => string | undefined,
): readonly Column<Row>[] =>
  shownGroups(names).map(([group, head]) => ({
    head,
    isNumber: true,
    cell: (row) => showNumber(view, row[group], linkTo(row, group)),
  }))

export const dayCsvColumns = (view: View, names: GroupNames): readonly CsvColumn<UsageDay>[] => [
  { head: view.texts.lists.csv.inUtc(view.texts.overview.day), cell: ({ day }) => day },
  ...shownGroups(names).map(([group, head]) => ({ head, cell: (row: UsageDay) => row[group] })),
]

type DayTableProps = Pick<ChartProps, "view" | "days" | "names" | "linkTo">

const DayTable = ({ view, days, names, linkTo }: DayTableProps) => (
  <Table
    class="numbers stack"
    rows={days.filter((day) => callsOf(day) > 0).toReversed()}
    columns={[
      {
        head: view.texts.overview.day,
        isRowHead: true,
        cell: ({ day }) => formatDay(day, view.locale),
      },
      ...groupColumns(view, names, ({ day }: UsageDay, group) => linkTo?.(day, group)),
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
