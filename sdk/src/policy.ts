/** The policy of both clients: when a request is due, what each response changes, and what a record is worth now. */

import type { Result, Unknown } from "./result.ts"
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
/** How long a site that was active stays active at the site limit. */
const siteLimitGraceMs = 3 * dayMs

/** What a record is worth. */
export type Evaluation = Readonly<{
  state: Result["state"]
  reason: string
  isActive: boolean
  mayUpdate: boolean
  /** Of the last valid response, also after its grace period. */
  purchase: Purchase | null
  /** Now, on the server's clock. */
  atMs: number
  /** Of the last valid response. */
  ageMs: number
}>

/** A clock that was set back does not turn time back. */
const serverTime = ({ latestMs, offsetMs }: StoredRecord, nowMs: number) =>
  Math.max(latestMs, nowMs + offsetMs)

/** Verifies the signatures of the stored responses. Never rejects. */
export async function evaluateRecord(
  terms: VerificationOptions,
  record: StoredRecord,
  { nowMs, graceMs }: Readonly<{ nowMs: number; graceMs: number }>,
): Promise<Evaluation> {
  const proofOf = async (
    response: StoredResponse | undefined,
  ): Promise<VerifiedResponse | null> => {
    const proof = response === undefined ? "" : await verifyResponse(terms, response, record.code)
    return typeof proof === "string" ? null : proof
  }
  const [good, bad] = await Promise.all([proofOf(record.good), proofOf(record.bad)])
  const purchase = good?.verdict.purchase ?? null
  const atMs = serverTime(record, nowMs)
  const ageMs = atMs - (good?.createdAtMs ?? 0)
  const refusal = bad ?? good
  if (refusal?.verdict.state === "invalid") {
    const { reason } = refusal.verdict
    const isInGrace = reason === "site_limit" && atMs < refusal.createdAtMs + siteLimitGraceMs
    const isActive = purchase !== null && isInGrace
    return { state: "invalid", reason, isActive, mayUpdate: false, purchase, atMs, ageMs }
  }
  if (good === null) {
    const reason = record.failure || "not_checked"
    return { state: "unknown", reason, isActive: false, mayUpdate: false, purchase, atMs, ageMs }
  }
  const isValid = ageMs < graceMs && atMs < good.expiresAtMs
  const [state, reason] = isValid
    ? (["valid", ""] as const)
    : (["unknown", record.failure || "receipt_expired"] as const)
  return { state, reason, isActive: true, mayUpdate: true, purchase, atMs, ageMs }
}

/** The milliseconds until a request is due; 0 if it is due now. */
export function dueInMs(record: StoredRecord, judgment: Evaluation, nowMs: number): number {
  // A response that no longer counts, before its time: it was edited, or the clock was wrong.
  if (record.attempts === 0 && judgment.state !== "valid") return 0
  const waitMs = record.nextAtMs - nowMs
  const waitMsMax = judgment.isActive || judgment.state === "invalid" ? dayMs : hourMs
  // A longer wait was written under another clock.
  return waitMs > waitMsMax ? 0 : Math.max(0, waitMs)
}

/** Whether another process waits for a response. Under another clock a claim may seem longer than it can be. */
export const isClaimed = ({ claimedUntilMs }: StoredRecord, nowMs: number, timeoutMs: number) =>
  claimedUntilMs > nowMs && claimedUntilMs <= nowMs + timeoutMs

/** Before a request: other processes send none until it ends. */
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

/** A live response with a verdict that counts. */
export type LiveResponse = VerifiedResponse &
  Readonly<{ state: "valid" | "invalid"; response: StoredResponse }>

/** The record after a response. `before` is what it was worth until then. */
export function updateRecord(
  claimed: StoredRecord,
  before: Evaluation,
  live: LiveResponse | Unknown,
  { nowMs, isPinned }: Readonly<{ nowMs: number; isPinned: boolean }>,
): StoredRecord {
  const record = { ...claimed, claimedUntilMs: 0, failure: "" }
  const doubledMs = (attempts: number) => minuteMs * 2 ** Math.min(attempts - 1, 11)
  if (live.state === "unknown") {
    const retryAfterMs = live.retryAfter * 1000
    const waitMs = before.isActive
      ? Math.max(hourMs, Math.min(retryAfterMs, dayMs))
      : Math.min(hourMs, Math.max(retryAfterMs, doubledMs(record.attempts)))
    return { ...record, failure: live.reason, nextAtMs: nowMs + waitMs }
  }
  const { verdict, response, createdAtMs } = live
  const { good: _, bad: earlier, ...rest } = record
  const clock = { offsetMs: createdAtMs - nowMs, latestMs: createdAtMs }
  if (live.state === "valid") {
    const times = { ...clock, nextAtMs: nowMs + dayMs, attempts: 0, refusedAtMs: 0 }
    return { ...rest, ...times, good: response }
  }
  if (!isPinned && before.isActive && before.state !== "invalid") {
    // Anybody on the way can send one refusal: it counts if it is repeated an hour later.
    const refusedAtMs = Math.min(record.refusedAtMs || nowMs, nowMs)
    if (nowMs - refusedAtMs < hourMs) {
      return { ...record, refusedAtMs, nextAtMs: nowMs + hourMs }
    }
  }
  const attempts = before.state === "invalid" ? record.attempts : 1
  const isSiteLimit = verdict.reason === "site_limit"
  const isRepeated = isSiteLimit && before.reason === "site_limit"
  return {
    ...rest,
    ...clock,
    nextAtMs: nowMs + Math.min(dayMs, doubledMs(attempts)),
    attempts,
    refusedAtMs: 0,
    bad: isRepeated && earlier ? earlier : response,
    ...(isSiteLimit && record.good && { good: record.good }),
  }
}
