/**
 * Decides what becomes of every record of a feed, for both stores. The rules of each noun have a file of their own;
 * no SQL repeats one.
 */
import { deleteAccount, mentionAccount, takeAccount, takeAccountPatch } from "./accounts.ts"
import { type Batch, changesOf, createBatch, type Decision, type Found } from "./batch.ts"
import type { FeedRecord, Verdict } from "./feed.ts"
import { deleteItem, mentionItem, takeItem, takeItemPatch } from "./items.ts"
import { deletePurchase, mentionPurchase, takePurchase, takePurchasePatch } from "./purchases.ts"

/** Answers each record with its verdict, in order; a record sees the effect of those before it. */
export function decideBatch(
  records: readonly FeedRecord[],
  found: Found,
  nowMs: number,
  waitingRoom = Number.POSITIVE_INFINITY,
): Decision {
  const batch = createBatch(found, nowMs, waitingRoom)
  const verdicts = records.map((record) => decide(batch, record))
  return { verdicts, changes: changesOf(batch), ahead: batch.ahead }
}

function decide(batch: Batch, record: FeedRecord): Verdict {
  switch (record.type) {
    case "account":
      return takeAccount(batch, record)
    case "patched account":
      return takeAccountPatch(batch, record)
    case "mentioned account":
      return mentionAccount(batch, record)
    case "deleted account":
      return deleteAccount(batch, record)
    case "item":
      return takeItem(batch, record)
    case "patched item":
      return takeItemPatch(batch, record)
    case "mentioned item":
      return mentionItem(batch, record)
    case "deleted item":
      return deleteItem(batch, record)
    case "purchase":
      return takePurchase(batch, record)
    case "patched purchase":
      return takePurchasePatch(batch, record)
    case "mentioned purchase":
      return mentionPurchase(batch, record)
    case "deleted purchase":
      return deletePurchase(batch, record)
  }
}
