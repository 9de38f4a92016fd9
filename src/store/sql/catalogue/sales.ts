import { purchaseMembersOf } from "../../../domain/catalogue/purchase.ts"
import {
  type Sale,
  type SaleFilter,
  type SalePlace,
  type SaleStore,
  type SalesOfDay,
  searchedMax,
} from "../../../domain/catalogue/sales.ts"
import { oldestDayOfPlaces } from "../../../domain/catalogue/sites.ts"
import { divide } from "../../../domain/values/divide.ts"
import { dayAfter, type Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase, Value } from "../database.ts"

/** What differs between the stores. The texts are those of the indexes of purchases by date. */
export type SaleRows = Readonly<{
  /** The column by which rows are found. */
  id: "place" | "code"
  idType: "bigint" | "text"
  soldAt: string
  isRefunded: string
  /** Puts sales of the same second in an order; in the index by itself or as the rowid. */
  serial: string
  /** The serial as the 16 characters of a place, and the other way round. */
  serialText: string
  serialOf(text: string): Value
  /** Makes a JSON array of values, and of the column `found`. */
  array: "json_build_array" | "json_array"
  listFound: string
  /** An embedded store answers nothing else while it reads. */
  itemsAtOnce: number
}>

/** A sale before its row is read. */
type Found = readonly [place: SalePlace, id: string | number, buyer: string | null]

type Row = Pick<Sale, "place" | "code" | "itemId" | "itemName" | "buyer" | "isRefunded" | "sites"> &
  Readonly<{ beforeItem: string; afterItem: string }>

type Head = Readonly<{ itemId: number; newest: SalePlace }>
type NewestOfItem = Readonly<{ itemId: number; found: readonly Found[] }>
type Condition = Readonly<{ sql: string; values: readonly Value[] }>

/** The largest id that both databases compare. */
const beyondAll = Number.MAX_SAFE_INTEGER

/** Sales before this moment are not wanted: `wanted` items have a newer one. Empty while fewer items are known. */
const sinceOf = (heads: readonly Head[], wanted: number) =>
  (heads[wanted - 1]?.newest ?? "").slice(0, 20)

const newestFirst = ([one]: Found, [other]: Found) => (one > other ? -1 : 1)

/**
 * No index has the sales of an author by date: an item may move to another author, and a second index of that size
 * would slow down imports. So the newest sale of each item is looked up, and only the items whose newest sales are on the page are
 * read further.
 */
