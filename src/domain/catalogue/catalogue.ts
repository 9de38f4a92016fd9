import type { AccountStore } from "./account.ts"
import type { ItemStore } from "./item.ts"
import type { PurchaseStore } from "./purchase.ts"

/** The part of a store that the four operations read. The sample world is one too. */
export type Catalogue = Readonly<{
  accounts: Pick<AccountStore, "find">
  items: ItemStore
  purchases: Pick<PurchaseStore, "listByCode">
}>
