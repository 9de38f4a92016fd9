import type { Database } from "bun:sqlite"
import {
  type ItemPage,
  type ItemQuery,
  type ItemSearch,
  type ItemSort,
  type ItemTitle,
  pickItems,
} from "../../domain/item-search.ts"
import { read } from "./database.ts"
import { type ItemRow, itemColumns, toItem } from "./items.ts"

/** Names are sorted as they are searched, by pickItems: no collation of SQLite folds as it does. */
type SqlSort = Exclude<ItemSort, "name">

const orders: Readonly<Record<SqlSort, string>> = {
  newest: "published_at DESC, id DESC",
  oldest: "published_at, id",
  price: "price, id",
}

export function sqliteItemSearch(db: Database): ItemSearch {
  // The index holds all that is compared and sorted by: bodies are read for one page only.
  const prepareBrowse = (sort: SqlSort) =>
    db.query<ItemRow, [number, number, number]>(
      `SELECT ${itemColumns} FROM items WHERE id IN (
         SELECT id FROM items INDEXED BY items_by_name WHERE account_id = ?
         ORDER BY ${orders[sort]} LIMIT ? OFFSET ?
       ) ORDER BY ${orders[sort]}`,
    )
  const browses = {
    newest: prepareBrowse("newest"),
    oldest: prepareBrowse("oldest"),
    price: prepareBrowse("price"),
  }
  const listTitles = db.query<ItemTitle, [number]>(
    `SELECT id, coalesce(name, '') AS name, coalesce(price, 0) AS price,
       published_at AS "publishedAt"
     FROM items INDEXED BY items_by_name WHERE account_id = ?`,
  )
  const find = db.query<ItemRow, [number]>(`SELECT ${itemColumns} FROM items WHERE id = ?`)
  const count = db.query<{ hidden: number; total: number }, [number]>(
    "SELECT hidden, count(*) AS total FROM items WHERE account_id = ? GROUP BY hidden",
  )
  const countAll = (accountId: number) =>
    count.all(accountId).reduce((sum, { total }) => sum + total, 0)

  function search(accountId: number, query: ItemQuery): ItemPage {
    const { text, sort, offset, limit } = query
    if (text === "" && sort !== "name") {
      const items = browses[sort].all(accountId, limit, offset).map(toItem)
      return { items, total: countAll(accountId) }
    }
    const { ids, total } = pickItems(listTitles.all(accountId), query)
    return { items: ids.flatMap((id) => find.all(id)).map(toItem), total }
  }
  return {
    search: (accountId, query) => read(() => search(accountId, query)),
    count: (accountId) =>
      read(() => {
        const totals = new Map(count.all(accountId).map(({ hidden, total }) => [hidden, total]))
        return { visible: totals.get(0) ?? 0, hidden: totals.get(1) ?? 0 }
      }),
  }
}
