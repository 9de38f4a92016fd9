/** A stored signed answer, judged without the server. */
import { isObject } from "./json.ts"
import type { Outcome, Receipt } from "./outcome.ts"
import { isReceiptKey, type Question, verifySignature } from "./signature.ts"
import type { TrustedKeys } from "./trusted-keys.ts"
import { readVerdict, unknown } from "./verdict.ts"

/** The conditions under which an answer counts. */
export type Terms = Readonly<{
  /** Null without pinned keys: then answers count without a signature. */
  trusted: TrustedKeys | null
  /** Null: every item is accepted. */
  items: readonly number[] | null
  /** The key that asks. */
  key: string
  /** The tag of the signature. */
  tag: string
}>

/** As of `atMs` on the local clock. */
export type ReceiptTime = Readonly<{ atMs: number; graceMs: number }>

/** Never rejects, whatever the receipt holds. */
export async function judgeReceipt(
  { trusted, items, key: ownKey, tag }: Terms,
  receipt: Receipt,
  asked: Omit<Question, "key">,
  { atMs, graceMs }: ReceiptTime,
): Promise<Outcome> {
  if (trusted === null) return unknown("unsigned")
  if (!isObject(receipt)) return unknown("forged")
  try {
    // A product that was given a new key keeps its receipts. An item has one author, so `items` still tells whose
    // purchase it is; without them only the own key does.
    const key = receipt.key ?? ownKey
    if (key !== ownKey && (items === null || !isReceiptKey(key))) return unknown("forged")
    await trusted.follow(receipt.endorsedKeys)
    const expected = { question: { ...asked, key }, nonce: receipt.nonce, tag }
    const signed = await verifySignature(receipt, expected, trusted)
    if (typeof signed === "string") return unknown(signed)
    const verdict = readVerdict(receipt, items)
    if (verdict?.state !== "valid") return verdict ?? unknown("forged")
    const endsAtMs = Math.min(signed.expiresAtMs, signed.createdAtMs + graceMs)
    return atMs + receipt.clockOffsetMs < endsAtMs
      ? { ...verdict, source: "receipt", receipt }
      : unknown("receipt_expired")
  } catch (cause) {
    // There is no Ed25519 here.
    return unknown("unsigned", { cause })
  }
}
