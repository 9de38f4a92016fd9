import { batchLookups, type Database } from "../platform/database/postgres.ts"
import { tuples } from "../platform/database/sql.ts"
import { type Item, type ItemStore, pageBytesMax } from "./item.ts"

type PageRow = readonly [
  accountId: number | null,
  count: number,
  lastId: number,
  isLast: boolean,
  text: string,
]

const utf8 = new TextEncoder()
/** One row more than the limit shows whether there is another page. */
const selectPage = (accountId: number, idMax: number, limit: number) => tuples`
  WITH sized (id, bytes) AS MATERIALIZED (
    SELECT id, octet_length(body) FROM items
    WHERE account_id = ${accountId} AND NOT is_hidden AND id <= ${idMax} ORDER BY id DESC LIMIT ${limit + 1}),
  numbered (id, ordinal, bytes) AS (
    SELECT id, row_number() OVER newest, sum(bytes) OVER newest FROM sized
    WINDOW newest AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING))
  SELECT (SELECT id FROM accounts WHERE id = ${accountId}), count(*), coalesce(min(id), 0),
    count(*) = (SELECT count(*) FROM sized), coalesce(string_agg(body, ',' ORDER BY id DESC), '')
  FROM numbered JOIN items USING (id)
  WHERE ordinal = 1 OR (ordinal <= ${limit} AND bytes <= ${pageBytesMax})`

type ItemLookup = Readonly<{ accountId: number; id: number }>

export function postgresItems(db: Database): ItemStore {
  const nameLookup = ({ accountId, id }: ItemLookup) => `${accountId} ${id}`
  const find = batchLookups<ItemLookup, Item>({
    query: (lookups) => db.read`SELECT id, account_id, is_hidden, body, download_url FROM items
      WHERE id = ANY (${lookups.map(({ id }) => id)})
        AND account_id = ANY (${lookups.map(({ accountId }) => accountId)})`,
    keyOfLookup: nameLookup,
    keyOfRow: nameLookup,
  })
  return {
    find: async (accountId, id) => (await find({ accountId, id }))[0] ?? null,
    async findList(accountId) {
      const [row] = await db.read<{ id: number; listVersion: string }>`
        SELECT id, list_version FROM accounts WHERE id = ${accountId}`
      if (row === undefined) return null
      if (row.id !== accountId) throw otherAccount(row.id, accountId)
      return {
        version: row.listVersion,
        async read(idMax, limit) {
          const [row] = await db.read<PageRow>(selectPage(accountId, idMax, limit))
          const [foundId, count = 0, lastId = 0, isLast = true, text = ""] = row ?? []
          if (foundId === null) return null
          if (foundId !== accountId) throw otherAccount(foundId, accountId)
          return { count, lastId, isLast, bytes: utf8.encode(text) }
        },
      }
    },
  }
}

const otherAccount = (found: number | undefined, wanted: number) =>
  new Error(`database returned account ${found} instead of ${wanted}`)
