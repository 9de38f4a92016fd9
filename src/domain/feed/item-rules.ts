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
  { item, wasAuthor, asOf: incoming }: RecordOf<"item">,
): Verdict => batch.ifNewer.item(item.id, incoming, (asOf) => putItem(batch, item, asOf, wasAuthor))

export const applyItemPatch = (batch: Batch, patch: RecordOf<"patched item">): Verdict =>
  batch.ifNewer.item(patch.id, patch.asOf, (asOf) => {
    const stored = batch.items.find(patch.id) ?? batch.pending.findItem(patch.id)
    if (stored === null) return unknownItem(patch.id, "id")
    try {
      return putItem(batch, patchItem(stored, patch), asOf, patch.wasAuthor)
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
    const stored = items.find(id)
    pending.remove("item", id)
    if (stored === null) return null
    if (found.itemsInUse.has(id) || purchases.some(({ itemId }) => itemId === id)) {
      return problem("id", "has_purchases")
    }
    items.remove(id)
    changedLists.add(stored.author)
    return null
  })

function putItem(
  { accounts, items, pending, changedLists, movedItems }: Batch,
  item: ItemRecord,
  asOf: number,
  wasAuthor: string | undefined,
): Verdict {
  const { id, author } = item
  const stored = items.find(id)
  // A stored item has an author, even if the batch does not mention it.
  if (stored?.author !== author && accounts.find(author) === null) {
    const rejection = unknownAccount(author, "author")
    return stored === null
      ? pending.put({ kind: "item", record: item }, asOf, rejection)
      : rejection
  }
  const isMoved = stored !== null && stored.author !== author
  if (isMoved && stored.author !== wasAuthor) {
    return problem("author", "item_of_other_author")
  }
  if (!isMoved && stored !== null && isSameItem(stored, item)) return null
  items.put(id, { ...item, asOf })
  pending.remove("item", id)
  changedLists.add(author)
  if (isMoved) {
    changedLists.add(stored.author)
    movedItems.add(id)
  }
  return null
}

const isSameItem = (one: ItemRecord, other: ItemRecord) =>
  one.body === other.body &&
  one.isHidden === other.isHidden &&
  (one.downloadUrl ?? null) === (other.downloadUrl ?? null)

/** The patch was validated when it was read. Throws InvalidRecord if the item lacks media that its kind needs. */
export function patchItem(stored: ItemRecord, patch: ItemPatch): ItemRecord {
  const { author = stored.author, isHidden = stored.isHidden, fields } = patch
  const { downloadUrl = stored.downloadUrl } = patch
  const merged: Fields = mergeFields(JSON.parse(stored.body), fields)
  if (isObject(merged.media)) dropForbiddenMedia(merged.media)
  return { ...stored, author, isHidden, downloadUrl, body: JSON.stringify(itemSchema(merged, "")) }
}
