import type { Database } from "bun:sqlite"
import type { Item, ItemPage, ItemPages, ItemStore } from "../../domain/item.ts"
import { together } from "./database.ts"

export type ItemRow = Omit<Item, "isHidden"> & { isHidden: number }

export const itemColumns = `id, account_id AS "accountId", hidden AS "isHidden", body`

export function sqliteItems(db: Database): ItemStore {
  const find = db.query<ItemRow, [number, number]>(
    `SELECT ${itemColumns} FROM items WHERE id = ? AND account_id = ?`,
  )
  const findListVersion = db.query<{ version: string }, [number]>(
    "SELECT list_version AS version FROM accounts WHERE id = ?",
  )
  const readPage = db.query<ItemPage, [number, number, number]>(
    `SELECT count(*) AS count, coalesce(min(id), 0) AS "lastId",
       CAST(coalesce(group_concat(body, ',' ORDER BY id DESC), '') AS BLOB) AS bytes
     FROM (SELECT id, body FROM items
       WHERE account_id = ? AND hidden = 0 AND id <= ? ORDER BY id DESC LIMIT ?)`,
  )
  const read = together(db, (accountId: number, { idMax, limit }: Range) =>
    pageOf(readPage.get(accountId, idMax, limit)),
  )
  return {
    find: together(db, (accountId: number, id: number) => {
      const row = find.get(id, accountId)
      return row && toItem(row)
    }),
    findList: together(db, (accountId: number): ItemPages | null => {
      const row = findListVersion.get(accountId)
      if (row === null) return null
      return {
        version: row.version,
        read: (idMax, limit) => read(accountId, { idMax, limit }),
      }
    }),
  }
}

type Range = Readonly<{ idMax: number; limit: number }>

/** Counting always gives a row. */
function pageOf(row: ItemPage | null): ItemPage {
  if (row === null) throw new Error("a page without a row")
  return row
}

export const toItem = ({ id, accountId, isHidden, body }: ItemRow): Item => ({
  id,
  accountId,
  isHidden: isHidden === 1,
  body,
})
