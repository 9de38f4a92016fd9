import type { FeedStore } from "../domain/feed.ts"
import type { FoundPurchase } from "../domain/operator-reads.ts"
import { recordPurchaseEvent, type Trace } from "./record-event.ts"

type Refunding = Trace & Readonly<{ feed: Pick<FeedStore, "openBatches"> }>

/**
 * Marks a purchase as refunded by a patch, as a push of the store would: the feed's rules decide, and a
 * feed of an earlier moment does not undo it. False when the purchase is gone. A purchase that is refunded
 * already stays as it is.
 */
export async function refundPurchase(
  services: Refunding,
  purchase: FoundPurchase,
): Promise<boolean> {
  if (purchase.isRevoked) return true
  const { feed, now } = services
  const writer = await feed.openBatches({ source: "console", via: "push" })
  const asOf = { ms: now().getTime(), isArrival: true }
  const { code } = purchase
  const [verdict] = await writer.put(
    [{ type: "patched purchase", code, isRevoked: true, members: {}, asOf }],
    1,
  )
  const isTaken = verdict === null
  await writer.finish({
    counts: { accepted: isTaken ? 1 : 0, adjusted: 0, rejected: isTaken ? 0 : 1, removed: 0 },
    refusals: { groups: [], otherKinds: 0, otherProblems: 0 },
    removalProblem: null,
  })
  if (isTaken) await recordPurchaseEvent(services, purchase, "refunded")
  return isTaken
}
