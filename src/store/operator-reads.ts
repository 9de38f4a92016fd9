import type {
  FoundItem,
  FoundPurchase,
  OperatorReads,
  RowCounts,
} from "../domain/operator-reads.ts"
import { lowerAscii } from "../domain/purchase-code.ts"
import type { SqlDatabase, Value } from "./database.ts"

/** A condition on `p.code` that the database answers from an index, and its values. */
type CodeFilter = (code: string) => readonly [condition: string, values: readonly Value[]]

export const selectCounts = `SELECT
  (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM items) AS items,
  (SELECT count(*) FROM purchases) AS purchases, (SELECT count(*) FROM api_keys) AS keys`

/** SQLite has no booleans: they come as 1 and 0. */
export function createOperatorReads(db: SqlDatabase, filterByCode: CodeFilter): OperatorReads {
  return {
    async countRows() {
      const [counts] = await db.readLong<RowCounts>(selectCounts)
      if (counts === undefined) throw new Error("counting gives a row")
      return counts
    },
    async findItem(id) {
      const [row] = await db.readLong<FoundItem>(
        `SELECT i.id, i.account_id AS "accountId", i.hidden AS "isHidden", i.body,
           a.username AS author, a.suspended AS "isAuthorSuspended",
           (SELECT count(*) FROM purchases p WHERE p.item_id = i.id) AS purchases
         FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id = $1`,
        [id],
      )
      if (row === undefined) return null
      const isAuthorSuspended = Boolean(row.isAuthorSuspended)
      return { ...row, isAuthorSuspended, isHidden: Boolean(row.isHidden) }
    },
    async listPurchases(code) {
      const [condition, values] = filterByCode(code)
      const rows = await db.read<FoundPurchase>(
        `SELECT p.code, i.account_id AS "accountId", p.item_id AS "itemId",
           p.revoked AS "isRevoked", p.before_item || i.body || p.after_item AS body, p.buyer,
           a.username AS author, a.suspended AS "isAuthorSuspended"
         FROM purchases p JOIN items i ON i.id = p.item_id JOIN accounts a ON a.id = i.account_id
         WHERE ${condition}`,
        values,
      )
      return rows
        .filter((row) => lowerAscii(row.code) === lowerAscii(code))
        .map((row) => ({
          ...row,
          isRevoked: Boolean(row.isRevoked),
          isAuthorSuspended: Boolean(row.isAuthorSuspended),
        }))
    },
  }
}
