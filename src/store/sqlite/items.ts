import type { Item, ItemStore, ListPage, ListPages } from "../../domain/item.ts"
import type { Database } from "./database.ts"
import { createRowCache } from "./row-cache.ts"

export type ItemRow = Omit<Item, "isHidden"> & { isHidden: number }

export const itemColumns = `id, account_id AS "accountId", hidden AS "isHidden", body`

export function sqliteItems(db: Database): ItemStore {
  const itemCache = createRowCache<Item>(db.changeCount, db.rowCounts, ({ body }) => body)
  const listCache = createRowCache<ListPages>(
    db.changeCount,
    db.rowCounts,
    ({ version }) => version,
  )
  const select = db.prepare<ItemRow, [number, number]>(
    `SELECT ${itemColumns} FROM items WHERE id = $1 AND account_id = $2`,
  )
  const selectVersion = db.prepare<{ version: string }, [number]>(
    "SELECT list_version AS version FROM accounts WHERE id = $1",
  )
  const selectPage = db.prepare<PageRow, [number, number, number]>(
    `SELECT EXISTS (SELECT 1 FROM accounts WHERE id = $1) AS "hasAccount", count(*) AS count,
       coalesce(min(id), 0) AS "lastId",
       CAST(coalesce(group_concat(body, ',' ORDER BY id DESC), '') AS BLOB) AS bytes
     FROM (SELECT id, body FROM items
       WHERE account_id = $1 AND hidden = 0 AND id <= $2 ORDER BY id DESC LIMIT $3)`,
  )
  const load = db.shareRead((accountId: number, id: number) => {
    const row = select.get(id, accountId)
    return row && toItem(row)
  })
  const readPage = db.shareRead((accountId: number, { idMax, limit }: Range) =>
    pageOf(selectPage.get(accountId, idMax, limit)),
  )
  const loadList = db.shareRead((accountId: number): ListPages | null => {
    const row = selectVersion.get(accountId)
    if (row === null) return null
    return {
      version: row.version,
      read: (idMax, limit) => readPage(accountId, { idMax, limit }),
    }
  })
  return {
    find(accountId, id) {
      const cached = itemCache.find(id)
      if (cached?.accountId === accountId) return cached
      // Another author's item is looked up like an absent one, so that its answer takes as long.
      const item = load(accountId, id)
      if (item !== null) itemCache.put(id, item)
      return item
    },
    findList(accountId) {
      const cached = listCache.find(accountId)
      if (cached !== null) return cached
      const list = loadList(accountId)
      if (list !== null) listCache.put(accountId, list)
      return list
    },
  }
}

type Range = Readonly<{ idMax: number; limit: number }>

type PageRow = ListPage & Readonly<{ hasAccount: number }>

/** Counting always gives a row. */
function pageOf(row: PageRow | null): ListPage | null {
  if (row === null) throw new Error("a page without a row")
  return row.hasAccount === 1 ? row : null
}

export const toItem = ({ id, accountId, isHidden, body }: ItemRow): Item => ({
  id,
  accountId,
  isHidden: isHidden === 1,
  body,
})
