import type { ItemSearch, ItemTitle } from "../../../domain/catalog/item.ts"
import { createItemSearch, titleColumns } from "../../sql/catalog/shared-item-search.ts"
import type { Database } from "../connection/database.ts"

/** LATERAL parses the JSON of an item once. */
const selectFound = (page: string, order: string) =>
  `SELECT page.id, hidden AS "isHidden", name, category, currency, media ->> 'thumbnail' AS thumbnail,
     price, published_at AS "publishedAt"
   FROM (${page}) page,
     LATERAL json_to_record(body::json) AS fields(category text, currency text, media json)
   ORDER BY ${order}`

/** The order of the index `items_by_name`; items without a name sort first. */
const unnamed = `SELECT ${titleColumns} FROM items
  WHERE account_id = $1 AND lower(name) IS NULL AND id > $2 ORDER BY id LIMIT $3`
const named = `SELECT ${titleColumns} FROM items
  WHERE account_id = $1 AND (lower(name), id) > (lower($2 COLLATE "C"), $3)
  ORDER BY lower(name), id LIMIT $4`

export function postgresItemSearch(db: Database): ItemSearch {
  const { read } = db
  return createItemSearch(db, {
    readPage: (accountId, order, limit, offset) =>
      read(
        selectFound(
          `SELECT * FROM items WHERE account_id = $1 ORDER BY ${order} LIMIT $2 OFFSET $3`,
          order,
        ),
        [accountId, limit, offset],
      ),
    // PostgreSQL sorts any number of rows, within the query timeout.
    sortedMax: Number.POSITIVE_INFINITY,
    async readTitles(accountId, last, limit) {
      if (last !== null && last.name !== null) {
        return read<ItemTitle>(named, [accountId, last.name, last.id, limit])
      }
      const first = await read<ItemTitle>(unnamed, [accountId, last?.id ?? 0, limit])
      if (first.length === limit) return first
      const rest = await read<ItemTitle>(named, [accountId, "", 0, limit - first.length])
      return [...first, ...rest]
    },
    readItems: (accountId, ids) =>
      read(
        selectFound(
          "SELECT * FROM items WHERE id = ANY ($1::bigint[]) AND account_id = $2",
          "array_position($1::bigint[], id)",
        ),
        [ids, accountId],
      ),
  })
}
