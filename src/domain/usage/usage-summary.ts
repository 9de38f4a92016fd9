/** The numbers of the pages about requests. All of them come from the usage counts, so that equal names are equal numbers. */
import type { Failure } from "../values/error.ts"
import { type DayRange, daysBefore, daysOf, type Timestamp } from "../values/time/timestamp.ts"
import { type LoggedRequest, sumCalls } from "./failed-requests.ts"
import {
  callsOf,
  errorsOf,
  type FailureKind,
  failureKindOf,
  type Outcome,
  type OutcomeCalls,
  sumOfCalls,
  sumOutcomes,
} from "./outcome.ts"
import type { KeyOutcome, UsageDay } from "./usage.ts"

/** The range, and as many days before it. */
export const withDaysBefore = (range: DayRange): DayRange => ({
  from: daysBefore(range.from, daysOf(range).length).slice(0, 10),
  to: range.to,
})

export type UsageSummary = Readonly<{
  days: readonly UsageDay[]
  calls: OutcomeCalls
  /** The same number of days before. */
  before: OutcomeCalls
}>

/** `days` are those of `withDaysBefore`. */
export function summarizeUsage({ from }: DayRange, days: readonly UsageDay[]): UsageSummary {
  const shown = days.filter(({ day }) => day >= from)
  const earlier = days.filter(({ day }) => day < from)
  return { days: shown, calls: sumOfCalls(shown), before: sumOfCalls(earlier) }
}

export type FailureGroup = Readonly<{
  reason: Failure
  kind: FailureKind
  calls: number
  /** Of all groups. */
  share: number
  keys: number
  /** The last timestamp of the log, or the last day. */
  lastAt: Timestamp | string
  /** Requests that the log has. It is shorter than the counts. */
  logged: number
}>

/** Most requests first. `keyId` is null in the counts of all accounts. */
export function groupFailures(
  outcomes: readonly (Outcome & Readonly<{ keyId: string | null; lastDay: string }>)[],
  log: readonly LoggedRequest[],
): readonly FailureGroup[] {
  const failed = outcomes.flatMap(({ outcome, ...each }) =>
    outcome === "ok" ? [] : [{ ...each, reason: outcome }],
  )
  const logByReason = Map.groupBy(log, ({ reason }) => reason)
  return [...Map.groupBy(failed, ({ reason }) => reason)]
    .map(([reason, each]) => {
      const calls = sumCalls(each)
      const entries = logByReason.get(reason) ?? []
      return {
        reason,
        kind: failureKindOf(reason),
        calls,
        share: calls / sumCalls(failed),
        keys: new Set(each.map(({ keyId }) => keyId)).size,
        lastAt: latestOf([
          ...each.map(({ lastDay }) => lastDay),
          ...entries.map(({ lastAt }) => lastAt),
        ]),
        logged: Math.min(calls, sumCalls(entries)),
      }
    })
    .toSorted((one, other) => other.calls - one.calls)
}

/** A timestamp of a day sorts after the day. */
const latestOf = (times: readonly string[]) => times.toSorted().at(-1) ?? ""

export type KeyCalls = OutcomeCalls & Pick<KeyOutcome, "keyId" | "keyName">

/** Most requests first, without test keys. */
export const listBusiestKeys = (outcomes: readonly KeyOutcome[], keysMax: number) =>
  [
    ...Map.groupBy(
      outcomes.filter(({ keyKind }) => keyKind !== "tk"),
      ({ keyId }) => keyId,
    ),
  ]
    .map(
      ([keyId, each]): KeyCalls => ({
        keyId,
        keyName: each[0]?.keyName ?? "",
        ...sumOutcomes(each),
      }),
    )
    .toSorted((one, other) => callsOf(other) - callsOf(one))
    .slice(0, keysMax)

export type ErrorRise = Readonly<{ range: DayRange; rate: number; rateBefore: number }>

/** The last days, which are compared with the week before them. One day alone may have just begun. */
const riseDays = 2
export const riseComparedDays = riseDays + 7
const riseErrorsMin = 20
const riseFactorMin = 1.5

/** Returns null if the error rate of the last days is not clearly above that of the week before. */
export function findErrorRise(days: readonly UsageDay[]): ErrorRise | null {
  const recent = days.slice(-riseDays)
  const [from, to] = [recent[0]?.day, recent.at(-1)?.day]
  const now = sumOfCalls(recent)
  const before = sumOfCalls(days.slice(-riseComparedDays, -riseDays))
  if (from === undefined || to === undefined || errorsOf(now) < riseErrorsMin) return null
  const rate = errorsOf(now) / callsOf(now)
  const rateBefore = callsOf(before) === 0 ? 0 : errorsOf(before) / callsOf(before)
  return rate < rateBefore * riseFactorMin ? null : { range: { from, to }, rate, rateBefore }
}
