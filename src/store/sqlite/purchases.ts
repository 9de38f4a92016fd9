import type { Database } from "bun:sqlite"
import type { Purchase, PurchaseStore } from "../../domain/purchase.ts"
import { together } from "./database.ts"

type Row = Omit<Purchase, "isRevoked"> & { isRevoked: number }

export function sqlitePurchases(db: Database): PurchaseStore {
  const listByCode = db.query<Row, [string, number]>(
    `SELECT p.code, i.account_id AS "accountId", p.item_id AS "itemId", p.revoked AS "isRevoked",
       p.before_item || i.body || p.after_item AS body
     FROM purchases p JOIN items i ON i.id = p.item_id
     WHERE p.code = ? COLLATE NOCASE AND i.account_id = ?`,
  )
  return {
    listByCode: together(db, (accountId: number, code: string) =>
      listByCode.all(code, accountId).map(toPurchase),
    ),
  }
}

const toPurchase = ({ code, accountId, itemId, isRevoked, body }: Row): Purchase => ({
  code,
  accountId,
  itemId,
  isRevoked: isRevoked === 1,
  body,
})
