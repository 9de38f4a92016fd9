import {
  countPage,
  type Item,
  type ItemSearch,
  type ItemStore,
  type ItemSummary,
  type ItemTitle,
  type ListPage,
  type ListPages,
} from "../../../domain/catalog/item.ts"
import { createItemSearch, titleColumns } from "../../sql/catalog/shared-item-search.ts"
import type { SqlDatabase } from "../../sql/sql-database.ts"
import { sql } from "../../sql/statement.ts"
import type { Database } from "../connection/database.ts"

export function sqliteItems(db: Database): ItemStore {
  const newestFirst = (accountId: number, idMax: number, limit: number) =>
    sql`FROM items
      WHERE account_id = ${accountId} AND is_hidden = 0 AND id <= ${idMax} ORDER BY id DESC LIMIT ${limit}`
  const readPage = db.shareRead(
    (accountId: number, idMax: number, limit: number): ListPage | null => {
      const rows = db.readNow<{ bytes: number }>`
        SELECT octet_length(body) AS bytes ${newestFirst(accountId, idMax, limit + 1)}`
      const length = countPage(rows.slice(0, limit).map(({ bytes }) => bytes))
      // group_concat has no ORDER BY, which would take twice as long: the LIMIT of the subquery keeps its order.
      const [row] = db.readNow<PageRow>`
        SELECT EXISTS (SELECT 1 FROM accounts WHERE id = ${accountId}) AS has_account,
          count(*) AS count, coalesce(min(id), 0) AS last_id,
          CAST(coalesce(group_concat(body), '') AS BLOB) AS bytes
        FROM (SELECT id, body ${newestFirst(accountId, idMax, length)})`
      if (row === undefined) throw new Error("count(*) returned no row")
      const { hasAccount, ...page } = row
      return hasAccount ? { ...page, isLast: length === rows.length } : null
    },
  )
  return {
    find: db.shareRead((accountId: number, id: number) => {
      const [item = null] = db.readNow<Item>`
        SELECT id, account_id, is_hidden, body, download_url
        FROM items WHERE id = ${id} AND account_id = ${accountId}`
      return item
    }),
    findList: db.shareRead((accountId: number): ListPages | null => {
      const [account] = db.readNow<{ version: string }>`
        SELECT list_version AS version FROM accounts WHERE id = ${accountId}`
      if (account === undefined) return null
      return { version: account.version, read: (idMax, limit) => readPage(accountId, idMax, limit) }
    }),
  }
}

type PageRow = Omit<ListPage, "isLast"> & Readonly<{ hasAccount: boolean }>

const foundColumns = `id, is_hidden, name, body ->> '$.category' AS category,
  body ->> '$.currency' AS currency, body ->> '$.media.thumbnail' AS thumbnail,
  price, published_at`

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
    /** Two queries: a single condition on name and id would scan all items of the same name each time. */
    async readTitles(accountId, last, limit) {
      const name = last?.name ?? null
      const same = await db.read<ItemTitle>(sameName, [accountId, name, last?.id ?? 0, limit])
      if (same.length === limit) return same
      const left = limit - same.length
      const later = laterNames(name === null ? ">= $3" : "> $3")
      return [...same, ...(await db.read<ItemTitle>(later, [accountId, left, name ?? ""]))]
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
