import { encodeBase64Url } from "./base64.ts"
import { isObject } from "./json.ts"
import { foldCode } from "./normalize.ts"
import type { LiveResponse } from "./policy.ts"
import {
  type HttpResponse,
  parseErrorCode,
  parseRetryAfter,
  type RequestOptions,
  requestVerdict,
  type Send,
} from "./request.ts"
import { type Download, type Release, type UnknownResult, unknownResult } from "./result.ts"
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
  /** Never rejects. */
  download(code: string): Promise<Download>
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

  async function download(send: Send, baseUrl: string, code: string): Promise<Download> {
    const form = { api_key: key, purchase_code: code, ...(site && { site }) }
    const httpResponse = await send("/api/purchases/download", post(form))
    const { data } = httpResponse.json ?? {}
    const url = isObject(data) && typeof data.url === "string" ? data.url : ""
    const result = parseRelease(httpResponse, "ready")
    return result.state === "ready" && url === ""
      ? { ...unknownResult("invalid_response"), url }
      : { ...result, url: url.startsWith("/") ? baseUrl + url : url }
  }

  return {
    validate: (code) => requestVerdict(options, (send) => validate(send, code)),
    release: (fields) =>
      requestVerdict(options, async (send) =>
        parseRelease(
          await send("/api/purchases/release", post({ api_key: key, ...fields })),
          "released",
        ),
      ),
    download: async (code) => ({
      url: "",
      ...(await requestVerdict(options, (send, baseUrl) => download(send, baseUrl, code))),
    }),
  }
}

/** Reads a response that cannot activate a product, so it is not signed. `done` is the state after a 200. */
function parseRelease<Done extends string>(httpResponse: HttpResponse, done: Done): Release<Done> {
  const { status, headers, json } = httpResponse
  const reason = headers.get("pazar-reason") ?? ""
  if (json !== null && status === 200 && reason === "ok") {
    return { state: done, reason: "", retryAfter: 0 }
  }
  if (json !== null && status === 404 && (isInvalidReason(reason) || reason === "no_download")) {
    return { state: "absent", reason, retryAfter: 0 }
  }
  return unknownResult(parseErrorCode(httpResponse), parseRetryAfter(httpResponse))
}

const post = (form: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(form) })

export const createNonce = () => encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)))
