/**
 * The question a product asks on every start: from the store while the last answer is fresh, from the
 * server otherwise, and from the stored answer while the server cannot be asked.
 */

import { cleanCode } from "./blank.ts"
import type { Invalid, Outcome, Store, Valid } from "./outcome.ts"
import { judgeReceipt, type Terms } from "./receipt.ts"
import { readStored, readText, type Stored, type TakeTurn, writeText } from "./record.ts"
import { siteOf, type Validate, type ValidateCall } from "./validate.ts"
import { readVerdict, unknown } from "./verdict.ts"

/** Options of a single `check`. */
export type CheckCall = ValidateCall &
  Readonly<{
    /** How long a "yes" is used without asking again: 1 day. */
    ttlMs?: number
    /** The least time between two questions after a "no", or while there is no answer: 1 hour. */
    retryMs?: number
    /** How long a stored "yes" holds while the server cannot be asked: 14 days, and never past its own end. */
    graceDays?: number
  }>

const hourMs = 3_600_000
export const dayMs = 24 * hourMs
export const graceDaysDefault = 14

export type CheckOptions = Readonly<{
  validate: Validate
  takeTurn: TakeTurn
  timeoutMs: number
  now: () => number
}>

export type Check = (code: string, store: Store, call: CheckCall) => Promise<Outcome>

