/** Lists purchases: a sale is a purchase as its author or an operator lists it. */

import { countPage, priceUnits } from "../items/item.ts"
import { allOf, type Sql, type SqlDatabase, sql, tuples } from "../platform/database/sql.ts"
import { foldLetters, lowerAscii } from "../platform/text.ts"
import { dayAfter, type Timestamp } from "../platform/time.ts"
import { type FoundPurchase, type PurchaseText, purchaseFieldsOf } from "./purchase.ts"
import { allAccounts, allItems } from "./purchase-store.ts"
import {
  digestCode,
  parseSaleId,
  type Sale,
  type SaleFilter,
  type SaleId,
  type SalePage,
  type SaleStore,
  saleIdOf,
  searchedSalesMax,
  toSoldFields,
} from "./sale.ts"
import { oldestSlotDay } from "./site.ts"
import { createSiteStore } from "./site-store.ts"

type Row = Pick<
  Sale,
  "code" | "accountId" | "itemId" | "username" | "buyer" | "validUntil" | "isRevoked" | "sites"
> &
  PurchaseText &
  Readonly<{ name: string; username: string }>

type TextRow = PurchaseText &
  Readonly<{ code: string; itemId: number; buyer: string | null; bytes: number }>

type DayRow = [day: string, currency: string, isRefunded: boolean, sales: number, amount: number]

/** Sorts after every code, and after every character. */
const lastCode = "\u{10ffff}"

const ofAccount = (accountId: number | null): Sql | null =>
  accountId === null ? null : sql`account_id = ${accountId}`

type PageOfSales = Parameters<SaleStore["list"]>[2]

const createSaleStore = (db: SqlDatabase): SaleStore => ({
  findCode: (accountId, id) => findCode(db, accountId, id),
  async list(accountId, filter, page) {
    const conditions = await readConditions(db, accountId, filter, page.after)
    return readPage(db, newest(conditions, page.rowsMax + 1), page)
  },
  async search(accountId, filter, text, page) {
    const conditions = await readConditions(db, accountId, filter, page.after)
    const wanted = foldLetters(text)
    if (accountId === null) {
      // The first buyers by name, with a limit because a short text begins the names of most buyers.
      const named = sql`(SELECT * FROM purchases
        WHERE folded_buyer >= ${wanted} AND folded_buyer < ${wanted + lastCode}
        ORDER BY folded_buyer, sold_at DESC LIMIT ${searchedSalesMax}) AS found`
      return readPage(db, newest(conditions, page.rowsMax + 1, 0, named), page)
    }
    const found = await readSales(db, newest(conditions, searchedSalesMax), page.at)
    const matching = found.filter(({ buyer }) => foldLetters(buyer ?? "").includes(wanted))
    const sales = matching.slice(0, page.rowsMax).map(toSale)
    if (matching.length > page.rowsMax) return { sales, next: renderId(sales.at(-1)) }
    const last = found[searchedSalesMax - 1]
    return { sales, next: last === undefined ? null : renderId(toSale(last)) }
  },
  async listByCode(code) {
    const rows = await db.read<PurchaseRow>`
      SELECT p.code, i.account_id, p.item_id, p.is_revoked, p.is_revoked_by_feed, p.before_item,
        i.body, p.after_item, p.buyer, p.valid_until, p.site_limit, a.username, a.is_suspended
      FROM purchases p JOIN items i ON i.id = p.item_id JOIN accounts a ON a.id = i.account_id
      WHERE p.folded = ${lowerAscii(code)}`
    return rows.map(({ beforeItem, body, afterItem, isRevokedByFeed, ...purchase }) => ({
      ...purchase,
      body: beforeItem + body + afterItem,
      isRevokedByFeed: isRevokedByFeed ?? purchase.isRevoked,
      isRevokedByOperator: isRevokedByFeed !== null,
    }))
  },
  async listPurchases(accountId, filter, { after, offset, rowsMax }) {
    const conditions = await readConditions(db, accountId, filter, after)
    const found = await db.read<TextRow>`SELECT p.code, p.item_id, p.buyer, p.before_item,
        p.after_item, octet_length(i.body) AS bytes
      FROM ${newest(conditions, rowsMax + 1, offset)} JOIN items i ON i.id = p.item_id ${newestFirst}`
    const sizes = found.map(
      ({ beforeItem, afterItem, bytes }) => beforeItem.length + afterItem.length + bytes,
    )
    const listed = found.slice(0, countPage(sizes.slice(0, rowsMax)))
    const items = await db.read<{ id: number; body: string }>`SELECT id, body FROM items
      WHERE id ${db.among(new Set(listed.map(({ itemId }) => itemId)), "bigint")}`
    const bodies = new Map(items.map(({ id, body }) => [id, body]))
    const purchases = listed.flatMap(({ code, itemId, buyer, beforeItem, afterItem }) => {
      const item = bodies.get(itemId)
      return item === undefined ? [] : [{ code, buyer, body: `${beforeItem}${item}${afterItem}` }]
    })
    const last = listed.at(-1)
    const isLast = last === undefined || listed.length === found.length
    return {
      purchases,
      next: isLast ? null : renderId({ ...last, soldAt: purchaseFieldsOf(last).date }),
    }
  },
  async sumByDay(accountId, { itemIds, state, range }) {
    const [only = null, ...others] = itemIds ?? [allItems]
    const isOfOne = only !== null && others.length === 0
    const conditions = allOf([
      sql`account_id = ${accountId ?? allAccounts}`,
      isOfOne ? sql`item_id = ${only}` : sql`item_id ${db.among(itemIds ?? [], "bigint")}`,
      state && (state === "valid" ? sql`NOT is_refunded` : sql`is_refunded`),
      range && sql`day BETWEEN ${range.from} AND ${range.to}`,
    ])
    const sums = isOfOne
      ? sql`sales, amount`
      : sql`CAST(sum(sales) AS bigint), CAST(sum(amount) AS bigint)`
    const rows = await db.read<DayRow>(tuples`
      SELECT day, currency, is_refunded, ${sums} FROM daily_sales WHERE ${conditions}
      ${isOfOne ? sql`` : sql`GROUP BY 1, 2, 3`} ORDER BY 1, 2, 3`)
    return rows.map(([day, currency, isRefunded, sales, amount]) => {
      return { day, currency, isRefunded, sales, amount: amount / priceUnits }
    })
  },
})

