import type { Database } from "bun:sqlite"
import type { ItemSearch, ItemSort } from "../../domain/item-search.ts"
import { read } from "./database.ts"
import { type ItemRow, itemColumns, toItem } from "./items.ts"

const orders: Readonly<Record<ItemSort, string>> = {
  newest: "id DESC",
  oldest: "id",
  name: "name COLLATE NOCASE, id",
  price: "price, id",
}

export function sqliteItemSearch(db: Database): ItemSearch {
  // LIKE folds ASCII letters; the escape makes the typed text mean itself.
  const matching = `account_id = $accountId
    AND ($text = '' OR name LIKE '%' || $pattern || '%' ESCAPE '\\' OR CAST(id AS TEXT) = $text)`
  const prepareSearch = (sort: ItemSort) =>
    db.query<ItemRow, [Record<string, string | number>]>(
      `SELECT ${itemColumns} FROM items WHERE id IN (
         SELECT id FROM items INDEXED BY items_by_name WHERE ${matching}
         ORDER BY ${orders[sort]} LIMIT $limit OFFSET $offset
       ) ORDER BY ${orders[sort]}`,
    )
  const searches = {
    newest: prepareSearch("newest"),
    oldest: prepareSearch("oldest"),
    name: prepareSearch("name"),
    price: prepareSearch("price"),
  }
  const total = db.query<{ total: number }, [Record<string, string | number>]>(
    `SELECT count(*) AS total FROM items INDEXED BY items_by_name WHERE ${matching}`,
  )
  const count = db.query<{ hidden: number; total: number }, [number]>(
    `SELECT hidden, count(*) AS total FROM items WHERE account_id = ? GROUP BY hidden`,
  )
  return {
    search: (accountId, { text, sort, offset, limit }) =>
      read(() => {
        const filter = { accountId, text, pattern: text.replace(/[\\%_]/g, "\\$&") }
        return {
          items: searches[sort].all({ ...filter, limit, offset }).map(toItem),
          total: total.get(filter)?.total ?? 0,
        }
      }),
    count: (accountId) =>
      read(() => {
        const totals = new Map(count.all(accountId).map(({ hidden, total }) => [hidden, total]))
        return { visible: totals.get(0) ?? 0, hidden: totals.get(1) ?? 0 }
      }),
  }
}
