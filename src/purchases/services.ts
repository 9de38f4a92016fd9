import type { ItemSearch, ItemStore } from "../items/item.ts"
import type { RateLimits } from "../keys/rate-limits.ts"
import type { PurchaseStore } from "./purchase.ts"
import type { SaleStore } from "./sale.ts"
import type { ReleaserIds, SiteStore } from "./site.ts"

/** What the operations of this folder use; each picks its own. */
export type PurchaseServices = Readonly<{
  items: ItemStore
  itemSearch: ItemSearch
  purchases: PurchaseStore
  sales: SaleStore
  sites: SiteStore
  limits: RateLimits
  releaserOf: ReleaserIds
  now: () => Date
}>
