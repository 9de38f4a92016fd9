/** Keeps how many purchases each account has. */
import type { Changes, DatedPurchase } from "../../../domain/feed/batch.ts"
import type { Transaction } from "../database.ts"
import { askFor, run } from "./rows.ts"

/** Called before the changes are written: an item may be removed with its purchases. */
export const countRemoved = (tx: Transaction, { purchases }: Changes) =>
  addByItem(tx, purchases.removed, -1)

/** Called after the changes were written. */
export async function countAdded(
  tx: Transaction,
  { purchases, movedItems, changedLists }: Changes,
): Promise<void> {
  await addByItem(tx, purchases.inserted, 1)
  const isOfItem = `a.id IN (SELECT account_id FROM items WHERE id ${tx.among("$1", "bigint")})`
  await askFor(
    tx,
    [movedItems.map(({ id }) => id), changedLists],
    recount(`${isOfItem} OR a.username ${tx.among("$2", "text")}`),
  )
}

async function addByItem(
  tx: Transaction,
  purchases: readonly Pick<DatedPurchase, "itemId">[],
  each: 1 | -1,
): Promise<void> {
  const counts = new Map<number, number>()
  for (const { itemId } of purchases) counts.set(itemId, (counts.get(itemId) ?? 0) + each)
  await run(
    tx,
    [...counts].map(([id, purchases]) => ({ id, purchases })),
    `INSERT INTO purchase_counts AS kept (account_id, purchases)
     SELECT i.account_id, CAST(sum(new.purchases) AS bigint)
     FROM ${tx.rows("id bigint, purchases bigint")} CROSS JOIN items i WHERE i.id = new.id
     GROUP BY 1 ORDER BY 1
     ON CONFLICT (account_id) DO UPDATE SET purchases = kept.purchases + excluded.purchases`,
  )
}

/** Counts the purchases of the accounts `a` that meet a condition again. */
const recount = (condition: string) => `INSERT INTO purchase_counts (account_id, purchases)
  SELECT a.id, (SELECT count(*) FROM items i JOIN purchases p ON p.item_id = i.id
    WHERE i.account_id = a.id)
  FROM accounts a WHERE ${condition}
  ON CONFLICT (account_id) DO UPDATE SET purchases = excluded.purchases RETURNING account_id AS id`

/** Recounts the first accounts after the id `after`. Returns the last id of them, null at the end. */
export async function recountPurchases(
  tx: Transaction,
  after: number,
  accountsMax: number,
): Promise<number | null> {
  const isNext = "a.id IN (SELECT id FROM accounts WHERE id > $1 ORDER BY id LIMIT $2)"
  const rows = await tx.query<{ id: number }>(recount(isNext), [after, accountsMax])
  return rows.length < accountsMax ? null : Math.max(...rows.map(({ id }) => id))
}
