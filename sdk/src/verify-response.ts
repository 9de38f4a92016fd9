import { foldCode } from "./normalize.ts"
import {
  type SignedRequest,
  type SignedResponse,
  type SigningTimes,
  verifySignature,
} from "./signature.ts"
import type { TrustedKeys } from "./trusted-keys.ts"
import { parseVerdict, type Verdict } from "./verdict.ts"

export type VerificationOptions = Readonly<{
  /** Null without pinned keys: responses are accepted without a signature then. */
  trusted: TrustedKeys | null
  /** Accepted item ids; null for all. */
  items: readonly number[] | null
  key: string
  /** The normalized site, which requests contain, and the site of the options, which version 0.13 sent. */
  sites: readonly [string, string]
}>

/** A response with the parameters of its request, so its signature can be verified again at any time. */
export type StoredResponse = SignedResponse &
  Omit<SignedRequest, "key"> &
  Readonly<{
    /** The validation key of the request. Other kinds of keys are not stored. */
    key?: string
    /** When an unsigned response arrived. */
    receivedAtMs?: number
  }>

export type VerifiedResponse = SigningTimes & Readonly<{ verdict: Verdict }>

/** Rejects whitespace: line feeds separate the fields of the signed text, and one inside the key would shift them. */
export const isValidationKey = (key: string) => /^pzr_vk_\S+$/.test(key)

/** Returns an error code unless the response is trusted and for this code, site and item. Never rejects. */
export async function verifyResponse(
  { trusted, items, key: ownKey, sites }: VerificationOptions,
  response: StoredResponse,
  code: string,
): Promise<VerifiedResponse | string> {
  const verdict = parseVerdict(response, items)
  if (verdict === null) return "invalid_response"
  const { key = ownKey, site } = response
  const isCode = foldCode(response.code) === code && !response.code.includes("\n")
  if (!isCode || !sites.includes(site)) return "forged"
  if (trusted === null) {
    const createdAtMs = response.receivedAtMs ?? 0
    return { verdict, createdAtMs, expiresAtMs: Infinity, endsAtMs: Infinity }
  }
  // Responses to an earlier validation key stay valid after an update: `items` prevents codes of other authors.
  if (key !== ownKey && (items === null || !isValidationKey(key))) return "forged"
  const tag = isTestKey(ownKey) ? "pazar-test" : "pazar-validation"
  try {
    const request = { key, code: response.code, site }
    const times = await verifySignature(response, request, { tag, trusted })
    return typeof times === "string" ? times : { verdict, ...times }
  } catch {
    return "cannot_verify"
  }
}

export const isTestKey = (key: string) => key.startsWith("pzr_tk_")
