import { insertFeedEvent } from "../access/audit-store.ts"
import {
  queryUnlessEmpty,
  rawSql,
  type Sql,
  type SqlDatabase,
  sql,
  type Transaction,
} from "../platform/database/sql.ts"
import { lowerAscii } from "../platform/text.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import { type NewEvent, renderPurchaseData } from "../webhooks/webhook.ts"
import { writeEvents } from "../webhooks/webhook-store.ts"
import type { PurchaseChange, PurchaseStore, PurchaseText } from "./purchase.ts"

export const isOfPurchase = (code: string): Sql =>
  sql`folded = ${lowerAscii(code)} AND code = ${code}`

/** Selects the state in the feed, ignoring an operator override. */
export const feedRevoked = sql`coalesce(is_revoked_by_feed, is_revoked) AS is_revoked,
  is_revoked_by_feed IS NOT NULL AS is_revoked_by_operator`

type Refunded = PurchaseText & SummedSale & Readonly<{ username: string; name: string }>

export const purchaseQueries = (db: SqlDatabase): Omit<PurchaseStore, "listByCode"> => ({
  /** A key for all items could validate what was sold before the move; one for selected items, what it was revoked for. */
  hasMovedFrom({ id, accountId, itemIds }, code) {
    const wasValid =
      itemIds === null
        ? sql`SELECT 1 FROM previous_authors a
            WHERE a.item_id = i.id AND a.account_id = ${accountId} AND p.sold_at <= a.moved_at`
        : sql`SELECT 1 FROM moved_item_keys k WHERE k.item_id = i.id AND k.key_id = ${id}`
    return db.hasRow`
      SELECT 1 FROM purchases p JOIN items i ON i.id = p.item_id
      WHERE p.folded = ${lowerAscii(code)} AND i.account_id <> ${accountId} AND EXISTS (${wasValid})`
  },
  setRevokedByOperator: (code, isRevoked, now) =>
    db.transaction(async (tx) => {
      const [before] = await tx.query<Refunded>`
        SELECT p.account_id, a.username, p.sold_at, p.currency, p.is_revoked, p.price,
          p.before_item, p.after_item, p.item_id, i.name
        FROM purchases p JOIN items i ON i.id = p.item_id JOIN accounts a ON a.id = i.account_id
        WHERE ${isOfPurchase(code)} ${tx.lock("FOR NO KEY UPDATE OF p")}`
      const change = isRevoked
        ? sql`is_revoked_by_feed = coalesce(is_revoked_by_feed, is_revoked), is_revoked = true`
        : sql`is_revoked = coalesce(is_revoked_by_feed, is_revoked), is_revoked_by_feed = NULL`
      const [after] = await tx.query<Pick<Refunded, "isRevoked">>`
        UPDATE purchases SET ${change}
        WHERE ${isOfPurchase(code)} RETURNING is_revoked`
      if (before === undefined || after === undefined) return false
      if (before.isRevoked === after.isRevoked) return true
      const sums = createSums()
      sums.addSale(before, -1)
      sums.addSale({ ...before, isRevoked: after.isRevoked }, 1)
      await sums.write(tx)
      const { accountId, username, itemId, name } = before
      await writeEvents(tx, [
        {
          type: after.isRevoked ? "purchase.revoked" : "purchase.restored",
          at: formatTimestamp(now),
          account: { id: accountId, username },
          data: renderPurchaseData(before, { id: itemId, name }),
        },
      ])
      return true
    }),
  setSiteLimit: (code, limit) =>
    db.hasWritten`
      UPDATE purchases SET site_limit = ${limit} WHERE ${isOfPurchase(code)} RETURNING code`,
})

export const insertRefundEvent = (at: Timestamp, source: string, code: string) =>
  sql`${insertFeedEvent(at, source)} 'purchase', 'feed_word', p.code, '', p.is_revoked_by_feed,
      a.id, a.username
    FROM purchases p JOIN accounts a ON a.id = p.account_id WHERE ${isOfPurchase(code)}`

