import {
  countPage,
  type Item,
  type ItemStore,
  type ListPage,
  type ListPages,
} from "../../../domain/catalog/item.ts"
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
