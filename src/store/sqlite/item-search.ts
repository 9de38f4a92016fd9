import {
  type FoundItems,
  type ItemQuery,
  type ItemSearch,
  type ItemTitle,
  pickItems,
} from "../../domain/item-search.ts"
import { itemOrders, type SqlSort } from "../item-orders.ts"
import type { Database } from "./database.ts"
import { type ItemRow, itemColumns, toItem } from "./items.ts"

export function sqliteItemSearch(db: Database): ItemSearch {
  const countByHidden = (accountId: number) =>
    db.read<{ hidden: number; total: number }>(
      "SELECT hidden, count(*) AS total FROM items WHERE account_id = $1 GROUP BY hidden",
      [accountId],
    )
  async function browse(
    accountId: number,
    sort: SqlSort,
    { offset, limit }: ItemQuery,
  ): Promise<FoundItems> {
    // The index holds all that is compared and sorted by: bodies are read for one page only.
    const page = db.read<ItemRow>(
      `SELECT ${itemColumns} FROM items WHERE id IN (
         SELECT id FROM items INDEXED BY items_by_name WHERE account_id = $1
         ORDER BY ${itemOrders[sort]} LIMIT $2 OFFSET $3
       ) ORDER BY ${itemOrders[sort]}`,
      [accountId, limit, offset],
    )
    const [rows, counts] = await Promise.all([page, countByHidden(accountId)])
    return { items: rows.map(toItem), total: counts.reduce((sum, { total }) => sum + total, 0) }
  }
  async function search(accountId: number, query: ItemQuery): Promise<FoundItems> {
    const titles = await db.read<ItemTitle>(
      `SELECT id, coalesce(name, '') AS name, coalesce(price, 0) AS price,
         published_at AS "publishedAt"
       FROM items INDEXED BY items_by_name WHERE account_id = $1`,
      [accountId],
    )
    const { ids, total } = pickItems(titles, query)
    const rows = await Promise.all(
      ids.map((id) =>
        db.read<ItemRow>(`SELECT ${itemColumns} FROM items WHERE id = $1 AND account_id = $2`, [
          id,
          accountId,
        ]),
      ),
    )
    return { items: rows.flat().map(toItem), total }
  }
  return {
    search: (accountId, query) =>
      query.text === "" && query.sort !== "name"
        ? browse(accountId, query.sort, query)
        : search(accountId, query),
    async count(accountId) {
      const totals = new Map(
        (await countByHidden(accountId)).map(({ hidden, total }) => [hidden, total]),
      )
      return { visible: totals.get(0) ?? 0, hidden: totals.get(1) ?? 0 }
    },
  }
}
