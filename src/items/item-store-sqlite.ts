import { sql, tuples } from "../platform/database/sql.ts"
import type { Database } from "../platform/database/sqlite.ts"
import { countPage, type Item, type ItemStore, type ListPage, type ListPages } from "./item.ts"

export function sqliteItems(db: Database): ItemStore {
  const newestFirst = (accountId: number, idMax: number, limit: number) =>
    sql`FROM items
      WHERE account_id = ${accountId} AND is_hidden = 0 AND id <= ${idMax} ORDER BY id DESC LIMIT ${limit}`
  const readPage = db.shareRead(
    (accountId: number, idMax: number, limit: number): ListPage | null => {
      const sizes = db
        .readNow<[number]>(
          tuples`SELECT octet_length(body) ${newestFirst(accountId, idMax, limit + 1)}`,
        )
        .flat()
      const length = countPage(sizes.slice(0, limit))
      // group_concat has no ORDER BY, which would take twice as long: the LIMIT of the subquery keeps its order.
      const [page] = db.readNow<[number, number, Uint8Array<ArrayBuffer>]>(
        tuples`SELECT count(*), coalesce(min(id), 0), CAST(coalesce(group_concat(body), '') AS BLOB)
          FROM (SELECT id, body ${newestFirst(accountId, idMax, length)})
          HAVING EXISTS (SELECT 1 FROM accounts WHERE id = ${accountId})`,
      )
      if (page === undefined) return null
      const [count, lastId, bytes] = page
      return { count, lastId, bytes, isLast: length === sizes.length }
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
      const [account] = db.readNow<{ listVersion: string }>`
        SELECT list_version FROM accounts WHERE id = ${accountId}`
      if (account === undefined) return null
      return {
        version: account.listVersion,
        read: (idMax, limit) => readPage(accountId, idMax, limit),
      }
    }),
  }
}
