import type { ItemSearch, ItemSummary, ItemTitle } from "../../../domain/catalog/item.ts"
import { createItemSearch, titleColumns } from "../../sql/catalog/shared-item-search.ts"
import type { SqlDatabase } from "../../sql/sql-database.ts"

const foundColumns = `id, hidden AS "isHidden", name, body ->> '$.category' AS category,
  body ->> '$.currency' AS currency, body ->> '$.media.thumbnail' AS thumbnail,
  price, published_at AS "publishedAt"`

/** A covering index for search and sort, so that bodies are read for one page only. */
const fromIndex = "FROM items INDEXED BY items_by_name WHERE account_id = $1"

/** The order of the index: items without a name sort first. */
const sameName = `SELECT ${titleColumns} ${fromIndex}
  AND name COLLATE NOCASE IS $2 AND id > $3 ORDER BY id LIMIT $4`
const laterNames = (condition: string) => `SELECT ${titleColumns} ${fromIndex}
  AND name COLLATE NOCASE ${condition} ORDER BY name COLLATE NOCASE, id LIMIT $2`

export function sqliteItemSearch(db: SqlDatabase): ItemSearch {
  return createItemSearch(db, {
    readPage: (accountId, order, limit, offset) =>
      db.read(
        `SELECT ${foundColumns} FROM items WHERE id IN (
           SELECT id ${fromIndex} ORDER BY ${order} LIMIT $2 OFFSET $3
         ) ORDER BY ${order}`,
        [accountId, limit, offset],
      ),
    // Sorting this number takes about 4 ms.
    sortedMax: 10_000,
    /** Two queries: a single condition on name and id would scan all items of the same name each time. */
    async readTitles(accountId, last, limit) {
      const name = last?.name ?? null
      const same = await db.read<ItemTitle>(sameName, [accountId, name, last?.id ?? 0, limit])
      if (same.length === limit) return same
      const left = limit - same.length
      const later =
        name === null
          ? await db.read<ItemTitle>(laterNames(">= ''"), [accountId, left])
          : await db.read<ItemTitle>(laterNames("> $3"), [accountId, left, name])
      return [...same, ...later]
    },
    // CROSS makes SQLite start with the ids instead of all items of the account.
    readItems: (accountId, ids) =>
      db.read<ItemSummary>(
        `SELECT ${foundColumns.replace("id,", "items.id,")} FROM json_each($1) wanted
         CROSS JOIN items ON items.id = wanted.value WHERE account_id = $2 ORDER BY wanted.key`,
        [JSON.stringify(ids), accountId],
      ),
  })
}