export function createCheck(options: CheckOptions, terms: Terms): Check {
  const { validate, takeTurn, timeoutMs, now } = options

  /** The outcome that the stored answer gives now; null if there is none to trust. */
  async function judgeStored(stored: Stored, graceMs: number): Promise<Outcome | null> {
    const { receipt, body, refusal, isSigned, seenAtMs, answeredAtMs } = stored
    if (refusal !== undefined && (isSigned || terms.trusted === null)) {
      return { state: "invalid", reason: refusal }
    }
    if (terms.trusted !== null) {
      if (receipt === undefined) return null
      const outcome = await judgeReceipt(terms, receipt, stored, { atMs: seenAtMs, graceMs })
      return outcome.state === "unknown" && outcome.reason !== "receipt_expired" ? null : outcome
    }
    if (body === undefined) return null
    if (seenAtMs >= answeredAtMs + graceMs) return unknown("receipt_expired")
    const verdict = readVerdict({ status: 200, reason: "ok", body }, terms.items)
    return verdict?.state === "valid" ? { ...verdict, source: "receipt" } : verdict
  }

  /** The outcome without a question; null if it is time to ask. */
  function answerFromStore(
    stored: Stored,
    kept: Outcome | null,
    { ageMs, ttlMs, retryMs }: Readonly<{ ageMs: number; ttlMs: number; retryMs: number }>,
  ): Outcome | null {
    const isFresh = (freshMs: number) => ageMs >= 0 && ageMs < freshMs
    if (kept?.state === "valid" && isFresh(ttlMs)) return { ...kept, source: "cache" }
    if (kept?.state === "invalid" && isFresh(retryMs)) return kept
    const waitMs = stored.nextAskAtMs - stored.seenAtMs
    // A longer wait was written under another clock.
    if (waitMs <= 0 || waitMs > retryMs) return null
    if (kept !== null) return kept.state === "unknown" ? { ...kept, retryAfterMs: waitMs } : kept
    // Without a failure, another process is asking for the first time.
    return unknown(stored.failure ?? "unreachable", { retryAfterMs: waitMs })
  }

  async function checkOnce(
    typed: string,
    store: Store,
    call: CheckCall,
    leftMs: number,
  ): Promise<Outcome> {
    const { ttlMs = dayMs, retryMs = hourMs, graceDays = graceDaysDefault } = call
    const code = cleanCode(typed)
    const site = siteOf(call)
    const nowMs = now()
    const found = readStored(await readText(store), code, site)
    const stored = continueAt(found, nowMs)
    // Rejects where there is no Ed25519: then no signed answer counts.
    await terms.trusted?.follow(found.endorsedKeys).catch(() => {})
    const kept = await judgeStored(stored, graceDays * dayMs)
    // Negative if the clock was set back behind the answer: then the server is asked.
    const ageMs = nowMs - found.answeredAtMs
    const known = answerFromStore(stored, kept, { ageMs, ttlMs, retryMs })
    if (known !== null) return known

    // Before asking, so that calls in other processes do not ask as well. If this one is killed, they wait only so long.
    const askingMs = Math.min(call.timeoutMs ?? timeoutMs, retryMs)
    await writeText(store, { ...stored, failure: null, nextAskAtMs: nowMs + askingMs })
    const live = await validate(code, { ...call, timeoutMs: leftMs })
    const liveAtMs = now()
    // It waited for another call, so it had less time than the limit: the server may be well.
    const hadLessTime = leftMs < (call.timeoutMs ?? timeoutMs)
    const isCutShort = hadLessTime && live.state === "unknown" && live.reason === "timeout"
    const retryAfterMs = call.signal?.aborted || isCutShort ? 0 : retryMs
    const nextAskAtMs = liveAtMs + retryAfterMs
    const later = { ...stored, seenAtMs: Math.max(liveAtMs, stored.seenAtMs), nextAskAtMs }
    if (live.state === "unknown") {
      // Another process may have had an answer meanwhile, which a failure must not overwrite.
      const { answeredAtMs, earlier, nonce } = readStored(await readText(store), code, site)
      if (answeredAtMs === stored.answeredAtMs) {
        await writeText(store, { ...later, earlier, nonce, failure: live.reason })
      }
      if (kept === null) return { ...live, retryAfterMs }
      return kept.state === "unknown" ? { ...live, ...kept, retryAfterMs } : kept
    }
    if (live.state === "invalid" && terms.trusted === null && kept?.state === "valid") {
      // Anybody on the way can say "no" once: only a second one, later, ends a "yes".
      const refusedAtMs = Math.min(stored.refusedAtMs || liveAtMs, liveAtMs)
      if (liveAtMs - refusedAtMs < retryMs) {
        await writeText(store, { ...later, refusedAtMs, failure: null })
        return kept
      }
    }
    const times = { seenAtMs: liveAtMs, answeredAtMs: liveAtMs, nextAskAtMs: 0, refusedAtMs: 0 }
    const { earlier, nonce } = stored
    const other = live.state === "invalid" && { earlier, nonce }
    const endorsedKeys = terms.trusted?.listFollowed()
    const isSigned = terms.trusted !== null
    const answered = { code, site, ...times, failure: null, isSigned, endorsedKeys }
    await writeText(store, { ...answered, ...answerOf(live), ...other })
    return live
  }

  return (code, store, call) => {
    const limitMs = call.timeoutMs ?? timeoutMs
    const endsAt = performance.now() + limitMs
    // The wait for a turn counts: of many calls during an outage, none waits for the time limits of the others.
    return takeTurn(store, (hasWaited) =>
      checkOnce(code, store, call, hasWaited ? Math.max(1, endsAt - performance.now()) : limitMs),
    )
  }
}

/** If the clock was set back, the answer keeps its age and grows older from there. */
function continueAt(found: Stored, nowMs: number): Stored {
  const backMs = found.seenAtMs - nowMs
  if (backMs <= 0) return { ...found, seenAtMs: nowMs }
  const { receipt } = found
  return {
    ...found,
    seenAtMs: nowMs,
    answeredAtMs: found.answeredAtMs - backMs,
    ...(receipt && { receipt: { ...receipt, clockOffsetMs: receipt.clockOffsetMs + backMs } }),
  }
}

function answerOf(live: Valid | Invalid): Pick<Stored, "receipt" | "body" | "refusal"> {
  if (live.state === "invalid") return { refusal: live.reason }
  const { receipt, purchase } = live
  return receipt ? { receipt } : { body: JSON.stringify({ data: { purchase } }) }
}
