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
import type { Database } from "../connection/database.ts"

type ItemRow = Omit<Item, "isHidden"> & { isHidden: number }

const itemColumns = `id, account_id AS "accountId", hidden AS "isHidden", body, download_url AS "downloadUrl"`

export function sqliteItems(db: Database): ItemStore {
  const select = db.prepare<ItemRow, [number, number]>(
    `SELECT ${itemColumns} FROM items WHERE id = $1 AND account_id = $2`,
  )
  const selectVersion = db.prepare<{ version: string }, [number]>(
    "SELECT list_version AS version FROM accounts WHERE id = $1",
  )
  const newestFirst = `FROM items
    WHERE account_id = $1 AND hidden = 0 AND id <= $2 ORDER BY id DESC LIMIT $3`
  const selectSizes = db.prepare<{ bytes: number }, [number, number, number]>(
    `SELECT octet_length(body) AS bytes ${newestFirst}`,
  )
  // group_concat has no ORDER BY, which would take twice as long: the LIMIT of the subquery keeps its order.
  const selectPage = db.prepare<PageRow, [number, number, number]>(
    `SELECT EXISTS (SELECT 1 FROM accounts WHERE id = $1) AS "hasAccount", count(*) AS count,
       coalesce(min(id), 0) AS "lastId", CAST(coalesce(group_concat(body), '') AS BLOB) AS bytes
     FROM (SELECT id, body ${newestFirst})`,
  )
  const readPage = db.shareRead(
    (accountId: number, idMax: number, limit: number): ListPage | null => {
      const sizes = selectSizes.all(accountId, idMax, limit + 1).map(({ bytes }) => bytes)
      const length = countPage(sizes.slice(0, limit))
      const row = selectPage.get(accountId, idMax, length)
      if (row === null) throw new Error("count(*) returned no row")
      const { hasAccount, ...page } = row
      return hasAccount === 1 ? { ...page, isLast: length === sizes.length } : null
    },
  )
  return {
    find: db.shareRead((accountId: number, id: number) => {
      const row = select.get(id, accountId)
      return row && { ...row, isHidden: row.isHidden === 1 }
    }),
    findList: db.shareRead((accountId: number): ListPages | null => {
      const row = selectVersion.get(accountId)
      if (row === null) return null
      return { version: row.version, read: (idMax, limit) => readPage(accountId, idMax, limit) }
    }),
  }
}

type PageRow = Omit<ListPage, "isLast"> & Readonly<{ hasAccount: number }>

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
