import type { AccountStore } from "./account.ts"
import type { ItemStore } from "./item.ts"
import type { PurchaseStore } from "./purchase.ts"
import type { SaleStore } from "./sale.ts"
import type { SiteSlots } from "./site-limits.ts"

export type StoredCatalog = Readonly<{
  accounts: Pick<AccountStore, "find">
  items: ItemStore
  purchases: Pick<PurchaseStore, "listByCode">
}>

/** The catalog of a request: stored data, or test data for test keys. */
export type Catalog = StoredCatalog &
  Readonly<{ sales: Pick<SaleStore, "listPurchases">; sites: SiteSlots; now: () => Date }>
