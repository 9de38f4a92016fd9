/** The validation policy: when a request is due, and how responses change a record. `clients/policy.json` has its test cases. */
import type { Result, UnknownResult } from "./result.ts"
import type { StoredRecord } from "./stored-record.ts"
import {
  type StoredResponse,
  type VerificationOptions,
  type VerifiedResponse,
  verifyResponse,
} from "./verify-response.ts"
import type { Purchase } from "./wire.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
/** An active site stays active for this time after its first `site_limit`. */
const siteLimitGraceMs = 3 * dayMs
/**
 * Until the next request, by the number of consecutive `invalid` responses. They are short because a shop may report a
 * sale some minutes after the payment.
 */
const firstPausesMs = [0, 30_000, 90_000, 480_000]

export type Evaluation = Readonly<{
  state: Result["state"]
  reason: string
  isActive: boolean
  mayUpdate: boolean
  /** From the last valid response, also after the grace period. */
  purchase: Purchase | null
  /** Current time on the server's clock. */
  atMs: number
  /** Age of the last valid response. */
  ageMs: number
}>

/** Never decreases, even if the local clock is set back. */
const serverTime = ({ latestMs, offsetMs }: StoredRecord, nowMs: number) =>
  Math.max(latestMs, nowMs + offsetMs)

/** Verifies the stored responses and returns their current meaning. Never rejects. */
export async function evaluateRecord(
  verification: VerificationOptions,
  record: StoredRecord,
  { nowMs, graceMs }: Readonly<{ nowMs: number; graceMs: number }>,
): Promise<Evaluation> {
  const verify = async (
    response: StoredResponse | undefined,
    state: "valid" | "invalid",
  ): Promise<VerifiedResponse | null> => {
    const verified =
      response === undefined ? "" : await verifyResponse(verification, response, record.code)
    return typeof verified === "string" || verified.verdict.state !== state ? null : verified
  }
  const [valid, invalid] = await Promise.all([
    verify(record.valid, "valid"),
    verify(record.invalid, "invalid"),
  ])
  const purchase = valid?.verdict.purchase ?? null
  const atMs = serverTime(record, nowMs)
  const ageMs = atMs - (valid?.createdAtMs ?? 0)
  if (invalid !== null) {
    const { reason } = invalid.verdict
    const isInGrace = reason === "site_limit" && atMs < invalid.createdAtMs + siteLimitGraceMs
    const isActive = purchase !== null && isInGrace
    return { state: "invalid", reason, isActive, mayUpdate: false, purchase, atMs, ageMs }
  }
  if (valid === null) {
    const reason = record.failure || "not_checked"
    return { state: "unknown", reason, isActive: false, mayUpdate: false, purchase, atMs, ageMs }
  }
  // Signed, so it counts without the server. A renewed purchase is valid again after the next response.
  if (atMs >= valid.endsAtMs) {
    const reason = "expired_code"
    return { state: "invalid", reason, isActive: false, mayUpdate: false, purchase, atMs, ageMs }
  }
  const isValid = ageMs < graceMs && atMs < valid.expiresAtMs
  const [state, reason] = isValid
    ? (["valid", ""] as const)
    : (["unknown", record.failure || "receipt_expired"] as const)
  return { state, reason, isActive: true, mayUpdate: true, purchase, atMs, ageMs }
}

/** Returns 0 if a request is due now. */
export function dueInMs(record: StoredRecord, evaluation: Evaluation, nowMs: number): number {
  // The stored response failed verification: it was edited, or the clock was wrong.
  if (record.attempts === 0 && evaluation.state !== "valid") return 0
  const waitMs = record.nextAtMs - nowMs
  const waitMsMax = evaluation.isActive || evaluation.state === "invalid" ? dayMs : hourMs
  // A longer wait was written under a wrong clock.
  return waitMs > waitMsMax ? 0 : Math.max(0, waitMs)
}

/** Whether another process is sending a request. A claim longer than the timeout was written under a wrong clock. */
export const isClaimed = ({ claimedUntilMs }: StoredRecord, nowMs: number, timeoutMs: number) =>
  claimedUntilMs > nowMs && claimedUntilMs <= nowMs + timeoutMs

export const claimRecord = (
  record: StoredRecord,
  nowMs: number,
  timeoutMs: number,
): StoredRecord => ({
  ...record,
  claimedUntilMs: nowMs + timeoutMs,
  attempts: record.attempts + 1,
  latestMs: serverTime(record, nowMs),
  offsetMs: serverTime(record, nowMs) - nowMs,
})

export type LiveResponse = VerifiedResponse &
  Readonly<{ state: "valid" | "invalid"; response: StoredResponse }>

/** Returns the record after a response. `before` is its evaluation before the request. */
export function updateRecord(
  claimed: StoredRecord,
  before: Evaluation,
  live: LiveResponse | UnknownResult,
  { nowMs, isPinned }: Readonly<{ nowMs: number; isPinned: boolean }>,
): StoredRecord {
  const record = { ...claimed, claimedUntilMs: 0, failure: "" }
  if (live.state === "unknown") {
    const retryAfterMs = live.retryAfter * 1000
    const waitMs = before.isActive
      ? Math.max(hourMs, Math.min(retryAfterMs, dayMs))
      : Math.min(hourMs, Math.max(retryAfterMs, minuteMs * 2 ** (record.attempts - 1)))
    return { ...record, failure: live.reason, nextAtMs: nowMs + waitMs }
  }
  const { verdict, response, createdAtMs } = live
  const { valid: _, invalid: firstInvalid, ...rest } = record
  const clock = { offsetMs: createdAtMs - nowMs, latestMs: createdAtMs }
  if (live.state === "valid") {
    const times = { ...clock, nextAtMs: nowMs + dayMs, attempts: 0, unconfirmedAtMs: 0 }
    return { ...rest, ...times, valid: response }
  }
  if (!isPinned && before.isActive && before.state !== "invalid") {
    // Anyone on the network path can forge an unsigned `invalid`, so it must be repeated an hour later.
    const unconfirmedAtMs = Math.min(record.unconfirmedAtMs || nowMs, nowMs)
    if (nowMs - unconfirmedAtMs < hourMs) {
      return { ...record, unconfirmedAtMs, nextAtMs: nowMs + hourMs }
    }
  }
  const attempts = before.state === "invalid" ? record.attempts : 1
  const isSiteLimit = verdict.reason === "site_limit"
  const isRepeated = isSiteLimit && before.reason === "site_limit"
  return {
    ...rest,
    ...clock,
    nextAtMs: nowMs + (firstPausesMs[attempts] ?? Math.min(dayMs, hourMs * 2 ** (attempts - 4))),
    attempts,
    unconfirmedAtMs: 0,
    invalid: isRepeated && firstInvalid ? firstInvalid : response,
    ...(isSiteLimit && record.valid && { valid: record.valid }),
  }
}
