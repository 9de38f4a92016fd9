import { countGuesses, estimateGuessing } from "../domain/running/code-guessing.ts"
import type { Rate } from "../domain/running/rate-limits.ts"
import { type Finding, ok, problem, warning } from "./finding.ts"

const check = "purchase codes"
const daySeconds = 86_400
const yearSeconds = 365 * daySeconds

const problemSeconds = 30 * daySeconds
const warningSeconds = 10 * yearSeconds

const hint = "Sell with longer random codes, such as UUIDs of version 4."

/** `sample` is chosen at random from `total` codes. `misses` is the limit of wrong ones. */
export function judgeCodes(sample: readonly string[], total: number, misses: Rate | null): Finding {
  const guesses = countGuesses(misses)
  const seconds = estimateGuessing(sample, total, guesses)
  if (seconds === null) return ok(check, "too few of one form to tell how hard they are to guess")
  const rate = `${guesses.toLocaleString("en")} guesses a second`
  const detail = `${rate} would find one in ${describeDuration(seconds)}`
  const advice = misses === null ? `${hint} PAZAR_RATE_LIMIT does not limit misses.` : hint
  if (seconds < problemSeconds) return problem(check, detail, advice)
  return seconds < warningSeconds ? warning(check, detail, advice) : ok(check, detail)
}

const units = [
  { name: "years", seconds: yearSeconds },
  { name: "days", seconds: daySeconds },
  { name: "hours", seconds: 3_600 },
  { name: "minutes", seconds: 60 },
] as const

const yearsShownMax = 1_000_000

function describeDuration(seconds: number): string {
  if (seconds > yearsShownMax * yearSeconds) return "more than a million years"
  const unit = units.find((each) => seconds >= 2 * each.seconds)
  if (unit === undefined) return "less than two minutes"
  return `about ${Math.round(seconds / unit.seconds).toLocaleString("en")} ${unit.name}`
}
