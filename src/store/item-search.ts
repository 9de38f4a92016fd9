import type { Item } from "../domain/item.ts"
import { type ItemSearch, type ItemSort, type ItemTitle, pickItems } from "../domain/item-search.ts"
import type { SqlDatabase } from "./database.ts"

export type ItemReads = Readonly<{
  /** One page of an account's items, in an order that is written in SQL. */
  readPage(
    accountId: number,
    order: string,
    limit: number,
    offset: number,
  ): Promise<readonly Item[]>
  readTitles(accountId: number): Promise<readonly ItemTitle[]>
  /** The items with these ids, in the order of the ids. */
  readItems(accountId: number, ids: readonly number[]): Promise<readonly Item[]>
}>

/** The orders that the database sorts by. `pickItems` sorts by name: no collation folds as it does. */
const orders: Readonly<Record<Exclude<ItemSort, "name">, string>> = {
  newest: "published_at DESC, id DESC",
  oldest: "published_at, id",
  price: "price, id",
}

export const titleColumns = `id, coalesce(name, '') AS name, coalesce(price, 0) AS price,
  published_at AS "publishedAt"`

export function createItemSearch(db: SqlDatabase, reads: ItemReads): ItemSearch {
  async function count(accountId: number) {
    const rows = await db.read<{ hidden: boolean | number; total: number }>(
      "SELECT hidden, count(*) AS total FROM items WHERE account_id = $1 GROUP BY hidden",
      [accountId],
    )
    // SQLite has no booleans: they come as 1 and 0.
    const totals = new Map(rows.map(({ hidden, total }) => [Boolean(hidden), total]))
    return { visible: totals.get(false) ?? 0, hidden: totals.get(true) ?? 0 }
  }
  return {
    async search(accountId, query) {
      const { text, sort, offset, limit } = query
      if (text === "" && sort !== "name") {
        const items = await reads.readPage(accountId, orders[sort], limit, offset)
        const { visible, hidden } = await count(accountId)
        return { items, total: visible + hidden }
      }
      const { ids, total } = pickItems(await reads.readTitles(accountId), query)
      return { items: await reads.readItems(accountId, ids), total }
    },
    count,
  }
}
