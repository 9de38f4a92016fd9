import type { ItemBody } from "../items/item.ts"
import type { PurchaseText } from "./purchase.ts"

/** The full item is rendered on delivery: copies of it would take most of the space. */
export const renderPurchaseData = (
  { beforeItem, afterItem }: PurchaseText,
  { id, name }: Pick<ItemBody, "id" | "name">,
) => `{"purchase":${beforeItem}${JSON.stringify({ id, name })}${afterItem}}`
