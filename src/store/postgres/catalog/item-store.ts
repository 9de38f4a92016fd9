import {
  type Item,
  type ItemSearch,
  type ItemStore,
  type ItemTitle,
  type ListPage,
  pageBytesMax,
} from "../../../domain/catalog/item.ts"
import { createItemSearch, titleColumns } from "../../sql/catalog/shared-item-search.ts"
import { batchLookups } from "../connection/batch-lookups.ts"
import type { Database } from "../connection/database.ts"

const itemColumns = `i.id, i.account_id, i.is_hidden, i.body,
  i.download_url`

type PageRow = Omit<ListPage, "bytes"> & Readonly<{ accountId: number | null; text: string }>

const utf8 = new TextEncoder()
/** One row more than the limit shows whether there is another page. */
const readPage = `WITH sized AS MATERIALIZED (
    SELECT id, octet_length(body) AS bytes FROM items
    WHERE account_id = $1 AND NOT is_hidden AND id <= $2 ORDER BY id DESC LIMIT $3 + 1),
  numbered AS (
    SELECT id, row_number() OVER newest AS ordinal, sum(bytes) OVER newest AS bytes FROM sized
    WINDOW newest AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING))
  SELECT (SELECT id FROM accounts WHERE id = $1) AS account_id, count(*) AS count,
    coalesce(min(id), 0) AS last_id, count(*) = (SELECT count(*) FROM sized) AS is_last,
    coalesce(string_agg(body, ',' ORDER BY id DESC), '') AS text
  FROM numbered JOIN items USING (id)
  WHERE ordinal = 1 OR (ordinal <= $3 AND bytes <= ${pageBytesMax})`

type ItemLookup = Readonly<{ accountId: number; id: number }>

export function postgresItems(db: Database): ItemStore {
  const keyOf = ({ accountId, id }: ItemLookup) => `${accountId} ${id}`
  const find = batchLookups<ItemLookup, Item>({
    query: (lookups) =>
      db.read(`SELECT ${itemColumns} FROM items i WHERE id = ANY ($1) AND account_id = ANY ($2)`, [
        lookups.map(({ id }) => id),
        lookups.map(({ accountId }) => accountId),
      ]),
    keyOfLookup: keyOf,
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
      if (row.id !== accountId) throw otherAccount(row.id, accountId)
      return {
        version: row.version,
        async read(idMax, limit) {
          const [row] = await db.read<PageRow>(readPage, [accountId, idMax, limit])
          if (row?.accountId === null) return null
          if (row?.accountId !== accountId) throw otherAccount(row?.accountId, accountId)
          const { count, lastId, isLast, text } = row
          return { count, lastId, isLast, bytes: utf8.encode(text) }
        },
      }
    },
  }
}

const otherAccount = (found: number | undefined, wanted: number) =>
  new Error(`database returned account ${found} instead of ${wanted}`)

/** LATERAL parses the JSON of an item once. */
const selectFound = (page: string, order: string) =>
  `SELECT page.id, is_hidden, name, category, currency, media ->> 'thumbnail' AS thumbnail,
     price, published_at
   FROM (${page}) page,
     LATERAL json_to_record(body::json) AS fields(category text, currency text, media json)
   ORDER BY ${order}`

/** The order of the index `items_by_name`; items without a name sort first. */
const unnamed = `SELECT ${titleColumns} FROM items
  WHERE account_id = $1 AND lower(name) IS NULL AND id > $2 ORDER BY id LIMIT $3`
const named = `SELECT ${titleColumns} FROM items
  WHERE account_id = $1 AND (lower(name), id) > (lower($2 COLLATE "C"), $3)
  ORDER BY lower(name), id LIMIT $4`

export function postgresItemSearch(db: Database): ItemSearch {
  const { read } = db
  return createItemSearch(db, {
    readPage: (accountId, order, limit, offset) =>
      read(
        selectFound(
          `SELECT * FROM items WHERE account_id = $1 ORDER BY ${order} LIMIT $2 OFFSET $3`,
          order,
        ),
        [accountId, limit, offset],
      ),
    async readTitles(accountId, last, limit) {
      if (last !== null && last.name !== null) {
        return read<ItemTitle>(named, [accountId, last.name, last.id, limit])
      }
      const first = await read<ItemTitle>(unnamed, [accountId, last?.id ?? 0, limit])
      if (first.length === limit) return first
      const rest = await read<ItemTitle>(named, [accountId, "", 0, limit - first.length])
      return [...first, ...rest]
    },
    readItems: (accountId, ids) =>
      read(
        selectFound(
          "SELECT * FROM items WHERE id = ANY ($1::bigint[]) AND account_id = $2",
          "array_position($1::bigint[], id)",
        ),
        [ids, accountId],
      ),
  })
}
