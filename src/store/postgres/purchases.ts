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
        // Question by question: told only which accounts may answer, the server reads all their items.
        `SELECT p.code, i.account_id AS "accountId", p.item_id AS "itemId", p.revoked AS "isRevoked",
           p.before_item || i.body || p.after_item AS body
         FROM unnest($1::text[], $2::integer[]) AS q (folded, account_id)
         JOIN purchases p ON lower(p.code) = q.folded
         JOIN items i ON i.id = p.item_id AND i.account_id = q.account_id`,
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
