import { allOf, rawSql, type Sql, type SqlDatabase, sql } from "../platform/database/sql.ts"
import { foldLetters } from "../platform/text.ts"
import {
  type FoundItem,
  type ItemSearch,
  type ItemSort,
  type ItemSummary,
  type ListedItem,
  priceUnits,
} from "./item.ts"

type Row = ItemSummary & Readonly<{ foldedName: string }>

const fields = { folded_name: "foldedName", price: "price", published_at: "publishedAt" } as const
type Column = keyof typeof fields

const columns: Readonly<Record<ItemSort, Column>> = {
  name: "folded_name",
  "-name": "folded_name",
  price: "price",
  "-price": "price",
  published: "published_at",
  "-published": "published_at",
}

/** No name is as long, and SQLite has a limit for patterns. */
const patternUnitsMax = 20_000

const containsText = (folded: string): Sql =>
  folded.length > patternUnitsMax
    ? sql`false`
    : sql`folded_name LIKE ${`%${folded.replaceAll(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`

/** Items whose name contains the text, and the one with this id. Null for an empty text. */
function matchItem(text: string): Sql | null {
  if (text === "") return null
  const contains = containsText(foldLetters(text))
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
  return id === null ? contains : sql`(${contains} OR id = ${id})`
}

type Position = Readonly<{ value: string | number; id: number }>

function parsePosition(after: string, column: Column): Position | null {
  const [, id = "", text = ""] = /^(\d{1,15}):(.*)$/s.exec(after) ?? []
  const value = column === "price" ? Number(text) : text
  return id === "" || !(typeof value === "string" || Number.isSafeInteger(value))
    ? null
    : { value, id: Number(id) }
}

export function createItemSearch(db: SqlDatabase): ItemSearch {
  const readItems = (rest: Sql) =>
    db.read<Row>`SELECT id, is_hidden, name, folded_name, published_at, price,
        ${db.fromJson("body", "category")} AS category, ${db.fromJson("body", "currency")} AS currency,
        ${db.fromJson("body", "media", "thumbnail")} AS thumbnail
      FROM items WHERE ${rest}`
  async function listIds(accountId: number, condition: Sql): Promise<readonly number[]> {
    const rows = await db.read<{ id: number }>`
      SELECT id FROM items WHERE account_id = ${accountId} AND ${condition}`
    return rows.map(({ id }) => id)
  }
  return {
    async search(accountId, { text, sort, after, rowsMax }) {
      const isDescending = sort.startsWith("-")
      const last = after === null ? null : parsePosition(after, columns[sort])
      const column = rawSql(columns[sort])
      const order = isDescending
        ? sql`ORDER BY ${column} DESC, id DESC`
        : sql`ORDER BY ${column}, id`
      const isLater = isDescending ? sql`<` : sql`>`
      const conditions = allOf([
        sql`account_id = ${accountId}`,
        matchItem(text),
        last && sql`(${column}, id) ${isLater} (${last.value}, ${last.id})`,
      ])
      const ids = sql`SELECT id FROM items WHERE ${conditions} ${order} LIMIT ${rowsMax + 1}`
      const rows = await readItems(sql`id IN (${ids}) ${order}`)
      const items = rows.slice(0, rowsMax).map(toSummary)
      const end = rows.length > rowsMax ? rows[rowsMax - 1] : undefined
      return { items, next: end ? `${end.id}:${end[fields[columns[sort]]]}` : null }
    },
    async listByIds(accountId, ids) {
      const rows = await readItems(sql`account_id = ${accountId} AND id ${db.among(ids, "bigint")}`)
      const found = new Map(rows.map((row) => [row.id, toSummary(row)]))
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    async listIdsByName(accountId, text) {
      const folded = foldLetters(text)
      const named = await listIds(accountId, sql`folded_name = ${folded}`)
      return named.length > 0 ? named : listIds(accountId, containsText(folded))
    },
    async findOfAny(id) {
      const item = await db.find<Omit<FoundItem, "purchases">>`
      SELECT i.id, i.account_id, i.is_hidden, i.body, i.download_url, a.username, a.is_suspended
      FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id = ${id}`
      if (item === null) return null
      return { ...item, purchases: await db.count(countSalesOfItem(id)) }
    },
    listOfAny: (text, rowsMax) =>
      db.read<ListedItem>`
      SELECT i.id, i.account_id, i.name, a.username
      FROM items i JOIN accounts a ON a.id = i.account_id
      WHERE i.id IN (SELECT id FROM items ${db.indexedBy("items_by_id")}
        WHERE ${matchItem(text) ?? sql`true`} ORDER BY id DESC LIMIT ${rowsMax})
      ORDER BY i.id DESC`,
    count: (accountId) =>
      db.count`SELECT items FROM account_counts WHERE account_id = ${accountId}`,
  }
}

const toSummary = ({ foldedName: _, price, ...row }: Row): ItemSummary => ({
  ...row,
  price: price / priceUnits,
})

export const countSalesOfItem = (itemId: number) => sql`
  SELECT CAST(coalesce(sum(d.sales), 0) AS bigint) FROM items i
  JOIN daily_sales d ON d.account_id = i.account_id AND d.item_id = i.id WHERE i.id = ${itemId}`
