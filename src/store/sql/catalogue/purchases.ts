import type { PurchaseText } from "../../../domain/catalogue/purchase.ts"
import { renderPurchaseData } from "../../../domain/events/event.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase, Value } from "../database.ts"
import { writeEvents } from "../events/write-events.ts"

/** A condition on `p.code` that the database answers from an index, and its values. */
export type CodeFilter = (code: string) => Readonly<{
  condition: string
  values: readonly Value[]
  /** Joins the purchase with its row `c` of asked_codes. */
  isAsked: string
}>

/** Whether the feed has revoked it, and whether an operator has. `revoked` is true where either has. */
export const feedRevoked = `coalesce(feed_revoked, revoked) AS "isRevoked",
  feed_revoked IS NOT NULL AS "isRevokedByOperator"`

/** Keeps what the feed says. `true` is 1 on SQLite. */
const revokeByOperator = "SET feed_revoked = coalesce(feed_revoked, revoked), revoked = true"

/** Then what the feed says counts again. */
const unrevokeByOperator = "SET revoked = coalesce(feed_revoked, revoked), feed_revoked = NULL"

type Refunded = PurchaseText &
  Readonly<{
    accountId: number
    username: string
    itemId: number
    itemName: string
    isRevoked: boolean
  }>

/** Those who are told of the purchase are told of the change. `condition` finds the row `p`. */
export const changeOperatorsWord = (
  db: SqlDatabase,
  [condition, values]: readonly [condition: string, values: readonly Value[]],
  isRevoked: boolean,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [before] = await tx.query<Refunded>(
      `SELECT a.id AS "accountId", a.username, p.revoked AS "isRevoked",
         p.before_item AS "beforeItem", p.after_item AS "afterItem", i.id AS "itemId", i.name AS "itemName"
       FROM purchases p JOIN items i ON i.id = p.item_id JOIN accounts a ON a.id = i.account_id
       WHERE ${condition} ${db.lock("FOR NO KEY UPDATE OF p")}`,
      values,
    )
    const [after] = await tx.query<Pick<Refunded, "isRevoked">>(
      `UPDATE purchases AS p ${isRevoked ? revokeByOperator : unrevokeByOperator}
       WHERE ${condition} RETURNING revoked AS "isRevoked"`,
      values,
    )
    if (before === undefined || after === undefined) return false
    if (before.isRevoked === after.isRevoked) return true
    const { accountId: id, username, itemId, itemName } = before
    await writeEvents(tx, [
      {
        type: after.isRevoked ? "purchase.revoked" : "purchase.restored",
        at: formatTimestamp(new Date()),
        account: { id, username },
        data: renderPurchaseData(before, { id: itemId, name: itemName }),
      },
    ])
    return true
  })
