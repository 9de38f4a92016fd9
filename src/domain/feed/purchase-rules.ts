import { type PurchaseRecord, purchaseFieldsOf, renderPurchaseText } from "../catalog/purchase.ts"
import { problem } from "../values/problems/problem.ts"
import { mergeFields } from "../values/schema.ts"
import { type Batch, isRepeated, wasByOperator } from "./batch.ts"
import {
  type PurchasePatch,
  type RecordOf,
  unknownItem,
  unknownPurchase,
  type Verdict,
} from "./feed-record.ts"

export function applyPurchase(
  batch: Batch,
  { purchase, asOf: incoming }: RecordOf<"purchase">,
): Verdict {
  const { code } = purchase
  const isAgain = isRepeated(batch, code, incoming)
  const earlier = isAgain ? (batch.purchases.find(code) ?? batch.pending.findPurchase(code)) : null
  // If rows of one pull have the same code, the revoked one wins: their order is arbitrary.
  if (earlier?.isRevoked && !purchase.isRevoked) return "repeated"
  const verdict = batch.ifNewer.purchase(code, incoming, (asOf) =>
    putPurchase(batch, purchase, asOf),
  )
  return isAgain && verdict === null ? "repeated" : verdict
}

export const applyPurchasePatch = (batch: Batch, patch: RecordOf<"patched purchase">): Verdict =>
  batch.ifNewer.purchase(patch.code, patch.asOf, (asOf) => {
    const stored = batch.purchases.find(patch.code) ?? batch.pending.findPurchase(patch.code)
    if (stored === null) return unknownPurchase(patch.code)
    return putPurchase(batch, patchPurchase(stored, patch), asOf)
  })

export const mentionPurchase = (
  { purchases, pending, ifNewer }: Batch,
  { code, asOf }: RecordOf<"mentioned purchase">,
): Verdict =>
  (purchases.find(code) ?? pending.find("purchase", code)) &&
  ifNewer.purchase(code, asOf, () => null)

export function deletePurchase(
  batch: Batch,
  { code, asOf }: RecordOf<"deleted purchase">,
): Verdict {
  const { purchases, pending, ifNewer } = batch
  const isAgain = isRepeated(batch, code, asOf)
  const verdict = ifNewer.purchase(code, asOf, () => {
    purchases.remove(code)
    pending.remove("purchase", code)
    return null
  })
  return isAgain && verdict === null ? "repeated" : verdict
}

function putPurchase(batch: Batch, purchase: PurchaseRecord, asOf: number): Verdict {
  const { items, purchases, pending } = batch
  const { code, itemId } = purchase
  const stored = purchases.find(code)
  const known = stored ?? pending.findPurchase(code)
  const isRevokedByOperator =
    known === null ? wasByOperator(batch, "purchase", code) : known.isRevokedByOperator === true
  const { siteLimit = known?.siteLimit } = purchase
  const sold = { ...purchase, isRevokedByOperator, siteLimit }
  if (stored === null) {
    if (items.find(itemId) === null) {
      return pending.put({ kind: "purchase", record: sold }, asOf, unknownItem(itemId))
    }
  } else if (stored.itemId !== itemId) {
    const item = items.find(itemId)
    if (item === null) return unknownItem(itemId)
    if (item.author !== items.find(stored.itemId)?.author) {
      return problem("item_id", "code_of_other_author", { item: `${stored.itemId}` })
    }
  }
  if (stored === null || !isSamePurchase(stored, sold)) purchases.put(code, { ...sold, asOf })
  pending.remove("purchase", code)
  return null
}

const isSamePurchase = (one: PurchaseRecord, other: PurchaseRecord) =>
  one.itemId === other.itemId &&
  one.isRevoked === other.isRevoked &&
  (one.isRevokedByOperator === true) === (other.isRevokedByOperator === true) &&
  one.buyer === other.buyer &&
  (one.validUntil ?? null) === (other.validUntil ?? null) &&
  (one.siteLimit ?? null) === (other.siteLimit ?? null) &&
  one.beforeItem === other.beforeItem &&
  one.afterItem === other.afterItem

/** The patch was validated when it was read. */
export function patchPurchase(stored: PurchaseRecord, patch: PurchasePatch): PurchaseRecord {
  const {
    itemId = stored.itemId,
    isRevoked = stored.isRevoked,
    buyer = stored.buyer,
    validUntil = stored.validUntil,
    siteLimit = stored.siteLimit,
    fields,
  } = patch
  const text = renderPurchaseText(mergeFields(purchaseFieldsOf(stored), fields))
  return { ...stored, itemId, isRevoked, buyer, validUntil, siteLimit, ...text }
}
