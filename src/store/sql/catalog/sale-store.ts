/** Lists purchases: a sale is a purchase as its author or an operator lists it. */
import { countPage } from "../../../domain/catalog/item.ts"
import {
  type PurchaseText,
  priceUnits,
  purchaseFieldsOf,
} from "../../../domain/catalog/purchase.ts"
import { lowerAscii } from "../../../domain/catalog/purchase-code.ts"
import {
  digestOfCode,
  parseSaleId,
  type Sale,
  type SaleFilter,
  type SaleId,
  type SaleStore,
  saleIdOf,
  searchedSalesMax,
} from "../../../domain/catalog/sale.ts"
import { oldestSlotDay } from "../../../domain/catalog/site.ts"
import { chunk } from "../../../domain/values/chunk.ts"
import { dayAfter, type Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"

type Position = Readonly<{ soldAt: Timestamp; code: string }>

type Found = readonly [soldAt: Timestamp, code: string, itemId: number, buyer: string | null]

type Row = Omit<Sale, "licenseType" | "price" | "currency" | "soldAt" | "supportedUntil"> &
  PurchaseText

type TextRow = PurchaseText &
  Readonly<{ code: string; itemId: number; buyer: string | null; bytes: number }>

/** `newest` is a sort key of `sortKeyOf`. */
type Head = Readonly<{ itemId: number; newest: string }>
type NewestOfItem = Readonly<{ itemId: number; found: readonly Found[] }>
type Condition = Readonly<{ sql: string; values: readonly Value[] }>

const idMax = Number.MAX_SAFE_INTEGER
/** Sorts after every code. */
const lastCode = "\u{10ffff}"

/** Older sales cannot be on the page, because `wanted` items have newer ones. Empty if fewer items were found. */
const sinceOf = (heads: readonly Head[], wanted: number) =>
  (heads[wanted - 1]?.newest ?? "").slice(0, 20)

/** Sorts like the index. */
const sortKeyOf = ([soldAt, code]: Found) => `${soldAt}${lowerAscii(code)}\n${code}`
const newestFirst = (one: Found, other: Found) => (sortKeyOf(one) > sortKeyOf(other) ? -1 : 1)

/**
 * No index has the sales of an author by date: items can move to another author, and a second index of this size would
 * slow down imports. So the newest sale of each item is looked up first. Further sales are read only of items whose
 * newest sale is on the page.
 */
export function createSaleStore(db: SqlDatabase): SaleStore {
  const itemsPerQueryMax = db.isBlocking ? 500 : 5_000
  // SQLite sorts rows to group them, which takes twice as long as to add them up here.
  const isGrouping = !db.isBlocking
  const order = "p.sold_at DESC, p.folded DESC, p.code DESC"

  /** A condition on purchases `p`. `first` is the number of its first parameter. */
  function conditionOf({ state, range, since }: SaleFilter, after: Position | null, first: number) {
    let sql = ""
    const values: Value[] = []
    const bind = (value: Value) => `$${first - 1 + values.push(value)}`
    if (state !== null) sql += state === "valid" ? " AND NOT p.is_revoked" : " AND p.is_revoked"
    for (const from of [range?.from, since]) if (from) sql += ` AND p.sold_at >= ${bind(from)}`
    if (range !== null) sql += ` AND p.sold_at < ${bind(dayAfter(range.to))}`
    if (after !== null) {
      const [at, folded, code] = [after.soldAt, lowerAscii(after.code), after.code].map(bind)
      sql += ` AND p.sold_at <= ${at} AND (p.sold_at, p.folded, p.code) < (${at}, ${folded}, ${code})`
    }
    return { sql, values }
  }

  async function findPosition(accountId: number, id: SaleId): Promise<Position | null> {
    const parsed = parseSaleId(id)
    if (parsed === null) return null
    const { itemId, soldAt: at, digest } = parsed
    const found = await db.read<Pick<Position, "code">>(
      `SELECT p.code FROM items i CROSS JOIN purchases p
       WHERE i.id = $2 AND i.account_id = $1 AND p.item_id = i.id AND p.sold_at = $3`,
      [accountId, itemId, at],
    )
    const sale = found.find(({ code }) => digestOfCode(code) === digest)
    return sale === undefined ? null : { soldAt: at, ...sale }
  }

  /** If the sale `after` was deleted, the page repeats the sales of its second: none is left out. */
  async function findPageStart(accountId: number, after: SaleId | null): Promise<Position | null> {
    const { soldAt } = parseSaleId(after ?? "") ?? {}
    if (after === null || soldAt === undefined) return null
    return (await findPosition(accountId, after)) ?? { soldAt, code: lastCode }
  }

  /** Splits the items of the author into ranges of the index by account, or the given ones into lists. */
  async function* listRanges(
    accountId: number,
    itemIds: SaleFilter["itemIds"],
    firstSize = itemsPerQueryMax,
  ): AsyncGenerator<Condition> {
    if (itemIds !== null) {
      const sql = `i.account_id = $1 AND i.id ${db.among("$2", "bigint")}`
      for (const ids of chunk(itemIds, itemsPerQueryMax)) {
        yield { sql, values: [accountId, JSON.stringify(ids)] }
      }
      return
    }
    const condition = "i.account_id = $1 AND i.is_hidden = $2 AND i.id > $3"
    let size = Math.min(firstSize, itemsPerQueryMax)
    for (const isHidden of [false, true]) {
      let values: readonly Value[] = [accountId, isHidden, 0]
      for (;;) {
        const [last] = await db.read<{ id: number }>(
          `SELECT i.id FROM items i WHERE ${condition} ORDER BY i.id LIMIT 1 OFFSET ${size - 1}`,
          values,
        )
        yield { sql: `${condition} AND i.id <= $4`, values: [...values, last?.id ?? idMax] }
        if (last === undefined) break
        values = [accountId, isHidden, last.id]
        size = itemsPerQueryMax
      }
    }
  }

  /** Returns at most `eachMax` sales of each item, newest first, not older than `since`. */
  async function readNewest(
    itemIds: readonly number[],
    { sql, values }: Condition,
    since: string,
    eachMax: number,
  ): Promise<readonly NewestOfItem[]> {
    // The planner of PostgreSQL expects an average number of sales per item, and would sort all sales of a larger one.
    // It uses the index if a subquery hides the limit.
    const read = await db.read<{ itemId: number; found: string | readonly Found[] | null }>(
      `SELECT i.id AS item_id, (
         SELECT ${db.listOf("found")} FROM (
           SELECT ${db.array("p.sold_at, p.code, p.item_id, p.buyer")} AS found FROM purchases p
           WHERE p.item_id = i.id AND p.sold_at >= $3${sql} ORDER BY ${order}
           LIMIT (SELECT CAST($2 AS bigint))
         ) AS newest
       ) AS found
       FROM items i WHERE i.id ${db.among("$1", "bigint")}`,
      [JSON.stringify(itemIds), eachMax, since, ...values],
    )
    return read.map(({ itemId, found }) => ({
      itemId,
      found: typeof found === "string" ? JSON.parse(found) : (found ?? []),
    }))
  }

  /** Returns the newest sale of each of the `wanted` items that sold last, newest first. */
  async function findHeads(
    accountId: number,
    filter: SaleFilter,
    after: Position | null,
    wanted: number,
  ): Promise<readonly Head[]> {
    const heads: Head[] = []
    async function readHeads(range: Condition): Promise<void> {
      const { sql, values } = conditionOf(filter, after, range.values.length + 2)
      const read = await db.read<Head | Readonly<{ itemId: number; newest: null }>>(
        `SELECT i.id AS item_id, (SELECT p.sold_at || p.folded || '\n' || p.code FROM purchases p
           WHERE p.item_id = i.id AND p.sold_at >= $${range.values.length + 1}${sql}
           ORDER BY ${order} LIMIT 1) AS newest
         FROM items i WHERE ${range.sql} ORDER BY newest DESC NULLS LAST LIMIT ${wanted}`,
        [...range.values, sinceOf(heads, wanted), ...values],
      )
      for (const each of read) if (each.newest !== null) heads.push(each)
      heads.sort((one, other) => (one.newest > other.newest ? -1 : 1)).splice(wanted)
    }
    const ranges = listRanges(accountId, filter.itemIds, Math.max(500, 2 * wanted))
    const [first, ...others] = await Array.fromAsync(ranges)
    // The first range sets the lower bound for the others.
    if (first !== undefined) await readHeads(first)
    await Promise.all(others.map(readHeads))
    return heads
  }

  /**
   * Returns at most `rowsMax` sales, newest first; `isEnd` if no others follow. Reads a few sales of each item first, then
   * more of the items whose older sales may be on the page.
   */
  async function findSales(
    accountId: number,
    filter: SaleFilter,
    after: Position | null,
    rowsMax: number,
  ): Promise<Readonly<{ found: readonly Found[]; isEnd: boolean }>> {
    // One more shows whether others follow.
    const wanted = rowsMax + 1
    const heads = await findHeads(accountId, filter, after, wanted)
    const condition = conditionOf(filter, after, 4)
    const salesByItem = new Map<number, readonly Found[]>()
    let ids = heads.map(({ itemId }) => itemId)
    let since = sinceOf(heads, wanted)
    let eachMax = Math.min(wanted, Math.ceil(wanted / Math.max(1, ids.length)) + rowsPerItemMin)
    let newest: readonly Found[] = []
    while (ids.length > 0) {
      const full: (readonly [itemId: number, oldest: string])[] = []
      const [from, most] = [since, eachMax]
      const half = Math.max(itemsPerQueryMin, Math.ceil(ids.length / 2))
      const reads = chunk(ids, Math.min(itemsPerQueryMax, half))
      const read = await Promise.all(reads.map((some) => readNewest(some, condition, from, most)))
      for (const { itemId, found } of read.flat()) {
        salesByItem.set(itemId, found)
        const oldest = found.at(-1)
        if (oldest !== undefined && found.length === eachMax) full.push([itemId, sortKeyOf(oldest)])
      }
      newest = [...salesByItem.values()].flat().toSorted(newestFirst).slice(0, wanted)
      const oldest = newest[wanted - 1]
      since = oldest?.[0] ?? ""
      const end = oldest === undefined ? "" : sortKeyOf(oldest)
      ids = full.filter(([, last]) => last > end).map(([itemId]) => itemId)
      eachMax = Math.min(wanted, eachMax * 4)
    }
    return { found: newest.slice(0, rowsMax), isEnd: newest.length <= rowsMax }
  }

  async function readFound<Row extends Readonly<{ code: string }>>(
    accountId: number,
    found: readonly Found[],
    columns: string,
    ...values: readonly Value[]
  ): Promise<ReadonlyMap<string, Row>> {
    const codes = found.map(([, code]) => ({ folded: lowerAscii(code), code }))
    const rows = await db.read<Row>(
      `SELECT p.code, p.item_id, p.buyer, p.before_item,
         p.after_item, ${columns}
       FROM ${db.rows("folded text, code text")} CROSS JOIN purchases p CROSS JOIN items i
       WHERE p.folded = new.folded AND p.code = new.code AND i.id = p.item_id AND i.account_id = $2`,
      [JSON.stringify(codes), accountId, ...values],
    )
    return new Map(rows.map((row) => [row.code, row]))
  }

  async function readSales(accountId: number, found: readonly Found[], at: Timestamp) {
    const rows = await readFound<Row>(
      accountId,
      found,
      `i.name AS item_name, p.valid_until, p.is_revoked AS is_refunded,
       (SELECT count(*) FROM purchase_sites s WHERE s.folded = p.folded AND s.code = p.code
          AND s.ordinal > 0 AND s.last_day >= $3) AS sites`,
      oldestSlotDay(at),
    )
    return found.flatMap(([, code]) => {
      const row = rows.get(code)
      return row === undefined ? [] : [toSale(row)]
    })
  }

  /** `count` is how many of `found` the page has room for, including sales that were deleted since. */
  async function readBodies(accountId: number, found: readonly Found[]) {
    const texts = await readFound<TextRow>(accountId, found, "octet_length(i.body) AS bytes")
    const sizes = found.map(([, code]) => {
      const { beforeItem = "", afterItem = "", bytes = 0 } = texts.get(code) ?? {}
      return beforeItem.length + afterItem.length + bytes
    })
    const count = countPage(sizes)
    const listed = found.slice(0, count).flatMap(([, code]) => texts.get(code) ?? [])
    const items = await db.read<{ id: number; body: string }>(
      `SELECT i.id, i.body FROM items i WHERE i.account_id = $1 AND i.id ${db.among("$2", "bigint")}`,
      [accountId, JSON.stringify([...new Set(listed.map(({ itemId }) => itemId))])],
    )
    const bodyOf = new Map(items.map(({ id, body }) => [id, body]))
    const purchases = listed.flatMap(({ code, itemId, buyer, beforeItem, afterItem }) => {
      const item = bodyOf.get(itemId)
      return item === undefined ? [] : [{ code, buyer, body: `${beforeItem}${item}${afterItem}` }]
    })
    return { count, purchases }
  }

  return {
    async list(accountId, filter, after, rowsMax, at) {
      const position = await findPageStart(accountId, after)
      const { found, isEnd } = await findSales(accountId, filter, position, rowsMax)
      const sales = await readSales(accountId, found, at)
      return { sales, next: isEnd ? null : idOf(found.at(-1)) }
    },
    async search(accountId, filter, isWanted, after, rowsMax, at) {
      const position = await findPageStart(accountId, after)
      const { found, isEnd } = await findSales(accountId, filter, position, searchedSalesMax)
      const matching = found.filter(([, , , buyer]) => isWanted(buyer ?? ""))
      const shown = matching.slice(0, rowsMax)
      const isCut = matching.length > rowsMax
      return {
        sales: await readSales(accountId, shown, at),
        next: isEnd && !isCut ? null : idOf((isCut ? shown : found).at(-1)),
      }
    },
    async listPurchases(accountId, filter, { after, offset, rowsMax }) {
      let position = await findPageStart(accountId, after)
      for (let left = offset; left > 0; ) {
        const skipped = Math.min(left, searchedSalesMax)
        const { found, isEnd } = await findSales(accountId, filter, position, skipped)
        if (isEnd) return { purchases: [], next: null }
        left -= found.length
        const last = found.at(-1)
        if (last !== undefined) position = { soldAt: last[0], code: last[1] }
      }
      const { found, isEnd } = await findSales(accountId, filter, position, rowsMax)
      const { count, purchases } = await readBodies(accountId, found)
      const isLast = isEnd && count === found.length
      return { purchases, next: isLast ? null : idOf(found[count - 1]) }
    },
    async sumByDay(accountId, filter) {
      const days = new Map<string, { sales: number; amount: number }>()
      const { sql, values } = conditionOf(filter, null, 2)
      for await (const range of listRanges(accountId, filter.itemIds)) {
        // Two queries: the planner of PostgreSQL expects an average number of sales per item, and would join all.
        const select = `SELECT i.id FROM items i WHERE ${range.sql}`
        const items = await db.read<{ id: number }>(select, range.values)
        const read = await db.read<{ key: string; sales?: number; amount: number }>(
          `SELECT substr(p.sold_at, 1, 10) || p.currency || CASE WHEN p.is_revoked THEN 1 ELSE 0 END AS key,
             ${isGrouping ? "count(*) AS sales, CAST(sum(p.price) AS bigint) AS amount" : "p.price AS amount"}
           FROM purchases p WHERE p.item_id ${db.among("$1", "bigint")}${sql}
           ${isGrouping ? "GROUP BY 1" : ""}`,
          [JSON.stringify(items.map(({ id }) => id)), ...values],
        )
        for (const { key, sales = 1, amount } of read) {
          const sum = days.get(key) ?? { sales: 0, amount: 0 }
          days.set(key, { sales: sum.sales + sales, amount: sum.amount + amount })
        }
      }
      return [...days]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, { sales, amount }]) => ({
          day: key.slice(0, 10),
          currency: key.slice(10, 13),
          isRefunded: key.endsWith("1"),
          sales,
          amount: amount / priceUnits,
        }))
    },
    findCode: async (accountId, id) => (await findPosition(accountId, id))?.code ?? null,
  }
}

function idOf(found: Found | undefined): SaleId | null {
  if (found === undefined) return null
  const [soldAt, code, itemId] = found
  return saleIdOf({ itemId, soldAt, code })
}

/** Sales of each item in the first read: a page of the sales of one item takes a single read. */
const rowsPerItemMin = 25
/** Fewer items are not split into two concurrent queries. */
const itemsPerQueryMin = 50

function toSale({ beforeItem, afterItem, ...row }: Row): Sale {
  const fields = purchaseFieldsOf({ beforeItem, afterItem })
  const { license_type: licenseType, price, currency, date: soldAt } = fields
  return {
    ...row,
    licenseType,
    price,
    currency,
    soldAt,
    supportedUntil: fields.supported_until ?? null,
  }
}
