/** A stored signed answer, judged without the server. */
import { isObject } from "./json.ts"
import type { Outcome, Receipt } from "./outcome.ts"
import { verifySignature } from "./signature.ts"
import type { TrustedKeys } from "./trusted-keys.ts"
import { readVerdict, unknown } from "./verdict.ts"

/** The conditions under which an answer counts. */
export type Terms = Readonly<{
  /** Null without pinned keys: then answers count without a signature. */
  trusted: TrustedKeys | null
  /** Null: every item is accepted. */
  items: readonly number[] | null
  /** The tag of the signature. */
  tag: string
}>

/** As of `atMs` on the local clock. */
export type ReceiptTime = Readonly<{ atMs: number; graceMs: number }>

/** Never rejects, whatever the receipt holds. */
export async function judgeReceipt(
  { trusted, items, tag }: Terms,
  receipt: Receipt,
  code: string,
  { atMs, graceMs }: ReceiptTime,
): Promise<Outcome> {
  if (trusted === null) return unknown("unsigned")
  if (!isObject(receipt)) return unknown("forged")
  try {
    await trusted.follow(receipt.endorsedKeys)
    const signed = await verifySignature(receipt, { code, nonce: receipt.nonce, tag }, trusted)
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
