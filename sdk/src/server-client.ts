/** The two requests of a product: a validation, and the release of a slot. */
import { encodeBase64Url } from "./base64.ts"
import { foldCode } from "./normalize.ts"
import type { LiveResponse } from "./policy.ts"
import {
  errorCodeOf,
  type RequestOptions,
  requestVerdict,
  retryAfterOf,
  type Send,
} from "./request.ts"
import { type Release, type Unknown, unknown } from "./result.ts"
import { isInvalidReason } from "./verdict.ts"
import {
  isValidationKey,
  type StoredResponse,
  type VerificationOptions,
  verifyResponse,
} from "./verify-response.ts"

export type ServerClient = Readonly<{
  /** `code` is in normal form. Never rejects. */
  validate(code: string): Promise<LiveResponse | Unknown>
  /** Never rejects. */
  release(fields: Readonly<Record<string, string>>): Promise<Release>
}>

export function createServerClient(
  terms: VerificationOptions,
  options: RequestOptions & Readonly<{ now: () => number }>,
): ServerClient {
  const { trusted, key } = terms
  const [site] = terms.sites

  async function validate(send: Send, code: string): Promise<LiveResponse | Unknown> {
    const nonce = createNonce()
    // A form with the key in it: a browser sends such a request without a CORS preflight.
    const form = {
      api_key: key,
      purchase_code: code,
      ...(site && { site }),
      ...(trusted && { nonce }),
    }
    const reply = await send("/api/purchases/validation", post(form))
    const { status, body, headers } = reply
    const response: StoredResponse = {
      status,
      body,
      code,
      site,
      nonce,
      reason: headers.get("pazar-reason") ?? "",
      signatureInput: headers.get("signature-input") ?? "",
      signature: headers.get("signature") ?? "",
      ...(isValidationKey(key) && { key }),
      ...(trusted === null && { receivedAtMs: options.now() }),
    }
    let proof = await verifyResponse(terms, response, foldCode(code))
    if (proof === "unknown_signer") {
      const keySet = await send("/.well-known/pazar-keys.json")
      await trusted?.addEndorsed(keySet.json?.keys)
      proof = await verifyResponse(terms, response, foldCode(code))
    }
    if (proof === "invalid_response") return unknown(errorCodeOf(reply), retryAfterOf(reply))
    if (typeof proof === "string") return unknown(proof)
    return { state: proof.verdict.state, ...proof, response }
  }

  /** The response is not signed: it unlocks nothing. */
  async function release(send: Send, fields: Readonly<Record<string, string>>): Promise<Release> {
    const reply = await send("/api/purchases/release", post({ api_key: key, ...fields }))
    const { status, headers, json } = reply
    const reason = headers.get("pazar-reason") ?? ""
    if (json !== null && status === 200 && reason === "ok") {
      return { state: "released", reason: "", retryAfter: 0 }
    }
    if (json !== null && status === 404 && isInvalidReason(reason)) {
      return { state: "absent", reason, retryAfter: 0 }
    }
    return unknown(errorCodeOf(reply), retryAfterOf(reply))
  }

  return {
    validate: (code) => requestVerdict(options, (send) => validate(send, code)),
    release: (fields) => requestVerdict(options, (send) => release(send, fields)),
  }
}

const post = (form: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(form) })

export const createNonce = () => encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)))