async function findCode(
  db: SqlDatabase,
  accountId: number | null,
  id: SaleId,
): Promise<string | null> {
  const parsed = parseSaleId(id)
  if (parsed === null) return null
  const found = await db.read<{ code: string }>`SELECT code FROM purchases
    WHERE ${allOf([ofAccount(accountId), sql`sold_at = ${parsed.soldAt}`])}
      AND item_id = ${parsed.itemId}`
  return found.find(({ code }) => digestCode(code) === parsed.digest)?.code ?? null
}

/**
 * The sales of the filter after `after`, with a single lower and a single upper bound, so that an index on `sold_at`
 * starts at the page. If the sale `after` was deleted, the page repeats the sales of its second: none is left out.
 */
async function readConditions(
  db: SqlDatabase,
  accountId: number | null,
  { itemIds, state, range, since }: SaleFilter,
  after: SaleId | null,
): Promise<Sql> {
  const lastSoldAt = parseSaleId(after ?? "")?.soldAt
  const code =
    after === null || lastSoldAt === undefined
      ? lastCode
      : ((await findCode(db, accountId, after)) ?? lastCode)
  const [only, ...others] = itemIds ?? []
  const isOfOne = only !== undefined && others.length === 0 && state !== "refunded"
  const from = [since ?? "", range?.from ?? ""].toSorted().at(-1)
  const end = range === null ? null : dayAfter(range.to)
  let isEarlier = end === null ? null : sql`sold_at < ${end}`
  if (lastSoldAt !== undefined && (end === null || lastSoldAt < end)) {
    isEarlier = sql`(sold_at, folded, code) < (${lastSoldAt}, ${lowerAscii(code)}, ${code})`
  }
  return allOf([
    ofAccount(accountId),
    itemIds && (isOfOne ? sql`item_id = ${only}` : sql`item_id ${db.among(itemIds, "bigint")}`),
    state && (state === "valid" ? sql`NOT is_revoked` : sql`is_revoked`),
    // Without a condition on the time, SQLite reads and sorts the sales of all accounts.
    from || accountId === null ? sql`sold_at >= ${from ?? ""}` : null,
    isEarlier,
  ])
}

/** The sales as a table `p`. */
const newest = (conditions: Sql, rowsMax: number, offset = 0, from = sql`purchases`): Sql =>
  sql`(SELECT * FROM ${from} WHERE ${conditions}
    ORDER BY sold_at DESC, folded DESC, code DESC LIMIT ${rowsMax} OFFSET ${offset}) AS p`
const newestFirst = sql`ORDER BY p.sold_at DESC, p.folded DESC, p.code DESC`

const readSales = (db: SqlDatabase, from: Sql, at: Timestamp) =>
  db.read<Row>`SELECT p.code, p.account_id, p.item_id, p.buyer, p.before_item, p.after_item, p.valid_until,
      p.is_revoked, i.name, a.username,
      (SELECT count(*) FROM purchase_sites s WHERE s.folded = p.folded AND s.code = p.code
        AND s.ordinal > 0 AND s.last_day >= ${oldestSlotDay(at)}) AS sites
    FROM ${from} JOIN items i ON i.id = p.item_id JOIN accounts a ON a.id = p.account_id
    ${newestFirst}`

async function readPage(
  db: SqlDatabase,
  from: Sql,
  { rowsMax, at }: PageOfSales,
): Promise<SalePage> {
  const rows = await readSales(db, from, at)
  const sales = rows.slice(0, rowsMax).map(toSale)
  return { sales, next: rows.length > rowsMax ? renderId(sales.at(-1)) : null }
}

const renderId = (sale: Parameters<typeof saleIdOf>[0] | undefined): SaleId | null =>
  sale === undefined ? null : saleIdOf(sale)

const toSale = ({ beforeItem, afterItem, name: itemName, ...row }: Row): Sale => ({
  ...row,
  itemName,
  ...toSoldFields(purchaseFieldsOf({ beforeItem, afterItem })),
})

type PurchaseRow = Omit<FoundPurchase, "isRevokedByFeed" | "isRevokedByOperator"> &
  PurchaseText &
  Readonly<{ isRevokedByFeed: boolean | null }>

/** The stores of this room that are the same on both databases. `pages` is the connection for pages. */
export const createPurchaseStores = (db: SqlDatabase, pages: SqlDatabase) => ({
  sites: createSiteStore(db),
  sales: createSaleStore(pages),
})
