import type { Item } from "../../domain/item.ts"
import {
  type FoundItems,
  type ItemQuery,
  type ItemSearch,
  type ItemTitle,
  pickItems,
} from "../../domain/item-search.ts"
import { itemOrders, type SqlSort } from "../item-orders.ts"
import type { Database } from "./database.ts"
import { itemColumns } from "./items.ts"

export function postgresItemSearch(db: Database): ItemSearch {
  async function browse(
    accountId: number,
    sort: SqlSort,
    { offset, limit }: ItemQuery,
  ): Promise<FoundItems> {
    const items = await db.read<Item>(
      `SELECT ${itemColumns} FROM items i WHERE account_id = $1
       ORDER BY ${itemOrders[sort]} LIMIT $2 OFFSET $3`,
      [accountId, limit, offset],
    )
    const [counted] = await db.read<{ total: number }>(
      "SELECT count(*) AS total FROM items WHERE account_id = $1",
      [accountId],
    )
    return { items, total: counted?.total ?? 0 }
  }
  async function search(accountId: number, query: ItemQuery): Promise<FoundItems> {
    const titles = await db.read<ItemTitle>(
      `SELECT id, coalesce(name, '') AS name, coalesce(price, 0) AS price,
       published_at AS "publishedAt"
       FROM items WHERE account_id = $1`,
      [accountId],
    )
    const { ids, total } = pickItems(titles, query)
    const items = await db.read<Item>(
      `SELECT ${itemColumns} FROM items i WHERE id = ANY ($1::bigint[]) AND account_id = $2
       ORDER BY array_position($1::bigint[], id)`,
      [ids, accountId],
    )
    return { items, total }
  }
  return {
    search: (accountId, query) =>
      query.text === "" && query.sort !== "name"
        ? browse(accountId, query.sort, query)
        : search(accountId, query),
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