export type SummedSale = Readonly<{
  accountId: number
  itemId: number
  soldAt: string
  currency: string
  isRevoked: boolean
  price: number
}>

export type DailySales = Pick<SummedSale, "accountId" | "itemId" | "currency"> &
  Readonly<{ day: string; isRefunded: boolean; sales: number; amount: number }>

const key = "account_id, item_id, day, currency, is_refunded"
/** The item whose sums are those of all items of the account. */
export const allItems = 0
/** The account whose sums, only with `allItems`, are those of all accounts. */
export const allAccounts = 0

export type Sums = ReturnType<typeof createSums>

/** Collects the changes of a transaction, which writes them last: a refund also locks a purchase before its sums. */
export function createSums() {
  const sums = new Map<string, DailySales & { sales: number; amount: number }>()
  const counts = new Map<number, { accountId: number; items: number; purchases: number }>()

  function count(accountId: number, items: number, purchases: number): void {
    const counted = counts.get(accountId) ?? { accountId, items: 0, purchases: 0 }
    counts.set(accountId, counted)
    counted.items += items
    counted.purchases += purchases
  }
  function addDay(change: DailySales): void {
    const { day, currency, isRefunded, sales, amount } = change
    for (const [accountId, itemId] of [
      [change.accountId, change.itemId],
      [change.accountId, allItems],
      [allAccounts, allItems],
    ] as const) {
      const name = `${accountId} ${itemId} ${day} ${currency} ${isRefunded}`
      const zero = { accountId, itemId, day, currency, isRefunded, sales: 0, amount: 0 }
      const sum = sums.get(name) ?? zero
      sums.set(name, sum)
      sum.sales += sales
      sum.amount += amount
    }
    count(change.accountId, 0, sales)
  }
  return {
    addDay,
    addSale({ accountId, itemId, soldAt, currency, isRevoked, price }: SummedSale, sales: 1 | -1) {
      const day = soldAt.slice(0, 10)
      const amount = sales * price
      addDay({ accountId, itemId, day, currency, isRefunded: isRevoked, sales, amount })
    },
    addItems: (accountId: number, items: number) => count(accountId, items, 0),
    /** For a deleted account, whose counts were deleted with it. */
    dropCounts: (accountId: number) => counts.delete(accountId),
    async write(tx: Transaction): Promise<void> {
      const changed = sums.values().filter(({ sales, amount }) => sales !== 0 || amount !== 0)
      const rows = [...changed].toSorted(compareKeys)
      await addToRows(tx, { table: "daily_sales", key, sums: ["sales", "amount"] }, rows)
      const lowered = rows.filter(({ sales }) => sales < 0)
      await queryUnlessEmpty(
        tx,
        lowered,
        sql`DELETE FROM daily_sales WHERE sales = 0 AND (${rawSql(key)}) IN (
          SELECT ${rawSql(key)} FROM ${tx.rowsFor("daily_sales", key, lowered)})`,
      )
      const counted = counts
        .values()
        .filter(({ items, purchases }) => items !== 0 || purchases !== 0)
      const accounts = [...counted].toSorted((one, other) => one.accountId - other.accountId)
      const summed = { table: "account_counts", key: "account_id", sums: ["items", "purchases"] }
      await addToRows(tx, summed, accounts)
    },
  }
}

/** In the same order everywhere, so that transactions do not deadlock. */
const compareKeys = (one: DailySales, other: DailySales) =>
  one.accountId - other.accountId ||
  one.itemId - other.itemId ||
  compareText(one.day, other.day) ||
  compareText(one.currency, other.currency) ||
  Number(one.isRefunded) - Number(other.isRefunded)

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

const columns = rawSql(`${key}, sales, amount`)

