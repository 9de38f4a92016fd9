/**
 * Makes a whole record of a kept one and a patch. Every member of a patch was checked when it was
 * read; accounts and purchases need no second check, because none of their members depends on another.
 */
import type { AccountRecord } from "./account.ts"
import type { AccountPatch, FedAccount, ItemPatch, PurchasePatch } from "./feed.ts"
import { dropForbiddenMedia, type ItemRecord, itemShape } from "./item.ts"
import { isObject, type Members } from "./json-object.ts"
import { type PurchaseRecord, purchaseMembersOf, renderPurchaseText } from "./purchase.ts"
import type { PatchMembers } from "./shape.ts"

export function patchAccount(kept: AccountRecord, patch: AccountPatch): FedAccount {
  const { username, isSuspended = kept.isSuspended, isSuspendedByOperator, members } = patch
  const body = JSON.stringify(mergeMembers(JSON.parse(kept.body), members))
  return { ...kept, username, isSuspended, isSuspendedByOperator, body }
}

/** Throws InvalidRecord where the item would lack media that its kind needs. */
export function patchItem(kept: ItemRecord, patch: ItemPatch): ItemRecord {
  const { author = kept.author, isHidden = kept.isHidden, members } = patch
  const merged: Members = mergeMembers(JSON.parse(kept.body), members)
  if (isObject(merged.media)) dropForbiddenMedia(merged.media)
  return { ...kept, author, isHidden, body: JSON.stringify(itemShape(merged, "")) }
}

export function patchPurchase(kept: PurchaseRecord, patch: PurchasePatch): PurchaseRecord {
  const { itemId = kept.itemId, isRevoked = kept.isRevoked, buyer = kept.buyer, members } = patch
  const text = renderPurchaseText(mergeMembers(purchaseMembersOf(kept), members))
  const { isRevokedByOperator = kept.isRevokedByOperator } = patch
  return { ...kept, itemId, isRevoked, isRevokedByOperator, buyer, ...text }
}

/** Objects are merged member by member; everything else, lists included, is replaced whole. */
function mergeMembers<Kept extends object>(kept: Kept, patch: PatchMembers): Kept {
  // No prototype: a network called `__proto__` is a name like any other.
  const merged: Members = Object.assign(Object.create(null), kept)
  for (const [name, change] of Object.entries(patch)) {
    const before = merged[name]
    if (change === null) delete merged[name]
    else if (isObject(change)) merged[name] = mergeMembers(isObject(before) ? before : {}, change)
    else merged[name] = change
  }
  // The patch was checked: it keeps the types of the members and removes only optional ones.
  return merged as Kept
}
