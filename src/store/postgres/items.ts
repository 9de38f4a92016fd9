import type { Item, ItemStore, ListPage } from "../../domain/item.ts"
import { batchLookups } from "./batch-lookups.ts"
import type { Database } from "./database.ts"

export const itemColumns = `i.id, i.account_id AS "accountId", i.hidden AS "isHidden", i.body`

type PageRow = Omit<ListPage, "bytes"> & Readonly<{ accountId: number | null; text: string }>

const utf8 = new TextEncoder()
const readPage = `SELECT (SELECT id FROM accounts WHERE id = $1) AS "accountId", count(*) AS count,
    coalesce(min(id), 0) AS "lastId", coalesce(string_agg(body, ',' ORDER BY id DESC), '') AS text
  FROM (SELECT id, body FROM items
    WHERE account_id = $1 AND NOT hidden AND id <= $2 ORDER BY id DESC LIMIT $3) page`

type Question = Readonly<{ accountId: number; id: number }>

export function postgresItems(db: Database): ItemStore {
  const keyOf = ({ accountId, id }: Question) => `${accountId} ${id}`
  const find = batchLookups<Question, Item>({
    ask: (questions) =>
      db.read(`SELECT ${itemColumns} FROM items i WHERE id = ANY ($1) AND account_id = ANY ($2)`, [
        questions.map(({ id }) => id),
        questions.map(({ accountId }) => accountId),
      ]),
    keyOfQuestion: keyOf,
    keyOfRow: keyOf,
  })
  return {
    find: async (accountId, id) => (await find({ accountId, id }))[0] ?? null,
    async findList(accountId) {
      const [row] = await db.read<{ id: number; version: string }>(
        "SELECT id, list_version AS version FROM accounts WHERE id = $1",
        [accountId],
      )
      if (row === undefined) return null
      if (row.id !== accountId) throw new Error("a row of another account")
      return {
        version: row.version,
        async read(idMax, limit) {
          const [row] = await db.read<PageRow>(readPage, [accountId, idMax, limit])
          if (row?.accountId === null) return null
          if (row?.accountId !== accountId) throw new Error("a row of another account")
          return { count: row.count, lastId: row.lastId, bytes: utf8.encode(row.text) }
        },
      }
    },
  }
}
