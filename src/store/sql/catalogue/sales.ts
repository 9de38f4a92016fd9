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

const newestFirst = ([one]: Found, [other]: Found) => (one > other ? -1 : 1)

/** Behind so many newer sales, older ones than this moment are not wanted. Empty while fewer are known. */
const sinceOf = (last: SalePlace | undefined) => (last ?? "").slice(0, 20)

/**
 * No index has the sales of an author by date: an item may move to another author, and a second index of that size
 * would slow down imports. So some items are asked for their newest sales, and all others, piece by piece, only for those that are newer
 * than what is known.
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

  async function listItemIds(accountId: number, itemId: number | null): Promise<readonly number[]> {
    const [row] = await db.read<{ ids: string | readonly number[] | null }>(
      `SELECT ${listFound} AS ids FROM (
         SELECT i.id AS found FROM items i WHERE i.account_id = $1${itemId === null ? "" : " AND i.id = $2"}
       ) AS listed`,
      itemId === null ? [accountId] : [accountId, itemId],
    )
    return parseList(row?.ids)
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
           WHERE p.item_id = i.id AND ${soldAt} >= $2${sql} ORDER BY ${order}
           LIMIT (SELECT CAST($3 AS bigint))
         ) AS newest
       ) AS found
       FROM items i WHERE i.id ${db.among("$1", "bigint")}`,
      [JSON.stringify(itemIds), since, eachMax, ...values],
    )
    return read.map(({ itemId, found }) => ({ itemId, found: parseList(found) }))
  }

  /** The newest sale of those items that sold last, at most `wanted`, newest first. */
  async function findHeads(
    itemIds: readonly number[],
    { sql, values }: Condition,
    since: string,
    wanted: number,
  ): Promise<readonly Head[]> {
    const read = await db.read<Head | Readonly<{ itemId: number; newest: null }>>(
      `SELECT i.id AS "itemId", (SELECT ${place} FROM purchases p
         WHERE p.item_id = i.id AND ${soldAt} >= $2${sql} ORDER BY ${order} LIMIT 1) AS newest
       FROM items i WHERE i.id ${db.among("$1", "bigint")}
       ORDER BY newest DESC NULLS LAST LIMIT $3`,
      [JSON.stringify(itemIds), since, wanted, ...values],
    )
    return read.filter((head) => head.newest !== null)
  }

  /**
   * The newest sales of all these items together, at most `wanted`. A few of each are read at first, and more of those whose older
   * sales may be among the newest of all.
   */
  async function findNewest(
    itemIds: readonly number[],
    condition: Condition,
    from: string,
    wanted: number,
  ): Promise<readonly Found[]> {
    const ofItems = new Map<number, readonly Found[]>()
    const heads = await findHeads(itemIds, condition, from, wanted)
    let ids = heads.map(({ itemId }) => itemId)
    let since = sinceOf(heads[wanted - 1]?.newest) || from
    let eachMax = Math.min(wanted, Math.ceil(wanted / Math.max(1, ids.length)) + rowsOfItemMore)
    let newest: readonly Found[] = []
    while (ids.length > 0) {
      const full: (readonly [itemId: number, oldest: SalePlace])[] = []
      for (const { itemId, found } of await readNewest(ids, condition, since, eachMax)) {
        ofItems.set(itemId, found)
        const [oldest] = found.at(-1) ?? [""]
        if (found.length === eachMax) full.push([itemId, oldest])
      }
      newest = [...ofItems.values()].flat().toSorted(newestFirst).slice(0, wanted)
      const [oldest] = newest[wanted - 1] ?? [""]
      since = sinceOf(oldest) || from
      ids = full.filter(([, last]) => last > oldest).map(([itemId]) => itemId)
      eachMax = Math.min(wanted, eachMax * 4)
    }
    return newest
  }

  /** The same along the index, for items that have few sales from this moment on; null if they have many. */
  async function findRecent(
    itemIds: readonly number[],
    { sql, values }: Condition,
    since: string,
    wanted: number,
  ): Promise<readonly Found[] | null> {
    const rowsMax = 2 * wanted + 100
    const [row] = await db.read<{ rows: number; found: string | readonly Found[] | null }>(
      `WITH recent AS MATERIALIZED (
         SELECT ${place} AS sold, p.${id}, p.buyer FROM purchases p
         WHERE p.item_id ${db.among("$1", "bigint")} AND ${soldAt} >= $2${sql} LIMIT ${rowsMax}
       )
       SELECT (SELECT count(*) FROM recent) AS rows, (
         SELECT ${listFound} FROM (
           SELECT ${array}(sold, ${id}, buyer) AS found FROM recent ORDER BY sold DESC LIMIT $3
         ) AS newest
       ) AS found`,
      [JSON.stringify(itemIds), since, wanted, ...values],
    )
    return row === undefined || row.rows === rowsMax ? null : parseList(row.found)
  }

  /** At most `rowsMax`, newest first; `isEnd` if no others follow. */
  async function findSales(
    accountId: number,
    filter: SaleFilter,
    after: SalePlace | null,
    rowsMax: number,
  ): Promise<Readonly<{ found: readonly Found[]; isEnd: boolean }>> {
    // One more tells whether others follow.
    const wanted = rowsMax + 1
    const condition = conditionOf(filter, after, 4)
    const ids = await listItemIds(accountId, filter.itemId)
    let newest: readonly Found[] = []
    for (const piece of divide(ids, firstItems, itemsAtOnce)) {
      const since = sinceOf(newest[wanted - 1]?.[0])
      const found =
        (await findRecent(piece, condition, since, wanted)) ??
        (await findNewest(piece, condition, since, wanted))
      newest = [...newest, ...found].toSorted(newestFirst).slice(0, wanted)
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
      const ids = await listItemIds(accountId, filter.itemId)
      for (const piece of divide(ids, itemsAtOnce, itemsAtOnce)) {
        const counted = await db.read<
          Readonly<{ day: string; isRefunded: boolean; sales: number }>
        >(
          `SELECT substr(sold, 1, 10) AS day, revoked AS "isRefunded", count(*) AS sales FROM (
             SELECT ${soldAt} AS sold, p.revoked FROM purchases p
             WHERE p.item_id ${db.among("$1", "bigint")}${sql} LIMIT $2
           ) AS counted GROUP BY 1, 2`,
          [JSON.stringify(piece), salesMax + 1 - total, ...values],
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

/** What these sold last tells what is too old of the others. */
const firstItems = 500
/** Read of each item at first, more than its share. */
const rowsOfItemMore = 5

/** An embedded store gives a list as text. */
const parseList = <T>(list: string | readonly T[] | null | undefined): readonly T[] =>
  typeof list === "string" ? JSON.parse(list) : (list ?? [])

/** In pieces that grow: each is about as large as all before it. */
function* divide<T>(list: readonly T[], first: number, largest: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; ) {
    const size = Math.min(largest, Math.max(first, at))
    yield list.slice(at, at + size)
    at += size
  }
}

function toSale({ beforeItem, afterItem, ...row }: Row): Sale {
  const members = purchaseMembersOf({ beforeItem, afterItem })
  return {
    ...row,
    licenseType: members.license_type,
    soldAt: members.date,
    supportedUntil: members.supported_until ?? null,
  }
}