const countSales = (condition: Sql) => sql`
  WITH counted (${columns}) AS (
    SELECT account_id, item_id, substr(sold_at, 1, 10), currency, is_revoked, count(*),
      CAST(sum(price) AS bigint)
    FROM purchases WHERE ${condition} GROUP BY 1, 2, 3, 4, 5)
  SELECT ${columns} FROM counted
  UNION ALL SELECT account_id, ${rawSql(`${allItems}`)}, day, currency, is_refunded,
    CAST(sum(sales) AS bigint), CAST(sum(amount) AS bigint) FROM counted GROUP BY 1, 3, 4, 5`

const countAllSales = sql`
  SELECT ${rawSql(`${allAccounts}, ${allItems}`)}, substr(sold_at, 1, 10), currency, is_revoked, count(*),
    CAST(sum(price) AS bigint)
  FROM purchases GROUP BY 3, 4, 5`

const countItems = sql`(SELECT count(*) FROM items WHERE account_id = a.id)`
const countPurchases = sql`(SELECT count(*) FROM purchases WHERE account_id = a.id)`

export const selectWrongSums = sql`
  WITH expected AS (${countSales(sql`true`)} UNION ALL ${countAllSales})
  SELECT account_id FROM (
    SELECT ${columns} FROM expected EXCEPT SELECT ${columns} FROM daily_sales) AS missing
  UNION SELECT account_id FROM (
    SELECT ${columns} FROM daily_sales EXCEPT SELECT ${columns} FROM expected) AS needless
  UNION SELECT a.id FROM accounts a LEFT JOIN account_counts c ON c.account_id = a.id
    WHERE coalesce(c.items, 0) <> ${countItems} OR coalesce(c.purchases, 0) <> ${countPurchases}
  ORDER BY 1`

/** No other feed writes until the transaction ends. */
export async function repairSums(tx: Transaction, accountId: number): Promise<void> {
  const [condition, sums] =
    accountId === allAccounts
      ? [sql`true`, countAllSales]
      : [sql`account_id = ${accountId}`, countSales(sql`account_id = ${accountId}`)]
  // An operator's refund waits.
  await tx.query`SELECT count(*) FROM (
    SELECT 1 FROM purchases WHERE ${condition} ${tx.lock("FOR NO KEY UPDATE")}) AS locked`
  await tx.query`DELETE FROM daily_sales WHERE account_id = ${accountId}`
  await tx.query`INSERT INTO daily_sales (${columns}) ${sums}`
  await tx.query`DELETE FROM account_counts WHERE account_id = ${accountId}`
  await tx.query`INSERT INTO account_counts (account_id, items, purchases)
    SELECT a.id, ${countItems}, ${countPurchases} FROM accounts a WHERE a.id = ${accountId}`
}

async function addToRows(
  { inserts, query }: Transaction,
  { table, key, sums }: Readonly<{ table: string; key: string; sums: readonly string[] }>,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return
  const added = sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`)
  const onConflict = `ON CONFLICT (${key}) DO UPDATE SET ${added.join(", ")}`
  for (const statement of inserts(table, `${key}, ${sums.join(", ")}`, rows, onConflict))
    await query(statement)
}

type SoldItem = Readonly<{ id: number; name: string; accountId: number; username: string }>

export async function readSoldItems(tx: Transaction, changes: readonly PurchaseChange[]) {
  const ids = new Set(changes.map(({ itemId }) => itemId))
  const rows = await queryUnlessEmpty<SoldItem>(
    tx,
    ids,
    sql`SELECT i.id, i.name, i.account_id, a.username
      FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id ${tx.among(ids, "bigint")}`,
  )
  return new Map(rows.map((item) => [item.id, item]))
}

export const purchaseEventsOf = (
  changes: readonly PurchaseChange[],
  items: ReadonlyMap<number, SoldItem>,
  at: Timestamp,
): readonly NewEvent[] =>
  changes.flatMap((each): NewEvent[] => {
    const { type, itemId, soldAt } = each
    const item = items.get(itemId)
    if (item === undefined) return []
    const account = { id: item.accountId, username: item.username }
    const data = renderPurchaseData(each, item)
    return [{ type, at, account, data, ...(soldAt === undefined ? {} : { soldAt }) }]
  })
