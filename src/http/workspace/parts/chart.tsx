/** Calls by day and outcome as stacked bars, with a real axis and a table behind a disclosure. */
import type { UsageDay } from "../../../domain/usage.ts"
import type { View } from "../view.ts"
import { formatDay } from "./values.tsx"

const width = 720
const height = 220
const left = 48
const bottom = 28
const top = 12
const groups = ["ok", "refused", "failed"] as const

const totalOf = ({ ok, refused, failed }: UsageDay) => ok + refused + failed

/** The smallest of 1, 2, 5, 10, 20, … that reaches the highest bar in at most four steps. */
export function axisStep(highest: number): number {
  const least = Math.max(1, highest / 4)
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10
  return factor * power
}

export const UsageChart = ({ view, days }: { view: View; days: readonly UsageDay[] }) => {
  const { overview } = view.words
  const total = days.reduce((sum, day) => sum + totalOf(day), 0)
  const answered = days.reduce((sum, { ok }) => sum + ok, 0)
  if (total === 0) return <p class="empty">{overview.noCalls}</p>
  const step = axisStep(Math.max(...days.map(totalOf)))
  const steps = Math.ceil(Math.max(...days.map(totalOf)) / step)
  const perCall = (height - top - bottom) / (steps * step)
  const slot = (width - left) / days.length
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={overview.chart(total, answered)}
      >
        {Array.from({ length: steps + 1 }, (_, index) => index * step).map((calls) => {
          const y = height - bottom - calls * perCall
          return (
            <g class="axis" aria-hidden="true">
              <line x1={left} x2={width} y1={y} y2={y} />
              <text x={left - 8} y={y + 4} text-anchor="end">
                {calls.toLocaleString(view.locale)}
              </text>
            </g>
          )
        })}
        {days.map((day, index) => (
          <Bar
            view={view}
            day={day}
            x={left + index * slot}
            slot={slot}
            perCall={perCall}
            isLabelled={(days.length - 1 - index) % 7 === 0}
          />
        ))}
      </svg>
      <figcaption>
        <span>{overview.chart(total, answered)}</span>
        <ul class="legend">
          {groups.map((group) => (
            <li>
              <span class={`swatch ${group}`} aria-hidden="true" />
              {overview[group]}
            </li>
          ))}
        </ul>
      </figcaption>
      <details>
        <summary>{overview.asTable}</summary>
        <DayTable view={view} days={days} />
      </details>
    </figure>
  )
}

type BarProps = Readonly<{
  view: View
  day: UsageDay
  x: number
  slot: number
  perCall: number
  isLabelled: boolean
}>

const Bar = ({ view, day, x, slot, perCall, isLabelled }: BarProps) => {
  const date = formatDay(`${day.day}T00:00:00Z`, view.locale)
  const parts = groups.filter((group) => day[group] > 0)
  const words = parts.map(
    (group) => `${day[group].toLocaleString(view.locale)} ${view.words.overview[group]}`,
  )
  const label = `${date}: ${words.join(", ") || "0"}`
  let y = height - bottom
  return (
    <g class="bar" role="img" aria-label={label} tabindex={parts.length > 0 ? 0 : undefined}>
      <title>{label}</title>
      <rect class="slot" x={x} y={top} width={slot} height={height - top - bottom} />
      {parts.map((group) => {
        const tall = Math.max(1, day[group] * perCall)
        y -= tall
        return <rect class={group} x={x + 2} y={y} width={slot - 4} height={tall} />
      })}
      {isLabelled && (
        <text class="date" x={x + slot / 2} y={height - 8} text-anchor="middle" aria-hidden="true">
          {new Date(day.day).toLocaleDateString(view.locale, {
            day: "numeric",
            month: "short",
            timeZone: "UTC",
          })}
        </text>
      )}
    </g>
  )
}

const DayTable = ({ view, days }: { view: View; days: readonly UsageDay[] }) => (
  <table class="numbers stack">
    <thead>
      <tr>
        <th scope="col">{view.words.overview.day}</th>
        {groups.map((group) => (
          <th scope="col">{view.words.overview[group]}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {days
        .filter((day) => totalOf(day) > 0)
        .toReversed()
        .map((day) => (
          <tr>
            <th scope="row">{formatDay(`${day.day}T00:00:00Z`, view.locale)}</th>
            {groups.map((group) => (
              <td data-label={view.words.overview[group]}>
                {day[group].toLocaleString(view.locale)}
              </td>
            ))}
          </tr>
        ))}
    </tbody>
  </table>
)
