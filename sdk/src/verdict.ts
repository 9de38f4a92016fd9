/** Reads what an answer says about a code. It does not check whether the answer can be trusted. */
import { findJson, isObject } from "./json.ts"
import type { Invalid, Unknown, Valid } from "./outcome.ts"
import type { Purchase } from "./wire.ts"

/** Used if the server names no time. */
const retryAfterMsDefault = 60_000

export function unknown(
  reason: Unknown["reason"],
  details: Readonly<{ retryAfterMs?: number | undefined; cause?: unknown }> = {},
): Unknown {
  const { retryAfterMs = retryAfterMsDefault, ...rest } = details
  return { state: "unknown", reason, retryAfterMs, ...rest }
}

/** Null for everything but the 200 and 404 of a validation. Without `items` every item is accepted. */
export function readVerdict(
  { status, reason, body }: Readonly<{ status: number; reason: string; body: string }>,
  items: readonly number[] | null,
): Valid | Invalid | null {
  const isNo = reason === "unknown_code" || reason === "revoked_code" || reason === "site_limit"
  if (status === 404 && isNo) {
    return isObject(findJson(body)) ? { state: "invalid", reason } : null
  }
  if (status !== 200 || reason !== "ok") return null
  const purchase = findPurchase(findJson(body))
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

/** Checks the item's id alone: a newer server may send other members. */
const isPurchase = (value: unknown): value is Purchase =>
  isObject(value) && isObject(value.item) && Number.isSafeInteger(value.item.id)
