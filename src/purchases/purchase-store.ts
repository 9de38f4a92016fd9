import { insertFeedEvent } from "../access/audit-store.ts"
import type { SqlDatabase } from "../platform/database/sql.ts"
import { type Sql, sql } from "../platform/database/statement.ts"
import { lowerAscii } from "../platform/text.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import { renderPurchaseData } from "../webhooks/event.ts"
import { writeEvents } from "../webhooks/event-store.ts"
import { createSums, type SummedSale } from "./daily-sales-store.ts"
import type { PurchaseStore, PurchaseText } from "./purchase.ts"

export const isOfPurchase = (code: string): Sql =>
  sql`folded = ${lowerAscii(code)} AND code = ${code}`

/** Selects the state in the feed, ignoring an operator override. */
export const feedRevoked = sql`coalesce(is_revoked_by_feed, is_revoked) AS is_revoked,
  is_revoked_by_feed IS NOT NULL AS is_revoked_by_operator`

const revokeByOperator = sql`
  is_revoked_by_feed = coalesce(is_revoked_by_feed, is_revoked), is_revoked = true`

const unrevokeByOperator = sql`
  is_revoked = coalesce(is_revoked_by_feed, is_revoked), is_revoked_by_feed = NULL`

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
  /** Queues a webhook event if the state changes. */
  setRevokedByOperator: (code, isRevoked, now) =>
    db.transaction(async (tx) => {
      const [before] = await tx.query<Refunded>`
        SELECT p.account_id, a.username, p.sold_at, p.currency, p.is_revoked, p.price,
          p.before_item, p.after_item, p.item_id, i.name
        FROM purchases p JOIN items i ON i.id = p.item_id JOIN accounts a ON a.id = i.account_id
        WHERE ${isOfPurchase(code)} ${tx.lock("FOR NO KEY UPDATE OF p")}`
      const [after] = await tx.query<Pick<Refunded, "isRevoked">>`
        UPDATE purchases SET ${isRevoked ? revokeByOperator : unrevokeByOperator}
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
