/** Decides every record of a feed, for both stores: SQL repeats none of these rules. */
import { applyAccount, applyAccountPatch, deleteAccount, mentionAccount } from "./account-rules.ts"
import { type Batch, changesOf, createBatch, type Decision, type ExistingRecords } from "./batch.ts"
import type { FeedRecord, Verdict } from "./feed-record.ts"
import { applyItem, applyItemPatch, deleteItem, mentionItem } from "./item-rules.ts"
import {
  applyPurchase,
  applyPurchasePatch,
  deletePurchase,
  mentionPurchase,
} from "./purchase-rules.ts"

/** Returns the verdicts in order. Each record sees the effects of those before it. */
export function decideBatch(
  records: readonly FeedRecord[],
  found: ExistingRecords,
  nowMs: number,
  pendingRoom = Number.POSITIVE_INFINITY,
): Decision {
  const batch = createBatch(found, nowMs, pendingRoom)
  const verdicts = records.map((record) => decide(batch, record))
  return { verdicts, changes: changesOf(batch), ahead: batch.ahead }
}

function decide(batch: Batch, record: FeedRecord): Verdict {
  switch (record.type) {
    case "account":
      return applyAccount(batch, record)
    case "patched account":
      return applyAccountPatch(batch, record)
    case "mentioned account":
      return mentionAccount(batch, record)
    case "deleted account":
      return deleteAccount(batch, record)
    case "item":
      return applyItem(batch, record)
    case "patched item":
      return applyItemPatch(batch, record)
    case "mentioned item":
      return mentionItem(batch, record)
    case "deleted item":
      return deleteItem(batch, record)
    case "purchase":
      return applyPurchase(batch, record)
    case "patched purchase":
      return applyPurchasePatch(batch, record)
    case "mentioned purchase":
      return mentionPurchase(batch, record)
    case "deleted purchase":
      return deletePurchase(batch, record)
  }
}
