import {
  countPage,
  type Item,
  type ItemStore,
  type ListPage,
  type ListPages,
} from "../../../domain/catalog/item.ts"
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