export function createSales(db: SqlDatabase, rows: SaleRows): SaleStore {
  const { id, soldAt, isRefunded, serial, serialText, array, listFound, itemsAtOnce } = rows
  const place = `${soldAt} || CASE WHEN ${isRefunded} THEN '1' ELSE '0' END || ${serialText}`
  const order = [soldAt, "p.revoked", serial].map((each) => `${each} DESC`).join(", ")

  /** Of purchases `p`, with values from `$first` on. */
  function conditionOf(
    { state, range }: SaleFilter,
    after: SalePlace | null,
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
      const state = after[20] === "1"
      add((at) => `${soldAt} <= ${at}`, after.slice(0, 20))
      const at = `$${first + values.length - 1}`
      add(
        (last) => `(${soldAt}, p.revoked, ${serial}) < (${at}, ${state}, ${last})`,
        rows.serialOf(after.slice(21)),
      )
    }
    return { sql: conditions.map((each) => ` AND ${each}`).join(""), values }
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
           SELECT ${array}(${place}, p.${id}, p.buyer) AS found FROM purchases p
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
    after: SalePlace | null,
    wanted: number,
  ): Promise<readonly Head[]> {
    const heads: Head[] = []
    async function readHeads(piece: Condition): Promise<void> {
      const { sql, values } = conditionOf(filter, after, piece.values.length + 2)
      const read = await db.read<Head | Readonly<{ itemId: number; newest: null }>>(
        `SELECT i.id AS "itemId", (SELECT ${place} FROM purchases p
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
    after: SalePlace | null,
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
      const full: (readonly [itemId: number, oldest: SalePlace])[] = []
      const [from, most] = [since, eachMax]
      const reads = divide(
        ids,
        Math.min(itemsAtOnce, Math.max(itemsMin, Math.ceil(ids.length / 2))),
      )
      const read = await Promise.all(reads.map((some) => readNewest(some, condition, from, most)))
      for (const { itemId, found } of read.flat()) {
        ofItems.set(itemId, found)
        const [oldest] = found.at(-1) ?? [""]
        if (found.length === eachMax) full.push([itemId, oldest])
      }
      newest = [...ofItems.values()].flat().toSorted(newestFirst).slice(0, wanted)
      const [oldest] = newest[wanted - 1] ?? [""]
      since = oldest.slice(0, 20)
      ids = full.filter(([, last]) => last > oldest).map(([itemId]) => itemId)
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
      `SELECT ${place} AS place, p.code, p.item_id AS "itemId", i.name AS "itemName", p.buyer,
         p.revoked AS "isRefunded", p.before_item AS "beforeItem", p.after_item AS "afterItem",
         (SELECT count(*) FROM purchase_sites s
          WHERE s.${id} = p.${id} AND s.nth > 0 AND s.last_day >= $3) AS sites
       FROM purchases p CROSS JOIN items i
       WHERE p.${id} ${db.among("$2", rows.idType)} AND i.id = p.item_id AND i.account_id = $1`,
      [accountId, JSON.stringify(found.map(([, key]) => key)), oldestDayOfPlaces(at)],
    )
    return read.map(toSale).toSorted((one, other) => (one.place > other.place ? -1 : 1))
  }

  /** One value of a sale that is known by its item and date. */
  async function findOne(
    wanted: string,
    known: string,
    values: readonly Value[],
  ): Promise<string | null> {
    const [row] = await db.read<{ found: string }>(
      `SELECT ${wanted} AS found FROM purchases p JOIN items i ON i.id = p.item_id
       WHERE i.account_id = $1 AND p.item_id = $2 AND ${soldAt} = $3 AND ${known} = $4`,
      values,
    )
    return row?.found ?? null
  }

  return {
    async list(accountId, filter, after, rowsMax, at) {
      const { found, isEnd } = await findSales(accountId, filter, after, rowsMax)
      const sales = await readRows(accountId, found, at)
      return { sales, next: isEnd ? null : (found.at(-1)?.[0] ?? null) }
    },
    async search(accountId, filter, isWanted, after, rowsMax, at) {
      const { found, isEnd } = await findSales(accountId, filter, after, searchedMax)
      const matching = found.filter(([, , buyer]) => isWanted(buyer ?? ""))
      const shown = matching.slice(0, rowsMax)
      const isCut = matching.length > rowsMax
      const [next = null] = (isCut ? shown : found).at(-1) ?? []
      return {
        sales: await readRows(accountId, shown, at),
        next: isEnd && !isCut ? null : next,
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
    findPlace: (accountId, sale) =>
      findOne(place, "p.code", [accountId, sale.itemId, sale.soldAt, sale.code]),
    findCode: (accountId, itemId, at) =>
      findOne("p.code", serial, [accountId, itemId, at.slice(0, 20), rows.serialOf(at.slice(21))]),
  }
}

/** Read of each item at first, at least: a page of one item's sales then takes one read. */
const rowsOfItemMin = 25
/** So many are read at once rather than half of them in each of two reads. */
const itemsMin = 50

function toSale({ beforeItem, afterItem, ...row }: Row): Sale {
  const members = purchaseMembersOf({ beforeItem, afterItem })
  return {
    ...row,
    licenseType: members.license_type,
    soldAt: members.date,
    supportedUntil: members.supported_until ?? null,
  }
}
