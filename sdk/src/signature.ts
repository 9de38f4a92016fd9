/** Verifies HTTP message signatures of responses (RFC 9421, Ed25519). */
import { encodeBase64, hashText } from "./base64.ts"
import { type TrustedKeys, verifyText } from "./trusted-keys.ts"

export type SignedResponse = Readonly<{
  status: number
  body: string
  reason: string
  nonce: string
  /** The headers `Signature-Input` and `Signature`; empty if missing. */
  signatureInput: string
  signature: string
}>

/** The parameters of a validation exactly as sent. `site` is empty if the request has none. */
export type SignedRequest = Readonly<{ key: string; code: string; site: string }>

export type SigningTimes = Readonly<{
  createdAtMs: number
  expiresAtMs: number
  /** When the purchase ends; Infinity if it does not. */
  endsAtMs: number
}>

const input =
  /^pazar=(\("@status" "unencoded-digest" "pazar-reason" "pazar-question"\);created=(\d{1,11});expires=(\d{1,11});nonce="([\w-]{16,128})";keyid="([\w-]{43})";alg="ed25519";tag="([a-z-]+)")$/
const signature = /^pazar=:([A-Za-z0-9+/]{85}[AQgw]==):$/

/**
 * Returns an error code unless a trusted key signed this response to this request. The digests are computed, not read from
 * headers. Rejects if the runtime does not support Ed25519.
 */
export async function verifySignature(
  response: SignedResponse,
  { key, code, site }: SignedRequest,
  { tag, trusted }: Readonly<{ tag: string; trusted: Pick<TrustedKeys, "find"> }>,
): Promise<SigningTimes | string> {
  if (response.signatureInput === "" || response.signature === "") return "unsigned"
  const [, parameters, created, expires, nonce, kid = "", signedTag] =
    input.exec(response.signatureInput) ?? []
  const [, sig] = signature.exec(response.signature) ?? []
  if (parameters === undefined || sig === undefined || signedTag !== tag) return "forged"
  if (nonce !== response.nonce) return "replayed"
  const signer = await trusted.find(kid)
  if (signer === null) return "unknown_signer"
  const question = site === "" ? `${key}\n${code}` : `${key}\n${code}\n${site}`
  const base = [
    `"@status": ${response.status}`,
    `"unencoded-digest": ${await digest(response.body)}`,
    `"pazar-reason": ${response.reason}`,
    `"pazar-question": ${await digest(question)}`,
    `"@signature-params": ${parameters}`,
  ]
  if (!(await verifyText(signer, sig, base.join("\n")))) return "forged"
  const createdAtMs = Number(created) * 1000
  const expiresAtMs = Number(expires) * 1000
  return { createdAtMs, expiresAtMs, endsAtMs: findEnd(createdAtMs, expiresAtMs) }
}

/**
 * The lifetime in seconds says when the purchase ends. Odd: at `expires`. Otherwise the seconds above whole days are twice
 * the days until its end; 0 if it does not end.
 */
function findEnd(createdAtMs: number, expiresAtMs: number): number {
  const seconds = (expiresAtMs - createdAtMs) / 1000
  if (seconds % 2 !== 0) return expiresAtMs
  const days = Math.floor((seconds % 86_400) / 2)
  return days === 0 ? Infinity : createdAtMs + days * 86_400_000
}

const digest = async (text: string) => `sha-256=:${encodeBase64(await hashText(text))}:`
