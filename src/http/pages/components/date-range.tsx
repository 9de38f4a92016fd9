/** The days that a chart or list shows: the last 7, 30 or 90, or a custom range. Days are in UTC. */

import {
  type DayRange,
  lastRange,
  normalizeTimestamp,
  type Timestamp,
} from "../../../domain/values/time/timestamp.ts"
import type { View } from "../view.ts"
import { QuietButton } from "./form-fields.tsx"
import { formatDay, SentenceWithTime } from "./formatted-values.tsx"
import { Tabs } from "./panels-and-tables.tsx"

const choices = [7, 30, 90] as const
type Choice = (typeof choices)[number]

/** The values of `days` for a custom range and for no range. */
const customDays = "custom"
export const allDays = "all"

/** More bars, and the table behind them, would make the page too large. */
export const chartDaysMax = 92

export type ChosenRange = DayRange &
  Readonly<{
    /** Null for a custom range. */
    choice: Choice | null
    today: string
    /** Retention in days; null for unlimited. */
    retentionDays: number | null
    /** Whether the range was shortened to fit a chart. */
    isCut: boolean
  }>

type RangeQuery = Readonly<{
  days?: string | undefined
  from?: string | undefined
  to?: string | undefined
}>
type Params = Readonly<Record<string, string>>

const isDay = (text: string | undefined): text is string =>
  text !== undefined &&
  /^[12]\d{3}-\d\d-\d\d$/.test(text) &&
  normalizeTimestamp(`${text}T00:00:00Z`) !== null

const clamp = (from: string, day: string, to: string) => [from, day, to].toSorted()[1] ?? day

/**
 * Parses the parameters `days`, or `from` and `to`; by default the last 30 days. The range is limited to
 * the retention and to the size of a chart.
 */
export function parseRange(query: RangeQuery, at: Timestamp, retentionDays: number): ChosenRange {
  const range = parseListRange(query, at, retentionDays)
  if (fitsChart(range)) return range
  return { ...range, from: lastRange(range.to, chartDaysMax).from, isCut: true }
}

export const fitsChart = ({ from, to }: DayRange) => from >= lastRange(to, chartDaysMax).from

/** The same for a list, which may have any number of days. */
export function parseListRange(
  query: RangeQuery,
  at: Timestamp,
  retentionDays: number | null = null,
): ChosenRange {
  const today = at.slice(0, 10)
  const to = isDay(query.to) ? query.to : today
  const from = isDay(query.from) ? query.from : lastRange(to, 30).from
  // The form of a list also sends the dates that it does not show.
  const isChoice = query.days !== undefined && query.days !== "" && query.days !== customDays
  if (isChoice || (query.days !== customDays && !isDay(query.from) && !isDay(query.to))) {
    const choice = choices.find((each) => String(each) === query.days) ?? 30
    return { ...lastRange(at, choice), choice, today, retentionDays, isCut: false }
  }
  const oldest = retentionDays === null ? "0000-01-01" : lastRange(at, retentionDays).from
  const [first = today, last = today] = [from, to]
    .map((day) => clamp(oldest, day, today))
    .toSorted()
  return { from: first, to: last, choice: null, today, retentionDays, isCut: false }
}

export const paramsOfRange = ({ choice, from, to }: ChosenRange): Params =>
  choice === null ? { from, to } : { days: String(choice) }

type Props = Readonly<{
  view: View
  /** Null if one of `others` is chosen. */
  range: ChosenRange | null
  others?: readonly Readonly<{ text: string; params: Params; isChosen: boolean }>[]
  linkTo(params: Params): string
}>

export const RangeNav = ({ view, range, others = [], linkTo }: Props) => {
  const texts = view.texts.range
  const links = [
    ...others,
    ...choices.map((each) => ({
      text: texts.days(each),
      params: { days: String(each) },
      isChosen: range?.choice === each,
    })),
  ]
  const { pathname, searchParams, hash } = new URL(linkTo({}), "http://localhost")
  return (
    <div class="range">
      <Tabs
        label={texts.label}
        tabs={links.map(({ text, params, isChosen: isCurrent }) => ({
          path: linkTo(params),
          text,
          isCurrent,
        }))}
      />
      <details open={range?.choice === null}>
        <summary>{texts.custom}</summary>
        <form method="get" action={`${pathname}${hash}`} class="filter">
          {[...searchParams].map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          {(["from", "to"] as const).map((name) => (
            <div class="field sort">
              <label for={name}>{texts.ends[name]}</label>
              <input type="date" id={name} name={name} value={range?.[name]} max={range?.today} />
            </div>
          ))}
          <QuietButton>{texts.show}</QuietButton>
        </form>
      </details>
      {range !== null && (
        <p class="hint">
          <strong>
            {texts.shown(formatDay(range.from, view.locale), formatDay(range.to, view.locale))}
          </strong>{" "}
          <DaysInUtc view={view} last={range.to} />
          {range.isCut && ` ${texts.daysMax(chartDaysMax)}`}
          {range.retentionDays !== null && ` ${texts.retention(range.retentionDays)}`}
        </p>
      )}
    </div>
  )
}

type FilterRangeProps = Readonly<{
  view: View
  /** Null for all days. */
  range: ChosenRange | null
  hasAllDays?: boolean
}>

/** The range as a filter of a list: parameters `days`, and `from` and `to` of a custom range. */
export const FilterRange = ({ view, range, hasAllDays = false }: FilterRangeProps) => {
  const texts = view.texts.range
  return (
    <span class="filter-range">
      <select name="days" aria-label={texts.label}>
        {hasAllDays && (
          <option value={allDays} selected={range === null}>
            {texts.anyTime}
          </option>
        )}
        {choices.map((each) => (
          <option value={each} selected={range?.choice === each}>
            {texts.last(each)}
          </option>
        ))}
        <option value={customDays} selected={range !== null && range.choice === null}>
          {texts.custom}
        </option>
      </select>
      <span class="custom-days">
        {(["from", "to"] as const).map((name) => (
          <input
            type="date"
            name={name}
            aria-label={texts.ends[name]}
            value={range?.[name]}
            max={range?.today}
          />
        ))}
      </span>
    </span>
  )
}

export const DaysInUtc = ({ view, last }: Readonly<{ view: View; last: string }>) => (
  <SentenceWithTime
    view={view}
    at={`${last}T00:00:00Z`}
    form="datetime"
    sentence={view.texts.range.inUtc}
  />
)
