import type { Item } from "../../domain/item.ts"
import type { ItemSearch, ItemSort } from "../../domain/item-search.ts"
import type { Database } from "./database.ts"
import { itemColumns } from "./items.ts"

const orders: Readonly<Record<ItemSort, string>> = {
  newest: "id DESC",
  oldest: "id",
  name: "lower(name), id",
  price: "price, id",
}

export function postgresItemSearch(db: Database): ItemSearch {
  // The escape makes the typed text mean itself.
  const matching = `account_id = $1 AND ($2 = '' OR id::text = $2
    OR lower(name) LIKE '%' || lower($3 COLLATE "C") || '%' ESCAPE '\\')`
  return {
    async search(accountId, { text, sort, offset, limit }) {
      const filter = [accountId, text, text.replace(/[\\%_]/g, "\\$&")]
      const items = await db.read<Item>(
        `SELECT ${itemColumns} FROM items i WHERE ${matching}
         ORDER BY ${orders[sort]} LIMIT $4 OFFSET $5`,
        [...filter, limit, offset],
      )
      const [counted] = await db.read<{ total: number }>(
        `SELECT count(*) AS total FROM items WHERE ${matching}`,
        filter,
      )
      return { items, total: counted?.total ?? 0 }
    },
    async count(accountId) {
      const rows = await db.read<{ hidden: boolean; total: number }>(
        "SELECT hidden, count(*) AS total FROM items WHERE account_id = $1 GROUP BY hidden",
        [accountId],
      )
      const totals = new Map(rows.map(({ hidden, total }) => [hidden, total]))
      return { visible: totals.get(false) ?? 0, hidden: totals.get(true) ?? 0 }
    },
  }
}
