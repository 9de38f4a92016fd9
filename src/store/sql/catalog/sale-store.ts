import { purchaseFieldsOf } from "../../../domain/catalog/purchase.ts"
import { lowerAscii } from "../../../domain/catalog/purchase-code.ts"
import {
  digestOfCode,
  parseSaleId,
  type Sale,
  type SaleFilter,
  type SaleId,
  type SaleStore,
  type SalesOfDay,
  saleIdOf,
  searchedSalesMax,
} from "../../../domain/catalog/sale.ts"
import { oldestSlotDay } from "../../../domain/catalog/site-limits.ts"
import { chunk } from "../../../domain/values/chunk.ts"
import { dayAfter, type Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"

/** What differs between the stores. The texts are those of the index of purchases by date. */
export type SaleRows = Readonly<{
  soldAt: string
  isRefunded: string
  /** Makes a JSON array of values, and of the column `found`. */
  array: "json_build_array" | "json_array"
  listFound: string
  /** An embedded store answers nothing else while it reads. */
  itemsAtOnce: number
}>

/** The position of a sale in the list. */
type Position = Readonly<{ soldAt: Timestamp; code: string }>

/** A sale before its row is read. */
type Found = readonly [soldAt: Timestamp, code: string, itemId: number, buyer: string | null]

type Row = Pick<Sale, "code" | "itemId" | "itemName" | "buyer" | "isRefunded" | "sites"> &
  Readonly<{ beforeItem: string; afterItem: string }>

/** `newest` is a text as `orderOf` makes it. */
type Head = Readonly<{ itemId: number; newest: string }>
type NewestOfItem = Readonly<{ itemId: number; found: readonly Found[] }>
type Condition = Readonly<{ sql: string; values: readonly Value[] }>

/** The largest id that both databases compare. */
const beyondAll = Number.MAX_SAFE_INTEGER

/** Sales before this timestamp are not wanted: `wanted` items have a newer one. Empty while fewer items are known. */
const sinceOf = (heads: readonly Head[], wanted: number) =>
  (heads[wanted - 1]?.newest ?? "").slice(0, 20)

/** A text that sorts as the index does. */
const orderOf = ([soldAt, code]: Found) => `${soldAt}${lowerAscii(code)}\n${code}`
const newestFirst = (one: Found, other: Found) => (orderOf(one) > orderOf(other) ? -1 : 1)

/**
 * No index has the sales of an author by date: an item may move to another author, and a second index of that size
 * would slow down imports. So the newest sale of each item is looked up, and only the items whose newest sales are on the page are
 * read further.
 */
export function createSaleStore(db: SqlDatabase, rows: SaleRows): SaleStore {
  const { soldAt, isRefunded, array, listFound, itemsAtOnce } = rows
  const order = [soldAt, "p.folded", "p.code"].map((each) => `${each} DESC`).join(", ")

  /** Of purchases `p`, with values from `$first` on. */
  function conditionOf(
    { state, range }: SaleFilter,
    after: Position | null,
    first: number,
  ): Condition {
    const conditions: string[] = []
    const values: Value[] = []
    const add = (text: (parameter: string) => string, value: Value) => {
      conditions.push(text(`$${first + values.length}`))
      values.push(value)
    }
    if (state !== null) conditions.push(state === "valid" ? `NOT ${isRefunded}` : isRefunded)
    if (range !== null) {
      add((from) => `${soldAt} >= ${from}`, range.from)
      add((end) => `${soldAt} < ${end}`, dayAfter(range.to))
    }
    if (after !== null) {
      const [at, folded, code] = [0, 1, 2].map((nth) => `$${first + values.length + nth}`)
      conditions.push(
        `${soldAt} <= ${at} AND (${soldAt}, p.folded, p.code) < (${at}, ${folded}, ${code})`,
      )
      values.push(after.soldAt, lowerAscii(after.code), after.code)
    }
    return { sql: conditions.map((each) => ` AND ${each}`).join(""), values }
  }

  async function findPosition(accountId: number, address: SaleId): Promise<Position | null> {
    const parsed = parseSaleId(address)
    if (parsed === null) return null
    const { itemId, soldAt: at, digest } = parsed
    const found = await db.read<Pick<Position, "code">>(
      `SELECT p.code FROM items i CROSS JOIN purchases p
       WHERE i.id = $2 AND i.account_id = $1 AND p.item_id = i.id AND ${soldAt} = $3`,
      [accountId, itemId, at],
    )
    const sale = found.find(({ code }) => digestOfCode(code) === digest)
    return sale === undefined ? null : { soldAt: at, ...sale }
  }

  /** After a sale that was removed in the meantime, the list goes on with older ones. */
  async function findPageStart(accountId: number, after: SaleId | null): Promise<Position | null> {
    const { soldAt } = parseSaleId(after ?? "") ?? {}
    if (after === null || soldAt === undefined) return null
    return (await findPosition(accountId, after)) ?? { soldAt, code: "" }
  }

  /** The author's items in pieces, along the index of items by account; or the one item. The first piece may be smaller. */
  async function* listPieces(
    accountId: number,
    itemId: number | null,
    firstSize = itemsAtOnce,
  ): AsyncGenerator<Condition> {
    if (itemId !== null) {
      yield { sql: "i.account_id = $1 AND i.id = $2", values: [accountId, itemId] }
      return
    }
    const behind = "i.account_id = $1 AND i.hidden = $2 AND i.id > $3"
    let size = Math.min(firstSize, itemsAtOnce)
    for (const isHidden of [false, true]) {
      let values: readonly Value[] = [accountId, isHidden, 0]
      for (;;) {
        const [last] = await db.read<{ id: number }>(
          `SELECT i.id FROM items i WHERE ${behind} ORDER BY i.id LIMIT 1 OFFSET ${size - 1}`,
          values,
        )
        yield { sql: `${behind} AND i.id <= $4`, values: [...values, last?.id ?? beyondAll] }
        if (last === undefined) break
        values = [accountId, isHidden, last.id]
        size = itemsAtOnce
      }
    }
  }

  /** The newest sales of each of these items from a moment on, at most `eachMax`. */
  async function readNewest(
    itemIds: readonly number[],
    { sql, values }: Condition,
    since: string,
    eachMax: number,
  ): Promise<readonly NewestOfItem[]> {
    // The planner of PostgreSQL takes every item for an average one, and would sort all sales of a larger one. It reads
    // along the index where a subquery hides the limit.
    const read = await db.read<{ itemId: number; found: string | readonly Found[] | null }>(
      `SELECT i.id AS "itemId", (
         SELECT ${listFound} FROM (
           SELECT ${array}(${soldAt}, p.code, p.item_id, p.buyer) AS found FROM purchases p
           WHERE p.item_id = i.id AND ${soldAt} >= $3${sql} ORDER BY ${order}
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

  /** The newest sale of the items that sold last, at most `wanted` of them, newest first. */
  async function findHeads(
    accountId: number,
    filter: SaleFilter,
    after: Position | null,
    wanted: number,
  ): Promise<readonly Head[]> {
    const heads: Head[] = []
    async function readHeads(piece: Condition): Promise<void> {
      const { sql, values } = conditionOf(filter, after, piece.values.length + 2)
      const read = await db.read<Head | Readonly<{ itemId: number; newest: null }>>(
        `SELECT i.id AS "itemId", (SELECT ${soldAt} || p.folded || '\n' || p.code FROM purchases p
           WHERE p.item_id = i.id AND ${soldAt} >= $${piece.values.length + 1}${sql}
           ORDER BY ${order} LIMIT 1) AS newest
         FROM items i WHERE ${piece.sql} ORDER BY newest DESC NULLS LAST LIMIT ${wanted}`,
        [...piece.values, sinceOf(heads, wanted), ...values],
      )
      for (const each of read) if (each.newest !== null) heads.push(each)
      heads.sort((one, other) => (one.newest > other.newest ? -1 : 1)).splice(wanted)
    }
    const pieces = listPieces(accountId, filter.itemId, Math.max(500, 2 * wanted))
    const [first, ...others] = await Array.fromAsync(pieces)
    // The others look up only sales that are new enough beside those of the first piece.
    if (first !== undefined) await readHeads(first)
    await Promise.all(others.map(readHeads))
    return heads
  }

  /**
   * At most `rowsMax`, newest first; `isEnd` if no others follow. A few of each item are read at first, and more of those whose
   * older sales may be among the newest of all.
   */
  async function findSales(
    accountId: number,
    filter: SaleFilter,
    after: Position | null,
    rowsMax: number,
  ): Promise<Readonly<{ found: readonly Found[]; isEnd: boolean }>> {
    // One more tells whether others follow.
    const wanted = rowsMax + 1
    const heads = await findHeads(accountId, filter, after, wanted)
    const condition = conditionOf(filter, after, 4)
    const ofItems = new Map<number, readonly Found[]>()
    let ids = heads.map(({ itemId }) => itemId)
    let since = sinceOf(heads, wanted)
    let eachMax = Math.min(wanted, Math.ceil(wanted / Math.max(1, ids.length)) + rowsOfItemMin)
    let newest: readonly Found[] = []
    while (ids.length > 0) {
      const full: (readonly [itemId: number, oldest: string])[] = []
      const [from, most] = [since, eachMax]
      const reads = chunk(ids, Math.min(itemsAtOnce, Math.max(itemsMin, Math.ceil(ids.length / 2))))
      const read = await Promise.all(reads.map((some) => readNewest(some, condition, from, most)))
      for (const { itemId, found } of read.flat()) {
        ofItems.set(itemId, found)
        const oldest = found.at(-1)
        if (oldest !== undefined && found.length === eachMax) full.push([itemId, orderOf(oldest)])
      }
      newest = [...ofItems.values()].flat().toSorted(newestFirst).slice(0, wanted)
      const oldest = newest[wanted - 1]
      since = oldest?.[0] ?? ""
      const end = oldest === undefined ? "" : orderOf(oldest)
      ids = full.filter(([, last]) => last > end).map(([itemId]) => itemId)
      eachMax = Math.min(wanted, eachMax * 4)
    }
    return { found: newest.slice(0, rowsMax), isEnd: newest.length <= rowsMax }
  }

  async function readRows(
    accountId: number,
    found: readonly Found[],
    at: Timestamp,
  ): Promise<readonly Sale[]> {
    const read = await db.read<Row>(
      `SELECT p.code, p.item_id AS "itemId", i.name AS "itemName", p.buyer,
         p.revoked AS "isRefunded", p.before_item AS "beforeItem", p.after_item AS "afterItem",
         (SELECT count(*) FROM purchase_sites s WHERE s.folded = p.folded AND s.code = p.code
            AND s.nth > 0 AND s.last_day >= $3) AS sites
       FROM ${db.rows("folded text, code text")} CROSS JOIN purchases p CROSS JOIN items i
       WHERE p.folded = new.folded AND p.code = new.code AND i.id = p.item_id AND i.account_id = $2`,
      [
        JSON.stringify(found.map(([, code]) => ({ folded: lowerAscii(code), code }))),
        accountId,
        oldestSlotDay(at),
      ],
    )
    const sales = new Map(read.map((row) => [row.code, toSale(row)]))
    return found.flatMap(([, code]) => sales.get(code) ?? [])
  }

  return {
    async list(accountId, filter, after, rowsMax, at) {
      const position = await findPageStart(accountId, after)
      const { found, isEnd } = await findSales(accountId, filter, position, rowsMax)
      const sales = await readRows(accountId, found, at)
      return { sales, next: isEnd ? null : addressOf(found.at(-1)) }
    },
    async search(accountId, filter, isWanted, after, rowsMax, at) {
      const position = await findPageStart(accountId, after)
      const { found, isEnd } = await findSales(accountId, filter, position, searchedSalesMax)
      const matching = found.filter(([, , , buyer]) => isWanted(buyer ?? ""))
      const shown = matching.slice(0, rowsMax)
      const isCut = matching.length > rowsMax
      return {
        sales: await readRows(accountId, shown, at),
        next: isEnd && !isCut ? null : addressOf((isCut ? shown : found).at(-1)),
        searched: found.length,
      }
    },
    async countByDay(accountId, filter, salesMax) {
      const days = new Map<string, SalesOfDay>()
      const { sql, values } = conditionOf(filter, null, 3)
      let total = 0
      for await (const piece of listPieces(accountId, filter.itemId)) {
        const [items] = await db.read<{ ids: string | readonly number[] | null }>(
          `SELECT ${listFound} AS ids FROM (SELECT i.id AS found FROM items i WHERE ${piece.sql}) AS piece`,
          piece.values,
        )
        const ids = items?.ids ?? []
        const counted = await db.read<
          Readonly<{ day: string; isRefunded: boolean; sales: number }>
        >(
          `SELECT substr(sold, 1, 10) AS day, revoked AS "isRefunded", count(*) AS sales FROM (
             SELECT ${soldAt} AS sold, p.revoked FROM purchases p
             WHERE p.item_id ${db.among("$1", "bigint")}${sql} LIMIT $2
           ) AS counted GROUP BY 1, 2`,
          [typeof ids === "string" ? ids : JSON.stringify(ids), salesMax + 1 - total, ...values],
        )
        for (const { day, isRefunded, sales } of counted) {
          const { valid, refunded } = days.get(day) ?? { valid: 0, refunded: 0 }
          total += sales
          days.set(day, {
            day,
            valid: valid + (isRefunded ? 0 : sales),
            refunded: refunded + (isRefunded ? sales : 0),
          })
        }
        if (total > salesMax) return null
      }
      return [...days.values()].toSorted((one, other) => (one.day < other.day ? -1 : 1))
    },
    findCode: async (accountId, address) => (await findPosition(accountId, address))?.code ?? null,
  }
}

function addressOf(found: Found | undefined): SaleId | null {
  if (found === undefined) return null
  const [soldAt, code, itemId] = found
  return saleIdOf({ itemId, soldAt, code })
}

/** Read of each item at first, at least: a page of one item's sales then takes one read. */
const rowsOfItemMin = 25
/** So many are read at once rather than half of them in each of two reads. */
const itemsMin = 50

function toSale({ beforeItem, afterItem, ...row }: Row): Sale {
  const members = purchaseFieldsOf({ beforeItem, afterItem })
  return {
    ...row,
    licenseType: members.license_type,
    soldAt: members.date,
    supportedUntil: members.supported_until ?? null,
  }
}
