/** One live question about a purchase code, and giving up its place on a site. */
import { encodeBase64Url } from "./base64.ts"
import { cleanCode, trimBlank } from "./blank.ts"
import type { Call } from "./deadline.ts"
import { findJson, isObject } from "./json.ts"
import {
  isWorthAskingElsewhere,
  type Outcome,
  type Receipt,
  type Release,
  type Unknown,
} from "./outcome.ts"
import type { Terms } from "./receipt.ts"
import {
  type Expected,
  isValidationKey,
  type Question,
  type SignedAnswer,
  verifySignature,
} from "./signature.ts"
import {
  type Answer,
  type Exchange,
  failureOf,
  requestIdOf,
  retryAfterMsOf,
  type Send,
} from "./transport.ts"
import type { TrustedKeys } from "./trusted-keys.ts"
import { readVerdict, unknown } from "./verdict.ts"

export type ValidateOptions = Readonly<{
  exchange: Exchange
  parameters: Readonly<Record<string, string>>
  now: () => number
}>

/** Options of a single `validate`. */
export type ValidateCall = Call &
  Readonly<{
    /** Where the product runs, such as the address of a shop. The answer counts for this site only. */
    site?: string
  }>

export type Validate = (code: string, call: ValidateCall) => Promise<Outcome>

export function createValidate(options: ValidateOptions, terms: Terms): Validate {
  const { exchange, parameters, now } = options
  const { trusted, items, tag } = terms

  async function ask(send: Send, question: Question): Promise<Outcome> {
    const { key, code, site } = question
    const nonce = createNonce()
    // A form with the key in it: a browser sends such a request without a CORS preflight.
    const body = new URLSearchParams({
      ...parameters,
      api_key: key,
      purchase_code: code,
      ...(site !== null && { site }),
      ...(trusted && { nonce }),
    })
    const answer = await send("/api/purchases/validation", { method: "POST", body })
    const outcome = await judge(send, answer, { question, nonce, tag })
    const requestId = requestIdOf(answer)
    return requestId === undefined ? outcome : { ...outcome, requestId }
  }

  async function judge(send: Send, answer: Answer, expected: Expected): Promise<Outcome> {
    const { status, headers, body } = answer
    const reason = headers.get("pazar-reason") ?? ""
    const verdict = readVerdict({ status, reason, body }, items)
    if (verdict === null) {
      return unknown(failureOf(answer), { retryAfterMs: retryAfterMsOf(answer) })
    }
    if (trusted === null) return verdict
    const signatureInput = headers.get("signature-input")
    const signature = headers.get("signature")
    if (signatureInput === null || signature === null) return unknown("unsigned")
    const signed = { status, body, reason, nonce: expected.nonce, signatureInput, signature }
    const receipt = await verifyLive(send, trusted, signed, expected)
    if ("state" in receipt) return receipt
    return verdict.state === "valid" ? { ...verdict, receipt } : verdict
  }

  /** The nonce alone proves that the answer is new; no clock is compared. */
  async function verifyLive(
    send: Send,
    keys: TrustedKeys,
    signed: SignedAnswer,
    expected: Expected,
  ): Promise<Receipt | Unknown> {
    const { key, site } = expected.question
    try {
      let found = await verifySignature(signed, expected, keys)
      if (found === "unknown_signer") {
        const keySet = await readKeySet(send)
        if (keySet instanceof Error) return unknown(found, { cause: keySet })
        await keys.follow(keySet)
        found = await verifySignature(signed, expected, keys)
      }
      if (typeof found === "string") return unknown(found)
      const endorsedKeys = keys.endorsementsOf(found.kid)
      const clockOffsetMs = found.createdAtMs - now()
      return {
        ...signed,
        ...(isValidationKey(key) && { key }),
        ...(site !== null && { site }),
        clockOffsetMs,
        ...(endorsedKeys && { endorsedKeys }),
      }
    } catch (cause) {
      // There is no Ed25519 here.
      return unknown("unsigned", { cause })
    }
  }

  return (typed, call) => {
    const question = { key: terms.key, code: cleanCode(typed), site: siteOf(call) }
    return exchange<Outcome>(call, { ...ends, work: (send) => ask(send, question) })
  }
}

/** How the search for a server that answers a question about a code ends. */
const ends = {
  fail: (reason: "timeout" | "unreachable", cause: unknown): Unknown => unknown(reason, { cause }),
  isAnswer: (outcome: Outcome | Release) =>
    outcome.state !== "unknown" || !isWorthAskingElsewhere(outcome.reason),
}

/** Gives the place of a site up. The answer is not signed: it unlocks nothing. */
export const createRelease =
  ({ exchange, parameters }: ValidateOptions, key: string) =>
  (code: string, call: ValidateCall): Promise<Release> => {
    const form = { ...parameters, api_key: key, purchase_code: cleanCode(code) }
    const body = new URLSearchParams({ ...form, site: siteOf(call) ?? "" })
    return exchange<Release>(call, {
      ...ends,
      async work(send) {
        const answer = await send("/api/purchases/release", { method: "POST", body })
        const requestId = requestIdOf(answer)
        const reason = answer.headers.get("pazar-reason")
        const details = requestId === undefined ? {} : { requestId }
        if (answer.status === 200 && reason === "ok") return { state: "released", ...details }
        const isNone = reason === "unknown_code" || reason === "revoked_code"
        if (answer.status === 404 && isNone) return { state: "absent", ...details }
        const retryAfterMs = retryAfterMsOf(answer)
        return { ...unknown(failureOf(answer), { retryAfterMs }), ...details }
      },
    })
  }

export const createNonce = () => encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)))

/** As the server does, a blank site counts as none. */
export const siteOf = ({ site }: Pick<ValidateCall, "site">) => trimBlank(site ?? "") || null

async function readKeySet(send: Send): Promise<unknown> {
  try {
    const keySet = findJson((await send("/.well-known/pazar-keys.json")).body)
    return isObject(keySet) ? keySet.keys : null
  } catch (cause) {
    return new Error("the key set could not be read", { cause })
  }
}
