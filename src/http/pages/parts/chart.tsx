/**
 * Calls by day or hour and outcome as stacked bars, with a real axis and a table behind a disclosure. The script
 * shows the values of a bar on hover and on focus, and makes the bars one tab stop with arrow keys. Hours are
 * shown in the reader's zone; a day is a day of UTC.
 */
import { type FailureKind, failedCallDays } from "../../../domain/usage/failed-calls.ts"
import { callsOf, type UsageDay } from "../../../domain/usage/usage.ts"
import type { Locale } from "../../api/answer/messages.ts"
import { type LogFilter, pathOfLog } from "../paths.ts"
import type { View } from "../view.ts"
import { type Column, Table } from "./blocks.tsx"
import { formatDay, formatMoment, Time } from "./values.tsx"

/** The picture is stretched to its place; its labels stand outside it and are not. */
const width = 720
const height = 200
const groups = ["ok", "refused", "failed"] as const
type Group = (typeof groups)[number]
const labelEvery = 7

/** The smallest of 1, 2, 5, 10, 20, … that reaches the highest bar in at most four steps. */
export function axisStep(highest: number): number {
  const least = Math.max(1, highest / 4)
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10
  return factor * power
}

type ChartProps = Readonly<{
  view: View
  /** `day` may also be an hour, `2026-06-22T23`. */
  days: readonly UsageDay[]
  caption?: (total: number, answered: number) => string
  /** On an author's pages: bars and numbers lead to these entries of the log. */
  log?: LogFilter
}>

/** The entries of the log that a number counts. Successful calls have none. */
const kinds: Readonly<Record<Group, FailureKind | null>> = {
  ok: null,
  refused: "codes",
  failed: "errors",
}

const namesOf = ({ words: { overview } }: View, log: LogFilter | undefined) =>
  log === undefined ? overview : overview.groups

type NumberProps = Readonly<{
  view: View
  calls: number
  group: Group
  log: LogFilter | undefined
}>

const GroupNumber = ({ view, calls, group, log }: NumberProps) => {
  const shown = calls.toLocaleString(view.locale)
  const show = kinds[group]
  if (log === undefined || show === null || calls === 0) return <>{shown}</>
  return <a href={pathOfLog({ ...log, show })}>{shown}</a>
}

/** A day whose failed calls are still in the log. */
const isLogged = (days: readonly UsageDay[], { day }: UsageDay) =>
  days.slice(-failedCallDays).some((each) => each.day === day)

export const UsageChart = (props: ChartProps) => {
  const { view, days, caption = view.words.overview.chart, log } = props
  const { overview } = view.words
  const names = namesOf(view, log)
  const total = days.reduce((sum, day) => sum + callsOf(day), 0)
  const sumOf = (group: Group) => days.reduce((sum, day) => sum + day[group], 0)
  if (total === 0) return <p class="empty">{overview.noCalls}</p>
  const step = axisStep(Math.max(...days.map(callsOf)))
  const lines = Math.ceil(Math.max(...days.map(callsOf)) / step)
  const values = Array.from({ length: lines + 1 }, (_, index) => (lines - index) * step)
  const perCall = height / (lines * step)
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
            <line x2={width} y1={height - calls * perCall} y2={height - calls * perCall} />
          ))}
          {days.map((day, index) => (
            <Bar
              view={view}
              day={day}
              x={index * slot}
              slot={slot}
              perCall={perCall}
              names={names}
              href={log && isLogged(days, day) ? pathOfLog({ ...log, day: day.day }) : undefined}
            />
          ))}
        </svg>
        <div class="dates" aria-hidden="true">
          {days
            .filter((_, index) => isLabelled(days.length, index))
            .map(({ day }) => (
              <span>
                {isHour(day) ? (
                  <time datetime={startOf(day)} data-form="hour">
                    {`${day.slice(11)}:00`}
                  </time>
                ) : day === days.at(-1)?.day ? (
                  overview.soFar
                ) : (
                  formatShort(day, view.locale)
                )}
              </span>
            ))}
        </div>
        <div class="tip" aria-hidden="true" hidden />
      </div>
      <figcaption>
        <ul class="legend">
          {groups.map((group) => (
            <li>
              <span class={`swatch ${group}`} aria-hidden="true" />
              {names[group]}{" "}
              <GroupNumber view={view} calls={sumOf(group)} group={group} log={log} />
            </li>
          ))}
        </ul>
      </figcaption>
      <details>
        <summary>{overview.asTable}</summary>
        <DayTable view={view} days={days} log={log} />
      </details>
    </figure>
  )
}

