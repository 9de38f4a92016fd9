import { queryUnlessEmpty, type Transaction } from "../platform/database/sql.ts"
import { sql } from "../platform/database/statement.ts"
import type { Timestamp } from "../platform/time.ts"
import { type NewEvent, renderPurchaseData } from "../webhooks/event.ts"
import type { PurchaseChange } from "./purchase.ts"

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
