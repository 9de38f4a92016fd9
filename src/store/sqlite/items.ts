import type { Database } from "bun:sqlite"
import type { Item, ItemPage, ItemPages, ItemStore } from "../../domain/item.ts"
import type { ChangeCount } from "./changes.ts"
import { together } from "./database.ts"
import { createRecent } from "./recent.ts"

export type ItemRow = Omit<Item, "isHidden"> & { isHidden: number }

export const itemColumns = `id, account_id AS "accountId", hidden AS "isHidden", body`

export function sqliteItems(db: Database, changeCount: ChangeCount): ItemStore {
  const recentItems = createRecent<Item>(changeCount)
  const recentLists = createRecent<ItemPages>(changeCount)
  const find = db.query<ItemRow, [number, number]>(
    `SELECT ${itemColumns} FROM items WHERE id = ? AND account_id = ?`,
  )
  const findListVersion = db.query<{ version: string }, [number]>(
    "SELECT list_version AS version FROM accounts WHERE id = ?",
  )
  const readPage = db.query<PageRow, [number, number, number]>(
    `SELECT EXISTS (SELECT 1 FROM accounts WHERE id = ?1) AS "hasAccount", count(*) AS count, coalesce(min(id), 0) AS "lastId",
       CAST(coalesce(group_concat(body, ',' ORDER BY id DESC), '') AS BLOB) AS bytes
     FROM (SELECT id, body FROM items
       WHERE account_id = ?1 AND hidden = 0 AND id <= ?2 ORDER BY id DESC LIMIT ?3)`,
  )
  const read = together(db, (accountId: number, { idMax, limit }: Range) =>
    pageOf(readPage.get(accountId, idMax, limit)),
  )
  const lookForItem = together(db, (accountId: number, id: number) => {
    const row = find.get(id, accountId)
    return row && recentItems.keep(id, toItem(row), row.body)
  })
  const lookForList = together(db, (accountId: number): ItemPages | null => {
    const row = findListVersion.get(accountId)
    if (row === null) return null
    const { version } = row
    const list = {
      version,
      read: (idMax: number, limit: number) => read(accountId, { idMax, limit }),
    }
    return recentLists.keep(accountId, list, version)
  })
  return {
    find(accountId, id) {
      const recent = recentItems.find(id)
      // Another author's item is looked up like an absent one, so that its answer takes as long.
      return recent?.accountId === accountId ? recent : lookForItem(accountId, id)
    },
    findList: (accountId) => recentLists.find(accountId) ?? lookForList(accountId),
  }
}

type Range = Readonly<{ idMax: number; limit: number }>

type PageRow = ItemPage & Readonly<{ hasAccount: number }>

/** Counting always gives a row. */
function pageOf(row: PageRow | null): ItemPage | null {
  if (row === null) throw new Error("a page without a row")
  return row.hasAccount === 1 ? row : null
}

export const toItem = ({ id, accountId, isHidden, body }: ItemRow): Item => ({
  id,
  accountId,
  isHidden: isHidden === 1,
  body,
})
