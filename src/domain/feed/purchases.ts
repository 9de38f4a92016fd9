import {
  type PurchaseRecord,
  purchaseMembersOf,
  renderPurchaseText,
} from "../catalogue/purchase.ts"
import { problem } from "../values/problems/problem.ts"
import { mergeMembers } from "../values/shape.ts"
import { type Batch, isRepeated, wasByOperator } from "./batch.ts"
import {
  type PurchasePatch,
  type RecordOf,
  unknownItem,
  unknownPurchase,
  type Verdict,
} from "./feed.ts"

export function takePurchase(
  batch: Batch,
  { purchase, asOf: given }: RecordOf<"purchase">,
): Verdict {
  const { code } = purchase
  const isAgain = isRepeated(batch, code, given)
  const earlier = isAgain ? (batch.purchases.find(code) ?? batch.waiting.findPurchase(code)) : null
  // Of two rows of one pull, the revoked one wins: which comes last is chance.
  if (earlier?.isRevoked && !purchase.isRevoked) return "repeated"
  const verdict = batch.ifNewer.purchase(code, given, (asOf) => putPurchase(batch, purchase, asOf))
  return isAgain && verdict === null ? "repeated" : verdict
}

export const takePurchasePatch = (batch: Batch, patch: RecordOf<"patched purchase">): Verdict =>
  batch.ifNewer.purchase(patch.code, patch.asOf, (asOf) => {
    const kept = batch.purchases.find(patch.code) ?? batch.waiting.findPurchase(patch.code)
    if (kept === null) return unknownPurchase(patch.code)
    return putPurchase(batch, patchPurchase(kept, patch), asOf)
  })

export const mentionPurchase = (
  { purchases, waiting, ifNewer }: Batch,
  { code, asOf }: RecordOf<"mentioned purchase">,
): Verdict =>
  (purchases.find(code) ?? waiting.find("purchase", code)) &&
  ifNewer.purchase(code, asOf, () => null)

export function deletePurchase(
  batch: Batch,
  { code, asOf }: RecordOf<"deleted purchase">,
): Verdict {
  const { purchases, waiting, ifNewer } = batch
  const isAgain = isRepeated(batch, code, asOf)
  const verdict = ifNewer.purchase(code, asOf, () => {
    purchases.remove(code)
    waiting.remove("purchase", code)
    return null
  })
  return isAgain && verdict === null ? "repeated" : verdict
}

function putPurchase(batch: Batch, purchase: PurchaseRecord, asOf: number): Verdict {
  const { items, purchases, waiting } = batch
  const { code, itemId } = purchase
  const kept = purchases.find(code)
  const known = kept ?? waiting.findPurchase(code)
  const isRevokedByOperator =
    known === null ? wasByOperator(batch, "purchase", code) : known.isRevokedByOperator === true
  const sold = { ...purchase, isRevokedByOperator }
  if (kept === null) {
    if (items.find(itemId) === null) {
      return waiting.put({ kind: "purchase", record: sold }, asOf, unknownItem(itemId))
    }
  } else if (kept.itemId !== itemId) {
    const item = items.find(itemId)
    if (item === null) return unknownItem(itemId)
    if (item.author !== items.find(kept.itemId)?.author) {
      return problem("item_id", "code_of_other_author", { item: `${kept.itemId}` })
    }
  }
  if (kept === null || !isSamePurchase(kept, sold)) purchases.put(code, { ...sold, asOf })
  waiting.remove("purchase", code)
  return null
}

const isSamePurchase = (one: PurchaseRecord, other: PurchaseRecord) =>
  one.itemId === other.itemId &&
  one.isRevoked === other.isRevoked &&
  (one.isRevokedByOperator === true) === (other.isRevokedByOperator === true) &&
  one.buyer === other.buyer &&
  one.beforeItem === other.beforeItem &&
  one.afterItem === other.afterItem

/** Makes a whole record of a kept one and a patch, whose members were checked when it was read. */
export function patchPurchase(kept: PurchaseRecord, patch: PurchasePatch): PurchaseRecord {
  const { itemId = kept.itemId, isRevoked = kept.isRevoked, buyer = kept.buyer, members } = patch
  const text = renderPurchaseText(mergeMembers(purchaseMembersOf(kept), members))
  return { ...kept, itemId, isRevoked, buyer, ...text }
}