/** Each seventh day back from today. The first of them has no room for its label. */
const isLabelled = (days: number, index: number) =>
  (days - 1 - index) % labelEvery === 0 && index >= labelEvery

const isHour = (period: string) => period.length > "2026-06-22".length

const startOf = (hour: string) => `${hour}:00:00Z`

function formatShort(day: string, locale: Locale): string {
  const form = { day: "numeric", month: "short", timeZone: "UTC" } as const
  return new Date(day).toLocaleDateString(locale, form)
}

const formatPeriod = (period: string, locale: Locale) =>
  isHour(period) ? formatMoment(startOf(period), locale) : formatDay(`${period}T00:00:00Z`, locale)

type BarProps = Readonly<{
  view: View
  day: UsageDay
  x: number
  slot: number
  perCall: number
  names: Readonly<Record<Group, string>>
  href: string | undefined
}>

const Bar = ({ view, day, x, slot, perCall, names, href }: BarProps) => {
  const date = formatPeriod(day.day, view.locale)
  const parts = groups.filter((group) => day[group] > 0)
  const values = parts.map((group) => `${names[group]}: ${day[group].toLocaleString(view.locale)}`)
  const label = [date, ...(values.length === 0 ? [view.words.calls(0)] : values)]
  let y = height
  const picture = (
    <>
      <title>{label.join("\n")}</title>
      <rect class="slot" x={x} width={slot} height={height} />
      {parts.map((group) => {
        const tall = Math.max(1, Math.round(day[group] * perCall))
        y -= tall
        return <rect class={group} x={x + 2} y={y} width={slot - 4} height={tall} />
      })}
    </>
  )
  if (href !== undefined) {
    return (
      <a class="bar" href={href} aria-label={label.join(", ")}>
        {picture}
      </a>
    )
  }
  return (
    <g
      class="bar"
      role="img"
      aria-label={label.join(", ")}
      data-at={isHour(day.day) ? startOf(day.day) : undefined}
    >
      {picture}
    </g>
  )
}

/** A column for each outcome. `logOf` gives the entries of the log that are behind a row. */
export const groupColumns = <Row extends Readonly<Record<Group, number>>>(
  view: View,
  names: Readonly<Record<Group, string>>,
  logOf: (row: Row) => LogFilter | undefined,
): readonly Column<Row>[] =>
  groups.map((group) => ({
    head: names[group],
    isNumber: true,
    cell: (row) => <GroupNumber view={view} calls={row[group]} group={group} log={logOf(row)} />,
  }))

type DayTableProps = Readonly<{
  view: View
  days: readonly UsageDay[]
  log: LogFilter | undefined
}>

const DayTable = ({ view, days, log }: DayTableProps) => (
  <Table
    class="numbers stack"
    rows={days.filter((day) => callsOf(day) > 0).toReversed()}
    columns={[
      {
        head: view.words.overview[days.some(({ day }) => isHour(day)) ? "hour" : "day"],
        isRowHead: true,
        cell: ({ day }) =>
          isHour(day) ? (
            <Time view={view} at={startOf(day)} form="moment" />
          ) : (
            formatPeriod(day, view.locale)
          ),
      },
      ...groupColumns(view, namesOf(view, log), (row: UsageDay) =>
        log && isLogged(days, row) ? { ...log, day: row.day } : undefined,
      ),
    ]}
  />
)
