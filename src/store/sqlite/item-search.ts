import type { ItemSearch } from "../../domain/item-search.ts"
import { createItemSearch, titleColumns } from "../item-search.ts"
import type { Database } from "./database.ts"
import { type ItemRow, itemColumns, toItem } from "./items.ts"

/** The index holds all that is compared and sorted by: bodies are read for one page only. */
const fromIndex = "FROM items INDEXED BY items_by_name WHERE account_id = $1"

export function sqliteItemSearch(db: Database): ItemSearch {
  return createItemSearch(db, {
    async readPage(accountId, order, limit, offset) {
      const rows = await db.read<ItemRow>(
        `SELECT ${itemColumns} FROM items WHERE id IN (
           SELECT id ${fromIndex} ORDER BY ${order} LIMIT $2 OFFSET $3
         ) ORDER BY ${order}`,
        [accountId, limit, offset],
      )
      return rows.map(toItem)
    },
    readTitles: (accountId) => db.read(`SELECT ${titleColumns} ${fromIndex}`, [accountId]),
    async readItems(accountId, ids) {
      const sql = `SELECT ${itemColumns} FROM items WHERE id = $1 AND account_id = $2`
      const rows = await Promise.all(ids.map((id) => db.read<ItemRow>(sql, [id, accountId])))
      return rows.flat().map(toItem)
    },
  })
}
