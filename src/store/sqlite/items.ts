import type { Database } from "bun:sqlite"
import type { Item, ItemPage, ItemPages, ItemStore } from "../../domain/item.ts"
import type { ChangeCount } from "./changes.ts"
import { shareRead } from "./database.ts"
import { createRowCache } from "./row-cache.ts"

export type ItemRow = Omit<Item, "isHidden"> & { isHidden: number }

export const itemColumns = `id, account_id AS "accountId", hidden AS "isHidden", body`

export function sqliteItems(db: Database, changeCount: ChangeCount): ItemStore {
  // By account too: another author's item is looked up like an absent one, so that its answer takes as long.
  const itemCache = createRowCache<string, Item>(changeCount, ({ body }) => body)
  const listCache = createRowCache<number, ItemPages>(changeCount, ({ version }) => version)
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
  const read = shareRead(db, (accountId: number, { idMax, limit }: Range) =>
    pageOf(readPage.get(accountId, idMax, limit)),
  )
  const loadItem = shareRead(db, (accountId: number, id: number) => {
    const row = find.get(id, accountId)
    return row && toItem(row)
  })
  const loadList = shareRead(db, (accountId: number): ItemPages | null => {
    const row = findListVersion.get(accountId)
    if (row === null) return null
    return {
      version: row.version,
      read: (idMax: number, limit: number) => read(accountId, { idMax, limit }),
    }
  })
  return {
    find: (accountId, id) => itemCache.get(`${accountId} ${id}`, () => loadItem(accountId, id)),
    findList: (accountId) => listCache.get(accountId, () => loadList(accountId)),
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
