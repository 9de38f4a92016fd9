/**
 * The question a product asks on every start: from the store while the last answer is fresh, from the
 * server otherwise, and from the stored answer while the server cannot be asked.
 */

import { cleanCode } from "./blank.ts"
import { findJson, isObject } from "./json.ts"
import {
  type Invalid,
  isRefusal,
  isUnknownReason,
  type Outcome,
  type Receipt,
  type Store,
  type Unknown,
  type Valid,
} from "./outcome.ts"
import { judgeReceipt, type Terms } from "./receipt.ts"
import { siteOf, type Validate, type ValidateCall } from "./validate.ts"
import { readVerdict, unknown } from "./verdict.ts"

/** Options of a single `check`. */
export type CheckCall = ValidateCall &
  Readonly<{
    /** How long an answer is used without asking again: 1 day. */
    ttlMs?: number
    /** The least time between two questions while there is no answer: 1 hour. */
    retryMs?: number
    /** How long a stored answer holds while the server cannot be asked: 14 days, and never past its own end. */
    graceDays?: number
  }>

const hourMs = 3_600_000
export const dayMs = 24 * hourMs
export const graceDaysDefault = 14

/** The stored text. All of it is untrusted: the user of a product can write whatever they like. */
type Stored = Readonly<{
  code: string
  site: string | null
  /** When this was written, on the local clock. */
  seenAtMs: number
  /** When the kept answer came. */
  answeredAtMs: number
  /** No question before this moment. */
  nextAskAtMs: number
  /** When an unsigned "no" came that waits for a second one; 0 if none did. */
  refusedAtMs: number
  /** Why the last question was not answered; null while it is being asked. */
  failure: Unknown["reason"] | null
  /** With pinned keys: the last "yes". */
  receipt?: Receipt
  /** Without pinned keys: the body of the last "yes". */
  body?: string
  /** The last "no". */
  refusal?: Invalid["reason"]
  /** The record of another code with a "yes": kept until this code has one, so that a typing error loses nothing. */
  earlier?: Readonly<Record<string, unknown>>
}>

export type CheckOptions = Readonly<{
  validate: Validate
  timeoutMs: number
  now: () => number
}>

export type Check = (code: string, store: Store, call: CheckCall) => Promise<Outcome>

export function createCheck(options: CheckOptions, terms: Terms): Check {
  const { validate, timeoutMs, now } = options

  /** The outcome that the stored answer gives now; null if there is none to trust. */
  async function judgeStored(stored: Stored, graceMs: number): Promise<Outcome | null> {
    const { receipt, body, refusal, seenAtMs, answeredAtMs } = stored
    if (refusal !== undefined) return { state: "invalid", reason: refusal }
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
    if (stored.failure !== null) return unknown(stored.failure, { retryAfterMs: waitMs })
    // Another process is asking for the first time.
    return unknown("unreachable", { retryAfterMs: Math.min(waitMs, timeoutMs) })
  }

  async function checkOnce(typed: string, store: Store, call: CheckCall): Promise<Outcome> {
    const { ttlMs = dayMs, retryMs = hourMs, graceDays = graceDaysDefault } = call
    const code = cleanCode(typed)
    const site = siteOf(call)
    const nowMs = now()
    const found = readStored(await readText(store), code, site)
    const stored = continueAt(found, nowMs)
    const kept = await judgeStored(stored, graceDays * dayMs)
    // Negative if the clock was set back behind the answer: then the server is asked.
    const ageMs = nowMs - found.answeredAtMs
    const known = answerFromStore(stored, kept, { ageMs, ttlMs, retryMs })
    if (known !== null) return known

    // Before asking, so that calls in other processes do not ask as well.
    await writeText(store, { ...stored, failure: null, nextAskAtMs: nowMs + retryMs })
    const live = await validate(code, call)
    const liveAtMs = now()
    const nextAskAtMs = call.signal?.aborted ? 0 : liveAtMs + retryMs
    const later = { ...stored, seenAtMs: Math.max(liveAtMs, stored.seenAtMs), nextAskAtMs }
    if (live.state === "unknown") {
      await writeText(store, { ...later, failure: live.reason })
      if (kept === null) return { ...live, retryAfterMs: retryMs }
      return kept.state === "unknown" ? { ...live, ...kept, retryAfterMs: retryMs } : kept
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
    const { earlier } = stored
    const other = live.state === "invalid" && earlier !== undefined && { earlier }
    await writeText(store, { code, site, ...times, failure: null, ...answerOf(live), ...other })
    return live
  }

  /** Calls for the same store take turns: the second finds the answer of the first. */
  const turns = new WeakMap<Store, Promise<unknown>>()
  return (code, store, call) => {
    // In JavaScript it may be missing: then every call asks.
    if (!isObject(store)) return checkOnce(code, store, call)
    const turn = (turns.get(store) ?? Promise.resolve()).then(() => checkOnce(code, store, call))
    turns.set(
      store,
      turn.catch(() => {}),
    )
    return turn
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

/** A store that fails is like an empty one: no buyer is locked out because a disk is full. */
async function readText(store: Store): Promise<string> {
  try {
    return (await store.get()) ?? ""
  } catch {
    return ""
  }
}

async function writeText(store: Store, stored: Stored): Promise<void> {
  try {
    await store.set(JSON.stringify(stored))
  } catch {
    // The next call asks the server again.
  }
}

/** The record of this code and site. Anything that cannot be read counts as absent. */
function readStored(text: string, code: string, site: string | null): Stored {
  const given = findJson(text)
  const records = isObject(given) ? [given, given.earlier].filter(isObject) : []
  const isOurs = (record: (typeof records)[number]) =>
    record.code === code && (record.site ?? null) === site
  const stored = records.find(isOurs) ?? {}
  const other = records.find((record) => !isOurs(record) && (record.receipt ?? record.body))
  const { seenAtMs, answeredAtMs, nextAskAtMs, refusedAtMs } = stored
  const { failure, receipt, body, refusal } = stored
  return {
    code,
    site,
    seenAtMs: momentOf(seenAtMs),
    answeredAtMs: momentOf(answeredAtMs),
    nextAskAtMs: momentOf(nextAskAtMs),
    refusedAtMs: momentOf(refusedAtMs),
    failure: isUnknownReason(failure) ? failure : null,
    // Its signature is verified before anything in it is used.
    ...(isObject(receipt) && { receipt: receipt as Receipt }),
    ...(typeof body === "string" && { body }),
    ...(isRefusal(refusal) && { refusal }),
    ...(other && { earlier: { ...other, earlier: undefined } }),
  }
}

const momentOf = (value: unknown) => (Number.isFinite(value) ? Number(value) : 0)
