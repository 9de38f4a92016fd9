/** Sums up rows of the store for the page of the traffic. */
import type { AuditAction, AuditEventOf } from "../../../domain/sign-in/audit-event.ts"
import {
  callsOf,
  type OutcomeCalls,
  type PeriodRequests,
  quantileMs,
  sumOutcomes,
  type TrafficCount,
  type UsageDay,
} from "../../../domain/usage/usage.ts"
import {
  type DayRange,
  daysOf,
  formatTimestamp,
  secondsBefore,
  type Timestamp,
} from "../../../domain/values/time/timestamp.ts"
import { operations } from "../../../metrics/labels.ts"

export const spans = ["hour", "day"] as const
/** The last hour, the last 24 hours, or days. */
export type Span = (typeof spans)[number] | DayRange

const hourSeconds = 3_600
const hoursShown = 24

/** The hours or days of a span, oldest first, and the first and the last moment that are counted. */
export function periodsOf(
  span: Span,
  now: Date,
): Readonly<{ since: Timestamp; until: Timestamp; periods: readonly string[] }> {
  if (typeof span === "object") {
    const { from, to } = span
    return { since: `${from}T00:00:00Z`, until: `${to}T23:59:59Z`, periods: daysOf(span) }
  }
  // Whole hours are counted, so the last hour begins up to an hour earlier.
  const hours = span === "hour" ? 2 : hoursShown
  const periods = Array.from({ length: hours }, (_, index) =>
    secondsBefore(now, (hours - 1 - index) * hourSeconds).slice(0, 13),
  )
  return { since: `${periods[0]}:00:00Z`, until: formatTimestamp(now), periods }
}

export type OperationFacts = OutcomeCalls &
  Readonly<{
    operation: string
    /** Upper bounds in milliseconds; infinite beyond the last one. */
    halfMs: number | null
    mostMs: number | null
  }>

export type ReasonFacts = Readonly<{ operation: string; reason: string; count: number }>

/** The calls in each period, those without any included. */
export function listPeriods(
  periods: readonly string[],
  requests: readonly PeriodRequests[],
): readonly UsageDay[] {
  const byPeriod = Map.groupBy(requests, ({ period }) => period)
  return periods.map((day) => ({ day, ...sumOutcomes(byPeriod.get(day) ?? []) }))
}

/** The chart counts those of the API. */
export const isOfApi = ({ operation }: TrafficCount) =>
  operations.some((each) => each === operation)

/** The most requests first. */
export const listOperations = (totals: readonly TrafficCount[]): readonly OperationFacts[] =>
  [...Map.groupBy(totals, ({ operation }) => operation)]
    .filter(([operation]) => operation !== "")
    .map(([operation, counts]) => {
      const durations = counts.filter(({ kind }) => kind === "duration")
      return {
        operation,
        ...sumOutcomes(reasonsIn(counts)),
        halfMs: quantileMs(durations, 0.5),
        mostMs: quantileMs(durations, 0.99),
      }
    })
    .toSorted((one, other) => callsOf(other) - callsOf(one))

const reasonsIn = (counts: readonly TrafficCount[]): readonly ReasonFacts[] =>
  counts
    .filter(({ kind }) => kind === "request")
    .map(({ operation, detail, count }) => ({ operation, reason: detail, count }))

/** The reasons of what was not successful, the most frequent first. */
export const listReasons = (totals: readonly TrafficCount[]): readonly ReasonFacts[] =>
  reasonsIn(totals)
    .filter(({ reason }) => reason !== "ok")
    .toSorted((one, other) => other.count - one.count)

export const listDetails = (
  totals: readonly TrafficCount[],
  wanted: TrafficCount["kind"],
): readonly TrafficCount[] => totals.filter(({ kind, count }) => kind === wanted && count > 0)

/** `operator` is empty for names that no operator has. */
export type OperatorSignIns = Readonly<{
  operator: string
  signedIn: number
  failed: number
  slowed: number
}>

/** From the events of the audit, which are newest first; those with the most failed ones first. */
export function listOperatorSignIns(
  events: readonly AuditEventOf<"operator">[],
  since: Timestamp,
  until: Timestamp,
): readonly OperatorSignIns[] {
  const sum = (ofOne: typeof events, wanted: AuditAction<"operator">) =>
    ofOne.reduce((all, { action, count }) => all + (action === wanted ? count : 0), 0)
  const recent = events.filter(
    ({ at, action }) => at >= since && at <= until && /^sign/.test(action),
  )
  return [...Map.groupBy(recent, ({ subjectId }) => subjectId)]
    .map(([operator, ofOne]) => ({
      operator,
      signedIn: sum(ofOne, "signed_in"),
      failed: sum(ofOne, "sign_in_failed"),
      slowed: sum(ofOne, "sign_in_slowed"),
    }))
    .toSorted((one, other) => other.failed + other.slowed - one.failed - one.slowed)
}

/** How often something was tried that looks like guessing. */
export function countGuesses(totals: readonly TrafficCount[]) {
  const sum = (wanted: TrafficCount["kind"], name: string) =>
    totals
      .filter(({ kind, detail }) => kind === wanted && detail === name)
      .reduce((total, { count }) => total + count, 0)
  return {
    unknownKeys: sum("request", "unknown_key"),
    unknownCodes: sum("request", "unknown_code"),
    wrongPasswords: sum("sign_in", "wrong"),
    slowedDown: sum("sign_in", "throttled"),
  }
}
