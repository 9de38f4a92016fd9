/** One live question about a purchase code. */
import { encodeBase64Url } from "./base64.ts"
import { trimBlank } from "./blank.ts"
import type { Call } from "./deadline.ts"
import { findJson, isObject } from "./json.ts"
import type { Outcome, Receipt, Unknown } from "./outcome.ts"
import type { Terms } from "./receipt.ts"
import { type SignedAnswer, verifySignature } from "./signature.ts"
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
  key: string
  parameters: Readonly<Record<string, string>>
  now: () => number
}>

export type Validate = (code: string, call?: Call) => Promise<Outcome>

export function createValidate(options: ValidateOptions, terms: Terms): Validate {
  const { exchange, key, parameters, now } = options
  const { trusted, items, tag } = terms

  async function ask(send: Send, code: string): Promise<Outcome> {
    const nonce = encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)))
    const form = { ...parameters, api_key: key, purchase_code: code, ...(trusted && { nonce }) }
    // A form with the key in it: a browser sends such a request without a CORS preflight.
    const body = new URLSearchParams(form)
    const answer = await send("/api/purchases/validation", { method: "POST", body })
    const outcome = await judge(send, answer, { code, nonce })
    const requestId = requestIdOf(answer)
    return requestId === undefined ? outcome : { ...outcome, requestId }
  }

  async function judge(
    send: Send,
    answer: Answer,
    asked: Readonly<{ code: string; nonce: string }>,
  ): Promise<Outcome> {
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
    const signed = { status, body, reason, nonce: asked.nonce, signatureInput, signature }
    const receipt = await verifyLive(send, trusted, signed, asked.code)
    if ("state" in receipt) return receipt
    return verdict.state === "valid" ? { ...verdict, receipt } : verdict
  }

  /** The nonce alone proves that the answer is new; no clock is compared. */
  async function verifyLive(
    send: Send,
    keys: TrustedKeys,
    signed: SignedAnswer,
    code: string,
  ): Promise<Receipt | Unknown> {
    const expected = { code, nonce: signed.nonce, tag }
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
      return { ...signed, clockOffsetMs, ...(endorsedKeys && { endorsedKeys }) }
    } catch (cause) {
      // There is no Ed25519 here.
      return unknown("unsigned", { cause })
    }
  }

  return (typed, call = {}) =>
    exchange(
      call,
      (send) => ask(send, trimBlank(typed)),
      (reason, cause) => unknown(reason, { cause }),
    )
}

async function readKeySet(send: Send): Promise<unknown> {
  try {
    const keySet = findJson((await send("/.well-known/pazar-keys.json")).body)
    return isObject(keySet) ? keySet.keys : null
  } catch (cause) {
    return new Error("the key set could not be read", { cause })
  }
}
