import type { ItemSort } from "../domain/item-search.ts"

/** The orders that the database sorts by. `pickItems` sorts by name: no collation folds as it does. */
export type SqlSort = Exclude<ItemSort, "name">

export const itemOrders: Readonly<Record<SqlSort, string>> = {
  newest: "published_at DESC, id DESC",
  oldest: "published_at, id",
  price: "price, id",
}
