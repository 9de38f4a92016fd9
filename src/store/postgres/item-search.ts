import type { ItemSearch } from "../../domain/item-search.ts"
import { createItemSearch, titleColumns } from "../item-search.ts"
import type { Database } from "./database.ts"
import { itemColumns } from "./items.ts"

export function postgresItemSearch(db: Database): ItemSearch {
  return createItemSearch(db, {
    readPage: (accountId, order, limit, offset) =>
      db.read(
        `SELECT ${itemColumns} FROM items i WHERE account_id = $1
         ORDER BY ${order} LIMIT $2 OFFSET $3`,
        [accountId, limit, offset],
      ),
    readTitles: (accountId) =>
      db.read(`SELECT ${titleColumns} FROM items WHERE account_id = $1`, [accountId]),
    readItems: (accountId, ids) =>
      db.read(
        `SELECT ${itemColumns} FROM items i WHERE id = ANY ($1::bigint[]) AND account_id = $2
         ORDER BY array_position($1::bigint[], id)`,
        [ids, accountId],
      ),
  })
}
