import type { PurchaseStore } from "../../domain/catalogue/purchase.ts"
import type { FoundPurchase } from "../../domain/usage/operator-reads.ts"
import { recordPurchaseEvent, type Trace } from "../record-event.ts"

type Refunding = Trace & Readonly<{ purchases: Pick<PurchaseStore, "setRevokedByOperator"> }>

/** No feed takes it back. False when the purchase is gone. The audit records it unless an operator refunded it before. */
export async function refundPurchase(
  services: Refunding,
  purchase: FoundPurchase,
): Promise<boolean> {
  if (purchase.isRevokedByOperator) return true
  const isThere = await services.purchases.setRevokedByOperator(purchase.code, true)
  if (isThere) await recordPurchaseEvent(services, purchase, "refunded")
  return isThere
}

/** The feed's word counts again. False when the purchase is gone. */
export async function takeRefundBack(
  services: Refunding,
  purchase: FoundPurchase,
): Promise<boolean> {
  if (!purchase.isRevokedByOperator) return true
  const isThere = await services.purchases.setRevokedByOperator(purchase.code, false)
  if (isThere) await recordPurchaseEvent(services, purchase, "refund_taken_back")
  return isThere
}
