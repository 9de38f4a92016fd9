import { t } from "../t.ts"
import { type DayRange, lastRange, normalizeTimestamp, type Timestamp, usageDays } from "../time.ts"
import { currentView } from "./context.ts"
import { formatDays } from "./elements.tsx"

const choices = [7, 30, 90] as const

/** The values of `days` for a custom range and for no range. */
const customDays = "custom"
export const allDays = "all"

export type ChosenRange = DayRange &
  Readonly<{
    choice: (typeof choices)[number] | null
    today: string
  }>

type RangeQuery = Readonly<Partial<Record<"days" | "from" | "to", string | undefined>>>

const isDay = (text: string | undefined): text is string =>
  text !== undefined &&
  /^[12]\d{3}-\d\d-\d\d$/.test(text) &&
  normalizeTimestamp(`${text}T00:00:00Z`) !== null

/** The days of a chart of requests: by default the last 7, and none before the counts that are kept. */
export const parseRange = (query: RangeQuery, at: Timestamp) =>
  readRange(query, at, 7, lastRange(at, usageDays).from)

/** The days of a list, by default the last 30. */
export const parseListRange = (query: RangeQuery, at: Timestamp) =>
  readRange(query, at, 30, "0000-01-01")

function readRange(query: RangeQuery, at: Timestamp, usual: 7 | 30, oldest: string): ChosenRange {
  const today = at.slice(0, 10)
  const days = query.days || (isDay(query.from) || isDay(query.to) ? customDays : "")
  // The form of a list also sends the dates that it does not show.
  if (days !== customDays) {
    const choice = choices.find((each) => String(each) === days) ?? usual
    return { ...lastRange(at, choice), choice, today }
  }
  const end = isDay(query.to) ? query.to : today
  const ends = [isDay(query.from) ? query.from : lastRange(end, usual).from, end]
  const clamped = ends.map((day) => [oldest, day, today].toSorted()[1] ?? day)
  const [from = today, to = today] = clamped.toSorted()
  return { from, to, choice: null, today }
}

export const paramsOfRange = ({ choice, from, to }: ChosenRange) =>
  choice === null ? { from, to } : { days: String(choice) }

/** One range for everything below it. The script applies it when it is changed. */
export const RangeBar = ({ range }: Readonly<{ range: ChosenRange }>) => (
  <form class="list-bar" method="get" action={currentView().path} data-live>
    <FilterRange range={range} />
    <button type="submit" class="quiet apply">
      {t("Apply")}
    </button>
    <span class="hint">{formatDays(range)}, UTC</span>
  </form>
)

type FilterRangeProps = Readonly<{ range: ChosenRange | null; hasAllDays?: boolean }>

/** The range as a filter of a list: parameters `days`, and `from` and `to` of a custom range. */
export const FilterRange = ({ range, hasAllDays = false }: FilterRangeProps) => (
  <span class="filter-range">
    <select name="days" aria-label={t("Date range")}>
      {hasAllDays && (
        <option value={allDays} selected={range === null}>
          {t("Any time")}
        </option>
      )}
      {choices.map((each) => (
        <option value={each} selected={range?.choice === each}>
          {t("Last {n} days", { n: each })}
        </option>
      ))}
      <option value={customDays} selected={range !== null && range.choice === null}>
        {t("Custom range")}
      </option>
    </select>
    <span class="custom-days">
      {(["from", "to"] as const).map((name) => (
        <input
          type="date"
          name={name}
          aria-label={name === "from" ? t("From") : t("To")}
          value={range?.[name]}
          max={range?.today}
        />
      ))}
    </span>
  </span>
)
