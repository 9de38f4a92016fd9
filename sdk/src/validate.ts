/** One live question about a purchase code, and what its answer or a receipt comes to. */
import { encodeBase64Url } from "./base64.ts"
import type { Call } from "./deadline.ts"
import type { Invalid, Outcome, Receipt, Unknown, Valid } from "./outcome.ts"
import { trimCode } from "./purchase-code.ts"
import { type Expected, type SigningTimes, verifySignature } from "./signature.ts"
import {
  type Answer,
  type Exchange,
  failureOf,
  parseJson,
  requestIdOf,
  retryAfterMsOf,
  type Send,
} from "./transport.ts"
import { isObject, type TrustedKeys } from "./trusted-keys.ts"
import type { Purchase } from "./wire.ts"

export type ValidateOptions = Readonly<{
  exchange: Exchange
  key: string
  items: readonly number[] | null
  /** Null without pinned keys: then answers count without a signature. */
  trusted: TrustedKeys | null
  parameters: Readonly<Record<string, string>>
  now: () => number
}>

/** Where the server names no time. */
const retryAfterMsDefault = 60_000

export function createValidate(options: ValidateOptions) {
  const { exchange, key, items, trusted, parameters, now } = options

  async function ask(send: Send, code: string, nonce: string): Promise<Outcome> {
    const form = { ...parameters, api_key: key, purchase_code: code, ...(trusted && { nonce }) }
    // A form, and the key in it: a browser sends it without asking for permission first (CORS).
    const body = new URLSearchParams(form)
    const answer = await send("/api/purchases/validation", { method: "POST", body })
    const requestId = requestIdOf(answer)
    const tracing = requestId === undefined ? {} : { requestId }
    const verdict = readVerdict(answer.status, reasonOf(answer), answer.body, items)
    if (verdict === null) {
      return unknown(failureOf(answer), { retryAfterMs: retryAfterMsOf(answer), ...tracing })
    }
    if (trusted === null) return { ...verdict, ...tracing }
    const receipt = await verifyLive(send, trusted, answer, expectedOf(code, nonce))
    if ("state" in receipt) return { ...receipt, ...tracing }
    return verdict.state === "valid"
      ? { ...verdict, receipt, ...tracing }
      : { ...verdict, ...tracing }
  }

  const expectedOf = (code: string, nonce: string): Expected => ({
    code,
    nonce,
    tag: key.startsWith("pzr_tk_") ? "pazar-test" : "pazar-validation",
  })

  /** The nonce alone proves that the answer is new; clocks play no part. */
  async function verifyLive(
    send: Send,
    keys: TrustedKeys,
    answer: Answer,
    expected: Expected,
  ): Promise<Receipt | Unknown> {
    const { status, headers, body } = answer
    const signatureInput = headers.get("signature-input")
    const signature = headers.get("signature")
    if (signatureInput === null || signature === null) return unknown("unsigned")
    const { nonce } = expected
    const signed = { status, body, reason: reasonOf(answer), nonce, signatureInput, signature }
    try {
      let times = await verifySignature(signed, expected, keys)
      if (times === "unknown_signer") {
        const keySet = await readKeySet(send)
        if (keySet instanceof Error) return unknown(times, { cause: keySet })
        await keys.follow(keySet)
        times = await verifySignature(signed, expected, keys)
      }
      if (typeof times === "string") return unknown(times)
      const endorsedKeys = keys.endorsementsOf(times.kid)
      const clockOffsetMs = times.createdAtMs - now()
      return { ...signed, clockOffsetMs, ...(endorsedKeys && { endorsedKeys }) }
    } catch (cause) {
      return unknown("unsigned", { cause })
    }
  }

  return {
    validate: (typed: string, call: Call = {}): Promise<Outcome> => {
      const nonce = encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)))
      return exchange(call, (send) => ask(send, trimCode(typed), nonce), failed)
    },

    /** Judges a receipt as of `atMs` on the local clock. Anything but a receipt is `forged`. */
    async judgeReceipt(
      receipt: Receipt,
      typed: string,
      { atMs, graceMs }: Readonly<{ atMs: number; graceMs: number }>,
    ): Promise<Outcome> {
      if (trusted === null) return unknown("unsigned")
      try {
        await trusted.follow(receipt.endorsedKeys)
        const expected = expectedOf(trimCode(typed), receipt.nonce)
        const times = await verifySignature(receipt, expected, trusted)
        if (typeof times === "string") return unknown(times)
        const verdict = readVerdict(receipt.status, receipt.reason, receipt.body, items)
        if (verdict?.state !== "valid") return verdict ?? unknown("forged")
        if (atMs + receipt.clockOffsetMs < endOf(times, graceMs)) {
          return { ...verdict, source: "receipt", receipt }
        }
        return unknown("receipt_expired")
      } catch (cause) {
        return unknown(isObject(receipt) ? "unsigned" : "forged", { cause })
      }
    },
  }
}

async function readKeySet(send: Send): Promise<unknown> {
  try {
    const keySet = parseJson((await send("/.well-known/pazar-keys.json")).body)
    return isObject(keySet) ? keySet.keys : null
  } catch (cause) {
    return new Error("the key set could not be read", { cause })
  }
}

const failed = (reason: "timeout" | "unreachable", cause: unknown) => unknown(reason, { cause })

const endOf = ({ createdAtMs, expiresAtMs }: SigningTimes, graceMs: number) =>
  Math.min(expiresAtMs, createdAtMs + graceMs)

const reasonOf = ({ headers }: Answer) => headers.get("pazar-reason") ?? ""

export function unknown(
  reason: Unknown["reason"],
  details: Readonly<{
    retryAfterMs?: number | undefined
    cause?: unknown
    requestId?: string
  }> = {},
): Unknown {
  const { retryAfterMs = retryAfterMsDefault, ...rest } = details
  return { state: "unknown", reason, retryAfterMs, ...rest }
}

/** What a 200 or 404 of the validation says about the code; null for everything else. */
export function readVerdict(
  status: number,
  reason: string,
  body: string,
  items: readonly number[] | null,
): Valid | Invalid | null {
  if (status === 404 && (reason === "unknown_code" || reason === "revoked_code")) {
    return isObject(parseJson(body)) ? { state: "invalid", reason } : null
  }
  if (status !== 200 || reason !== "ok") return null
  const purchase = findPurchase(parseJson(body))
  if (purchase === null) return null
  const isAccepted = items === null || items.includes(purchase.item.id)
  return isAccepted
    ? { state: "valid", purchase, source: "server" }
    : { state: "invalid", reason: "other_item" }
}

function findPurchase(body: unknown): Purchase | null {
  const data = isObject(body) ? body.data : null
  const purchase = isObject(data) ? data.purchase : null
  return isPurchase(purchase) ? purchase : null
}

/** Looks at the item's id alone: the other members are the server's to decide, today and later. */
const isPurchase = (value: unknown): value is Purchase =>
  isObject(value) && isObject(value.item) && Number.isSafeInteger(value.item.id)
