import { findJson, isObject } from "./json.ts"
import type { Purchase } from "./wire.ts"

export type Verdict =
  | Readonly<{ state: "valid"; reason: ""; purchase: Purchase }>
  | Readonly<{ state: "invalid"; reason: string; purchase: null }>

const invalidReasons: readonly string[] = [
  "unknown_code",
  "revoked_code",
  "expired_code",
  "site_limit",
]

export const isInvalidReason = (reason: string) => invalidReasons.includes(reason)

/** Returns null unless the response is a 200 or an `invalid` 404 of a validation. Does not verify its signature. */
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

/** Checks only the item id, because newer servers may send other fields. */
const isPurchase = (value: unknown): value is Purchase =>
  isObject(value) && isObject(value.item) && Number.isSafeInteger(value.item.id)
