/** The outcome of a request, as all pages count it. */
import type { Failure, Reason } from "../values/error.ts"

/** An invalid code is an expected result, not an error. Client errors are other 4xx responses, server errors are 5xx. */
export const outcomeKinds = ["ok", "invalidCodes", "clientErrors", "serverErrors"] as const
export type OutcomeKind = (typeof outcomeKinds)[number]
export type FailureKind = Exclude<OutcomeKind, "ok">

const codeReasons: readonly Reason[] = [
  "unknown_code",
  "revoked_code",
  "expired_code",
  "site_limit",
]

export function failureKindOf(reason: Failure): FailureKind {
  if (codeReasons.includes(reason)) return "invalidCodes"
  return reason === "unavailable" ? "serverErrors" : "clientErrors"
}

const kindOf = (outcome: Reason): OutcomeKind => (outcome === "ok" ? "ok" : failureKindOf(outcome))

export type OutcomeCalls = Readonly<Record<OutcomeKind, number>>

export const noCalls: OutcomeCalls = { ok: 0, invalidCodes: 0, clientErrors: 0, serverErrors: 0 }

export const callsOf = (calls: OutcomeCalls) =>
  outcomeKinds.reduce((sum, kind) => sum + calls[kind], 0)

export const errorsOf = ({ clientErrors, serverErrors }: OutcomeCalls) =>
  clientErrors + serverErrors

export type Outcome = Readonly<{ outcome: Reason; calls: number }>

export function sumOutcomes(outcomes: readonly Outcome[]): OutcomeCalls {
  const sums = { ...noCalls }
  for (const { outcome, calls } of outcomes) sums[kindOf(outcome)] += calls
  return sums
}

export function sumOfCalls(all: readonly OutcomeCalls[]): OutcomeCalls {
  const sums = { ...noCalls }
  for (const kind of outcomeKinds) sums[kind] = all.reduce((sum, each) => sum + each[kind], 0)
  return sums
}
