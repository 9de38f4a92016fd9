import type { Purchase, PurchaseStore } from "../../domain/purchase.ts"
import { lowerAscii } from "../../domain/purchase-code.ts"
import { revokeByOperator, unrevokeByOperator } from "../purchases.ts"
import type { Database } from "./database.ts"
import { rowidsOf } from "./purchase-rowids.ts"

type Row = Omit<Purchase, "isRevoked"> & { isRevoked: number }
/** All members but `hasMore` are null for a row that is not the account's or lies beyond the range. */
type NextRow = (Row | Readonly<{ code: null }>) & Readonly<{ hasMore: number | null }>

// CROSS: otherwise the planner begins with all items of the account.
const joined = "FROM purchases p CROSS JOIN items i ON i.id = p.item_id"
const bodyText = "p.before_item || i.body || p.after_item"

export function sqlitePurchases(db: Database): PurchaseStore {
  // Without an upper bound: an absent code reads the row that follows its place, as another author's code
  // reads its own, so that both take the same time (tests/soak/timing.ts). It costs a valid code 0.6 µs.
  const ofAccount = (value: string) =>
    `CASE WHEN i.account_id = ?3 AND p.place <= ?2 THEN ${value} END`
  const findNext = db.prepare<NextRow, [number, number, number]>(
    `SELECT ${ofAccount("p.code")} AS code, ${ofAccount("i.account_id")} AS "accountId",
       ${ofAccount("p.item_id")} AS "itemId", ${ofAccount("p.revoked")} AS "isRevoked",
       ${ofAccount(bodyText)} AS body, ${ofAccount("p.buyer")} AS buyer,
       (SELECT n.place FROM purchases n WHERE n.place > p.place ORDER BY n.place LIMIT 1) <= ?2 AS "hasMore"
     ${joined} WHERE p.place >= ?1 ORDER BY p.place LIMIT 1`,
  )
  const listByRowid = db.prepare<Row, [number, number, number]>(
    `SELECT p.code, i.account_id AS "accountId", p.item_id AS "itemId", p.revoked AS "isRevoked",
       ${bodyText} AS body, p.buyer
     ${joined} WHERE p.place BETWEEN $1 AND $2 AND i.account_id = $3`,
  )
  return {
    listByCode: db.shareRead((accountId: number, code: string) => {
      const { first, last } = rowidsOf(code)
      const row = findNext.get(first, last, accountId)
      if (row === null) return []
      if (row.hasMore === 1) {
        return listByRowid.all(first, last, accountId).filter(isAlike(code)).map(toPurchase)
      }
      return row.code !== null && isAlike(code)(row) ? [toPurchase(row)] : []
    }),
    async setRevokedByOperator(code, isRevoked) {
      const { first, last } = rowidsOf(code)
      const rows = await db.writeAll([
        `UPDATE purchases ${isRevoked ? revokeByOperator : unrevokeByOperator}
         WHERE place BETWEEN $1 AND $2 AND code = $3 RETURNING place`,
        [first, last, code],
      ])
      return rows.length > 0
    },
  }
}

/** Equal but for the case of ASCII letters; other codes may have the same checksum. */
const isAlike = (asked: string) => (row: Pick<Row, "code">) =>
  row.code === asked || lowerAscii(row.code) === lowerAscii(asked)

const toPurchase = ({ code, accountId, itemId, isRevoked, body, buyer }: Row): Purchase => ({
  code,
  accountId,
  itemId,
  isRevoked: isRevoked === 1,
  body,
  buyer,
})
