/** Reads the verdict of a response. It does not check whether the response can be trusted. */
import { findJson, isObject } from "./json.ts"
import type { Purchase } from "./wire.ts"

export type Verdict =
  | Readonly<{ state: "valid"; reason: ""; purchase: Purchase }>
  | Readonly<{ state: "invalid"; reason: string; purchase: null }>

const rejections: readonly string[] = ["unknown_code", "revoked_code", "expired_code", "site_limit"]

export const isInvalidReason = (reason: string) => rejections.includes(reason)

/** Null for everything but the complete 200 and 404 of a validation. Without `items` every item is accepted. */
export function parseVerdict(
  { status, reason, body }: Readonly<{ status: number; reason: string; body: string }>,
  items: readonly number[] | null,
): Verdict | null {
  const json = findJson(body)
  if (!isObject(json)) return null
  if (status === 404 && isInvalidReason(reason)) return { state: "invalid", reason, purchase: null }
  const purchase = isObject(json.data) ? json.data.purchase : null
  if (status !== 200 || reason !== "ok" || !isPurchase(purchase)) return null
  return items === null || items.includes(purchase.item.id)
    ? { state: "valid", reason: "", purchase }
    : { state: "invalid", reason: "other_item", purchase: null }
}

/** Checks the item's id alone: a newer server may send other fields. */
const isPurchase = (value: unknown): value is Purchase =>
  isObject(value) && isObject(value.item) && Number.isSafeInteger(value.item.id)
