import type { Purchase, PurchaseStore } from "../../domain/purchase.ts"
import { lowerAscii } from "../../domain/purchase-code.ts"
import type { Database } from "./database.ts"
import { createGatherer } from "./gather.ts"

type Question = Readonly<{ accountId: number; code: string }>

export function postgresPurchases(db: Database): PurchaseStore {
  const keyOf = ({ accountId, code }: Question) => `${accountId} ${lowerAscii(code)}`
  const listByCode = createGatherer<Question, Purchase>({
    ask: (questions) =>
      db.read(
        `SELECT p.code, i.account_id AS "accountId", p.item_id AS "itemId", p.revoked AS "isRevoked",
           p.before_item || i.body || p.after_item AS body
         FROM purchases p JOIN items i ON i.id = p.item_id
         WHERE lower(p.code) = ANY ($1) AND i.account_id = ANY ($2)`,
        [
          questions.map(({ code }) => lowerAscii(code)),
          questions.map(({ accountId }) => accountId),
        ],
      ),
    keyOfQuestion: keyOf,
    keyOfRow: keyOf,
  })
  return { listByCode: (accountId, code) => listByCode({ accountId, code }) }
}
