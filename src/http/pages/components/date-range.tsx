/** The days that a chart shows: the last 7, 30 or 90, or others. They are days of UTC; the page says when the last one begins for the reader. */

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

/** A chart of more bars, and the table behind it, would make the page too large. */
export const chartDaysMax = 92

export type ChosenRange = DayRange &
  Readonly<{
    /** Null for days of one's own. */
    choice: Choice | null
    today: string
    /** For so long the days are kept; null for ever. */
    keptDays: number | null
    /** More days were asked for than a chart has, and the first of them are left out. */
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

/** The day itself, or the end of the range that it is beyond. */
const clamp = (from: string, day: string, to: string) => [from, day, to].toSorted()[1] ?? day

/**
 * From the parameters `days`, or `from` and `to`, of an address; the last 30 days without them. Days that are not
 * kept are left out, and those that do not fit into a chart.
 */
export function parseRange(asked: RangeQuery, at: Timestamp, keptDays: number): ChosenRange {
  const range = parseListRange(asked, at, keptDays)
  if (fitsChart(range)) return range
  return { ...range, from: lastRange(range.to, chartDaysMax).from, isCut: true }
}

export const fitsChart = ({ from, to }: DayRange) => from >= lastRange(to, chartDaysMax).from

/** The same for a list, which may be of any days. */
export function parseListRange(
  asked: RangeQuery,
  at: Timestamp,
  keptDays: number | null = null,
): ChosenRange {
  const today = at.slice(0, 10)
  const to = isDay(asked.to) ? asked.to : today
  const from = isDay(asked.from) ? asked.from : lastRange(to, 30).from
  if (!isDay(asked.from) && !isDay(asked.to)) {
    const choice = choices.find((each) => String(each) === asked.days) ?? 30
    return { ...lastRange(at, choice), choice, today, keptDays, isCut: false }
  }
  const oldest = keptDays === null ? "0000-01-01" : lastRange(at, keptDays).from
  const [first = today, last = today] = [from, to]
    .map((day) => clamp(oldest, day, today))
    .toSorted()
  return { from: first, to: last, choice: null, today, keptDays, isCut: false }
}

/** The parameters that `readRange` makes this range of. */
export const paramsOfRange = ({ choice, from, to }: ChosenRange): Params =>
  choice === null ? { from, to } : { days: String(choice) }

type Props = Readonly<{
  view: View
  /** Null where one of `others` is chosen. */
  range: ChosenRange | null
  others?: readonly Readonly<{ text: string; params: Params; isChosen: boolean }>[]
  linkTo(params: Params): string
}>

export const RangeNav = ({ view, range, others = [], linkTo }: Props) => {
  const words = view.texts.range
  const links = [
    ...others,
    ...choices.map((each) => ({
      text: words.days(each),
      params: { days: String(each) },
      isChosen: range?.choice === each,
    })),
  ]
  const { pathname, searchParams, hash } = new URL(linkTo({}), "http://localhost")
  return (
    <div class="range">
      <Tabs
        label={words.label}
        tabs={links.map(({ text, params, isChosen: isCurrent }) => ({
          path: linkTo(params),
          text,
          isCurrent,
        }))}
      />
      <details open={range?.choice === null}>
        <summary>{words.own}</summary>
        <form method="get" action={`${pathname}${hash}`} class="filter">
          {[...searchParams].map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          {(["from", "to"] as const).map((name) => (
            <div class="field sort">
              <label for={name}>{words.ends[name]}</label>
              <input type="date" id={name} name={name} value={range?.[name]} max={range?.today} />
            </div>
          ))}
          <QuietButton>{words.show}</QuietButton>
        </form>
      </details>
      {range !== null && (
        <p class="hint">
          <strong>
            {words.shown(formatDay(range.from, view.locale), formatDay(range.to, view.locale))}
          </strong>{" "}
          <DaysInUtc view={view} last={range.to} />
          {range.isCut && ` ${words.longest(chartDaysMax)}`}
          {range.keptDays !== null && ` ${words.kept(range.keptDays)}`}
        </p>
      )}
    </div>
  )
}

/** Which days are meant: with the script, in the reader's zone too. */
export const DaysInUtc = ({ view, last }: Readonly<{ view: View; last: string }>) => (
  <SentenceWithTime
    view={view}
    at={`${last}T00:00:00Z`}
    form="moment"
    sentence={view.texts.range.inUtc}
  />
)
