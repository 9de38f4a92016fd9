/** The signature of an answer (RFC 9421, Ed25519), and the receipt that it makes of the answer. */
import { encodeBase64, hashText } from "./base64.ts"
import type { Receipt, SignatureFailure } from "./outcome.ts"
import { type TrustedKeys, verifyText } from "./trusted-keys.ts"

/** The parts of an answer that the signature is about. */
export type SignedAnswer = Omit<Receipt, "key" | "site" | "clockOffsetMs" | "endorsedKeys">

export type SigningTimes = Readonly<{ kid: string; createdAtMs: number; expiresAtMs: number }>

/** As it was sent. Null: without a site. */
export type Question = Readonly<{ key: string; code: string; site: string | null }>

/** The question that the answer must belong to. */
export type Expected = Readonly<{ question: Question; nonce: string; tag: string }>

/** Whether it may be shown to buyers. */
export const isShippedKey = (key: string) => /^pzr_[vt]k_/.test(key)

export const isValidationKey = (key: string) => key.startsWith("pzr_vk_")

/**
 * The key in a receipt, which anybody may have written. A line feed in it would move the parts of the signed question: a code
 * at the end of the key, a part of the site as the code.
 */
export const isReceiptKey = (key: string) => /^pzr_vk_\S+$/.test(key)

/** Answers to test keys have a tag of their own, so that no test code unlocks a product. */
export const tagFor = (key: string) =>
  key.startsWith("pzr_tk_") ? "pazar-test" : "pazar-validation"

const input =
  /^pazar=(\("@status" "unencoded-digest" "pazar-reason" "pazar-question"\);created=(\d{1,11});expires=(\d{1,11});nonce="([\w-]{16,128})";keyid="([\w-]{43})";alg="ed25519";tag="([a-z-]+)")$/
const signature = /^pazar=:([A-Za-z0-9+/]{85}[AQgw]==):$/

/**
 * The digest and the question are computed from the body and the question at hand, never read from the
 * answer: an answer to another question has another signature base. Rejects where there is no Ed25519.
 */
export async function verifySignature(
  answer: SignedAnswer,
  { question, nonce, tag }: Expected,
  keys: Pick<TrustedKeys, "find">,
): Promise<SigningTimes | SignatureFailure> {
  const [, parameters, created, expires, signedNonce, kid = "", signedTag] =
    input.exec(answer.signatureInput) ?? []
  const [, sig] = signature.exec(answer.signature) ?? []
  if (parameters === undefined || sig === undefined || signedTag !== tag) return "forged"
  if (signedNonce !== nonce) return "replayed"
  const key = await keys.find(kid)
  if (key === null) return "unknown_signer"
  const base = [
    `"@status": ${answer.status}`,
    `"unencoded-digest": ${await digest(answer.body)}`,
    `"pazar-reason": ${answer.reason}`,
    `"pazar-question": ${await digest(renderQuestion(question))}`,
    `"@signature-params": ${parameters}`,
  ]
  if (!(await verifyText(key, sig, base.join("\n")))) return "forged"
  return { kid, createdAtMs: Number(created) * 1000, expiresAtMs: Number(expires) * 1000 }
}

const renderQuestion = ({ key, code, site }: Question) =>
  site === null ? `${key}\n${code}` : `${key}\n${code}\n${site}`

const digest = async (text: string) => `sha-256=:${encodeBase64(await hashText(text))}:`
