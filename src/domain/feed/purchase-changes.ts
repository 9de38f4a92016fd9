import { type PurchaseText, purchaseFieldsOf } from "../catalog/purchase.ts"
import type { EventType } from "../events/event.ts"
import type { Timestamp } from "../values/time/timestamp.ts"
import type { Changes, DatedPurchase, ExistingRecords } from "./batch.ts"
import { isRevoked } from "./tally.ts"

export type PurchaseChange = PurchaseText &
  Readonly<{
    type: Extract<EventType, `purchase.${string}`>
    itemId: number
    /** If present, only endpoints older than the sale receive the event. */
    soldAt?: Timestamp
    /** The item may be deleted in the same batch. */
    isRemoved: boolean
  }>

/** Omits sales before `since`, when the first endpoint was created. */
export function listPurchaseChanges(
  found: Pick<ExistingRecords, "purchases">,
  { purchases: { removed, inserted, updated } }: Pick<Changes, "purchases">,
  since: Timestamp,
): readonly PurchaseChange[] {
  const events: PurchaseChange[] = []
  function add(type: PurchaseChange["type"], purchase: DatedPurchase, isRemoved = false): void {
    const { beforeItem, afterItem, itemId } = purchase
    const event = { type, beforeItem, afterItem, itemId, isRemoved }
    if (found.purchases.has(purchase.code) && type !== "purchase.changed") {
      events.push(event)
      return
    }
    const { date: soldAt } = purchaseFieldsOf(purchase)
    if (soldAt >= since) events.push({ ...event, soldAt })
  }
  const present = new Set<string>()
  for (const purchase of [...inserted, ...updated]) {
    const { code } = purchase
    present.add(code)
    const known = found.purchases.get(code)
    const was = known === undefined ? null : isRevoked(known)
    if (was === null) add(isRevoked(purchase) ? "purchase.revoked" : "purchase.created", purchase)
    else if (was !== isRevoked(purchase)) {
      add(was ? "purchase.restored" : "purchase.revoked", purchase)
    } else if (!was && known !== undefined && !isSameSale(known, purchase)) {
      add("purchase.changed", purchase)
    }
  }
  for (const purchase of removed) {
    if (!present.has(purchase.code) && !isRevoked(purchase)) {
      add("purchase.revoked", purchase, true)
    }
  }
  return events
}

const isSameSale = (one: DatedPurchase, other: DatedPurchase) =>
  one.itemId === other.itemId &&
  (one.validUntil ?? null) === (other.validUntil ?? null) &&
  one.beforeItem === other.beforeItem &&
  one.afterItem === other.afterItem
