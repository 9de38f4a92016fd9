import { encodeBase64Url } from "./base64.ts"
import { foldCode } from "./normalize.ts"
import type { LiveResponse } from "./policy.ts"
import {
  parseErrorCode,
  parseRetryAfter,
  type RequestOptions,
  requestVerdict,
  type Send,
} from "./request.ts"
import { type Release, type UnknownResult, unknownResult } from "./result.ts"
import { isInvalidReason } from "./verdict.ts"
import {
  isValidationKey,
  type StoredResponse,
  type VerificationOptions,
  verifyResponse,
} from "./verify-response.ts"

export type ServerClient = Readonly<{
  /** Takes a normalized code. Never rejects. */
  validate(code: string): Promise<LiveResponse | UnknownResult>
  /** Never rejects. */
  release(fields: Readonly<Record<string, string>>): Promise<Release>
}>

export function createServerClient(
  verification: VerificationOptions,
  options: RequestOptions & Readonly<{ now: () => number }>,
): ServerClient {
  const { trusted, key } = verification
  const [site] = verification.sites

  async function validate(send: Send, code: string): Promise<LiveResponse | UnknownResult> {
    const nonce = createNonce()
    // Browsers send a form without a CORS preflight, but not a request with an API key header.
    const form = {
      api_key: key,
      purchase_code: code,
      ...(site && { site }),
      ...(trusted && { nonce }),
    }
    const httpResponse = await send("/api/purchases/validation", post(form))
    const { status, body, headers } = httpResponse
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
    let verified = await verifyResponse(verification, response, foldCode(code))
    if (verified === "unknown_signer") {
      const keySet = await send("/.well-known/pazar-keys.json")
      await trusted?.addEndorsed(keySet.json?.keys)
      verified = await verifyResponse(verification, response, foldCode(code))
    }
    if (verified === "invalid_response")
      return unknownResult(parseErrorCode(httpResponse), parseRetryAfter(httpResponse))
    if (typeof verified === "string") return unknownResult(verified)
    return { state: verified.verdict.state, ...verified, response }
  }

  /** The response is not signed, because it cannot activate a product. */
  async function release(send: Send, fields: Readonly<Record<string, string>>): Promise<Release> {
    const httpResponse = await send("/api/purchases/release", post({ api_key: key, ...fields }))
    const { status, headers, json } = httpResponse
    const reason = headers.get("pazar-reason") ?? ""
    if (json !== null && status === 200 && reason === "ok") {
      return { state: "released", reason: "", retryAfter: 0 }
    }
    if (json !== null && status === 404 && isInvalidReason(reason)) {
      return { state: "absent", reason, retryAfter: 0 }
    }
    return unknownResult(parseErrorCode(httpResponse), parseRetryAfter(httpResponse))
  }

  return {
    validate: (code) => requestVerdict(options, (send) => validate(send, code)),
    release: (fields) => requestVerdict(options, (send) => release(send, fields)),
  }
}

const post = (form: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(form) })

export const createNonce = () => encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)))
