/**
 * Keeps how many purchases each account has. A large feed writes the counts of some batches at once: writing them with
 * each batch made imports 5 % slower. Those of a crashed import are lost until the purchases are counted again.
 */
import type { Changes, DatedPurchase, Found } from "../../../domain/feed/batch.ts"
import { ask, type Dialect, type Steps } from "../database.ts"
import { run } from "./changes.ts"
import { askFor } from "./found.ts"

/** Fewer accounts are written with their batch, as those of a push. */
const carriedMin = 50
const carriedBatchesMax = 32

/** Changes whenever purchases are counted again: that has then included what is carried. */
const recountMark = "purchases counted"
const readMark = `SELECT value FROM marks WHERE name = '${recountMark}'`

const onConflict =
  "ON CONFLICT (account_id) DO UPDATE SET purchases = kept.purchases + excluded.purchases"

export function openPurchaseCounts(dialect: Dialect) {
  const { among, rows } = dialect
  /** By account. */
  const carried = new Map<number, number>()
  let [batches, markBefore] = [0, ""]

  function* findMark(): Steps<string> {
    const [mark] = yield* ask<{ value: string }>(readMark)
    return mark?.value ?? ""
  }
  function* flush(): Steps<void> {
    const counts = [...carried].map(([id, purchases]) => ({ id, purchases }))
    const isRecounted = batches > 0 && (yield* findMark()) !== markBefore
    carried.clear()
    batches = 0
    if (isRecounted) {
      yield* askFor([counts.map(({ id }) => id)], recount(`a.id ${among("$1", "bigint")}`))
      return
    }
    yield* run(
      counts,
      `INSERT INTO purchase_counts AS kept (account_id, purchases)
       SELECT a.id, new.purchases FROM ${rows("id integer, purchases bigint")}
       CROSS JOIN accounts a WHERE a.id = new.id ${onConflict}`,
    )
  }
  function* addByItem(
    purchases: readonly Pick<DatedPurchase, "itemId">[],
    each: 1 | -1,
  ): Steps<void> {
    const counts = new Map<number, number>()
    for (const { itemId } of purchases) counts.set(itemId, (counts.get(itemId) ?? 0) + each)
    yield* run(
      [...counts].map(([id, purchases]) => ({ id, purchases })),
      `INSERT INTO purchase_counts AS kept (account_id, purchases)
       SELECT i.account_id, CAST(sum(new.purchases) AS bigint)
       FROM ${rows("id bigint, purchases bigint")} CROSS JOIN items i WHERE i.id = new.id
       GROUP BY 1 ${onConflict}`,
    )
  }
  return {
    flush,
    /** Before the changes are written: an item may be removed with its purchases. */
    *countRemoved({ purchases, movedItems }: Changes): Steps<void> {
      if (movedItems.length > 0) yield* flush()
      yield* addByItem(purchases.removed, -1)
    },
    /** After they were written. */
    *countAdded(found: Found, { purchases, movedItems, changedLists }: Changes): Steps<void> {
      const isMoving = movedItems.length > 0
      const ofOthers: DatedPurchase[] = []
      for (const purchase of purchases.inserted) {
        const accountId = isMoving ? undefined : found.items.get(purchase.itemId)?.accountId
        if (accountId === undefined) ofOthers.push(purchase)
        else carried.set(accountId, (carried.get(accountId) ?? 0) + 1)
      }
      yield* addByItem(ofOthers, 1)
      const isOfItem = `a.id IN (SELECT account_id FROM items WHERE id ${among("$1", "bigint")})`
      yield* askFor(
        [movedItems.map(({ id }) => id), changedLists],
        recount(`${isOfItem} OR a.username ${among("$2", "text")}`),
      )
      if (carried.size < carriedMin || batches >= carriedBatchesMax) return yield* flush()
      if (batches === 0) markBefore = yield* findMark()
      batches += 1
    },
  }
}

/** Counts those anew of which a condition on `a` holds. */
const recount = (condition: string) => `INSERT INTO purchase_counts (account_id, purchases)
  SELECT a.id, (SELECT count(*) FROM items i JOIN purchases p ON p.item_id = i.id
    WHERE i.account_id = a.id)
  FROM accounts a WHERE ${condition}
  ON CONFLICT (account_id) DO UPDATE SET purchases = excluded.purchases RETURNING account_id AS id`

/** The first accounts behind `after`; returns the last of them, null at the end. */
export function* recountPurchases(
  { newVersion }: Dialect,
  after: number,
  accountsMax: number,
): Steps<number | null> {
  yield* ask(
    `INSERT INTO marks (name, value) VALUES ('${recountMark}', ${newVersion})
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  )
  const isNext = "a.id IN (SELECT id FROM accounts WHERE id > $1 ORDER BY id LIMIT $2)"
  const rows = yield* ask<{ id: number }>(recount(isNext), [after, accountsMax])
  return rows.length < accountsMax ? null : Math.max(...rows.map(({ id }) => id))
}
