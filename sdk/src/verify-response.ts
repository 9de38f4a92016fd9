/** Whether a response counts, live or stored: what it says, and which signature proves it. */

import { foldCode } from "./normalize.ts"
import { type SignedRequest, type SignedResponse, verifySignature } from "./signature.ts"
import type { TrustedKeys } from "./trusted-keys.ts"
import { parseVerdict, type Verdict } from "./verdict.ts"

/** The conditions under which a response counts. */
export type VerificationOptions = Readonly<{
  /** Null without pinned keys: then responses count without a signature. */
  trusted: TrustedKeys | null
  /** Null: every item is accepted. */
  items: readonly number[] | null
  key: string
  /** The site as it is sent, and as the options name it, which is what version 0.13 sent. */
  sites: readonly [string, string]
}>

/** A response as the store keeps it, with the question as it was sent. */
export type StoredResponse = SignedResponse &
  Omit<SignedRequest, "key"> &
  Readonly<{
    /** The validation key of the request. No other kind of key is stored. */
    key?: string
    /** The time of a response that nobody signed. */
    receivedAtMs?: number
  }>

export type VerifiedResponse = Readonly<{
  verdict: Verdict
  createdAtMs: number
  expiresAtMs: number
}>

/** Without whitespace: a line feed would move a part of a field of the signed question into the next field. */
export const isValidationKey = (key: string) => /^pzr_vk_\S+$/.test(key)

/** Returns the error code of a response that does not count for this code. Never rejects. */
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
    return { verdict, createdAtMs: response.receivedAtMs ?? 0, expiresAtMs: Infinity }
  }
  // A product that gets a new key by an update keeps its responses: `items` tells whose purchase it is.
  if (key !== ownKey && (items === null || !isValidationKey(key))) return "forged"
  const tag = isTestKey(ownKey) ? "pazar-test" : "pazar-validation"
  try {
    const question = { key, code: response.code, site }
    const times = await verifySignature(response, question, { tag, trusted })
    return typeof times === "string" ? times : { verdict, ...times }
  } catch {
    return "cannot_verify"
  }
}

export const isTestKey = (key: string) => key.startsWith("pzr_tk_")
