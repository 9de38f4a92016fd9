import type { Item } from "../items/item.ts"
import { queryUnlessEmpty, sql, type Transaction } from "../platform/database/sql.ts"
import type { DailySales, SummedSale, Sums } from "../purchases/purchase-store.ts"
import type { Changes } from "./batch.ts"
import { codeColumns, codeRowOf } from "./batch-reads-store.ts"

/** The account of each item. */
type Owners = ReadonlyMap<number, number>

/** What a batch replaces, read before its changes. */
export type SumsBefore = Readonly<{ sales: readonly SummedSale[]; owners: Owners }>

export async function readSumsBefore(tx: Transaction, changes: Changes): Promise<SumsBefore> {
  const { removed, updated } = changes.purchases
  const rows = [...removed, ...updated].map(codeRowOf)
  // CROSS makes SQLite start with the codes.
  const sales = await queryUnlessEmpty<SummedSale>(
    tx,
    rows,
    sql`SELECT p.account_id, p.item_id, p.sold_at, p.currency, p.is_revoked, p.price
      FROM ${tx.rowsFor("purchases", codeColumns, rows)} CROSS JOIN purchases p
      WHERE p.folded = new.folded AND p.code = new.code`,
  )
  return { sales, owners: await readOwners(tx, listChangedItems(changes)) }
}

/** Runs after the changes of items and purchases. `sales` are the new states. */
export async function addToSums(
  tx: Transaction,
  sums: Sums,
  changes: Changes,
  before: SumsBefore,
  sales: readonly SummedSale[],
): Promise<void> {
  const owners = await readOwners(tx, listChangedItems(changes))
  for (const sum of await readMovedSums(tx, before.owners, owners)) {
    sums.addDay({ ...sum, sales: -sum.sales, amount: -sum.amount })
    sums.addDay({ ...sum, accountId: owners.get(sum.itemId) ?? 0 })
  }
  for (const accountId of before.owners.values()) sums.addItems(accountId, -1)
  for (const accountId of owners.values()) sums.addItems(accountId, 1)
  // The old sales have moved with their item.
  for (const sale of before.sales)
    sums.addSale({ ...sale, accountId: owners.get(sale.itemId) ?? sale.accountId }, -1)
  for (const sale of sales) sums.addSale(sale, 1)
}

const listChangedItems = ({ items, movedItems }: Changes) =>
  new Set([...items.removed, ...items.inserted, ...movedItems].map(({ id }) => id))

export async function readOwners(tx: Transaction, itemIds: ReadonlySet<number>): Promise<Owners> {
  const rows = await queryUnlessEmpty<Pick<Item, "id" | "accountId">>(
    tx,
    itemIds,
    sql`SELECT id, account_id FROM items WHERE id ${tx.among(itemIds, "bigint")}`,
  )
  return new Map(rows.map(({ id, accountId }) => [id, accountId]))
}

/** The sums of the items that have another account now. They are complete: only the first changes of a batch move items. */
function readMovedSums(tx: Transaction, before: Owners, now: Owners) {
  const moved = [...before]
    .map(([itemId, accountId]) => ({ itemId, accountId }))
    .filter(({ itemId, accountId }) => (now.get(itemId) ?? accountId) !== accountId)
  return queryUnlessEmpty<DailySales>(
    tx,
    moved,
    sql`SELECT d.* FROM ${tx.rowsFor("daily_sales", "account_id, item_id", moved)}
      CROSS JOIN daily_sales d WHERE d.account_id = new.account_id AND d.item_id = new.item_id`,
  )
}
