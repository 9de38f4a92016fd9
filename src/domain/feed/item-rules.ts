import { dropForbiddenMedia, type ItemRecord, itemSchema } from "../catalog/item.ts"
import { problem } from "../values/problems/problem.ts"
import { type Fields, InvalidRecord, isObject, mergeFields } from "../values/schema.ts"
import type { Batch } from "./batch.ts"
import {
  type ItemPatch,
  type RecordOf,
  unknownAccount,
  unknownItem,
  type Verdict,
} from "./feed-record.ts"

export const applyItem = (
  batch: Batch,
  { item, wasAuthor, asOf: given }: RecordOf<"item">,
): Verdict => batch.ifNewer.item(item.id, given, (asOf) => putItem(batch, item, asOf, wasAuthor))

export const applyItemPatch = (batch: Batch, patch: RecordOf<"patched item">): Verdict =>
  batch.ifNewer.item(patch.id, patch.asOf, (asOf) => {
    const kept = batch.items.find(patch.id) ?? batch.pending.findItem(patch.id)
    if (kept === null) return unknownItem(patch.id, "id")
    try {
      return putItem(batch, patchItem(kept, patch), asOf, patch.wasAuthor)
    } catch (error) {
      if (error instanceof InvalidRecord) return error.problems[0]
      throw error
    }
  })

export const mentionItem = (
  { items, pending, ifNewer }: Batch,
  { id, asOf }: RecordOf<"mentioned item">,
): Verdict => (items.find(id) ?? pending.find("item", id)) && ifNewer.item(id, asOf, () => null)

export const deleteItem = (batch: Batch, { id, asOf }: RecordOf<"deleted item">): Verdict =>
  batch.ifNewer.item(id, asOf, () => {
    const { found, items, purchases, pending, changedLists } = batch
    const kept = items.find(id)
    pending.remove("item", id)
    if (kept === null) return null
    if (found.itemsInUse.has(id) || purchases.some(({ itemId }) => itemId === id)) {
      return problem("id", "has_purchases")
    }
    items.remove(id)
    changedLists.add(kept.author)
    return null
  })

function putItem(
  { accounts, items, pending, changedLists, movedItems }: Batch,
  item: ItemRecord,
  asOf: number,
  wasAuthor: string | undefined,
): Verdict {
  const { id, author } = item
  const kept = items.find(id)
  // A stored item has an author, even if the batch does not mention it.
  if (kept?.author !== author && accounts.find(author) === null) {
    const refusal = unknownAccount(author, "author")
    return kept === null ? pending.put({ kind: "item", record: item }, asOf, refusal) : refusal
  }
  const isMoved = kept !== null && kept.author !== author
  if (isMoved && kept.author !== wasAuthor) {
    return problem("author", "item_of_other_author")
  }
  if (!isMoved && kept?.body === item.body && kept.isHidden === item.isHidden) return null
  items.put(id, { ...item, asOf })
  pending.remove("item", id)
  changedLists.add(author)
  if (isMoved) {
    changedLists.add(kept.author)
    movedItems.add(id)
  }
  return null
}

/** The patch was validated when it was read. Throws InvalidRecord if the item lacks media that its kind needs. */
export function patchItem(kept: ItemRecord, patch: ItemPatch): ItemRecord {
  const { author = kept.author, isHidden = kept.isHidden, fields } = patch
  const merged: Fields = mergeFields(JSON.parse(kept.body), fields)
  if (isObject(merged.media)) dropForbiddenMedia(merged.media)
  return { ...kept, author, isHidden, body: JSON.stringify(itemSchema(merged, "")) }
}
