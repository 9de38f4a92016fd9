import type { Purchase, PurchaseStore } from "../../domain/purchase.ts"
import type { Database } from "./database.ts"
import { assertOwner, createGatherer } from "./gather.ts"

export function postgresPurchases(db: Database): PurchaseStore {
  type Question = Readonly<{ accountId: number; code: string }>
  const listByCode = createGatherer((questions: readonly Question[]) =>
    db.read<Purchase & { question: number }>(
      `SELECT q.question, p.code, i.account_id AS "accountId", p.item_id AS "itemId",
         p.revoked AS "isRevoked", p.before_item AS "beforeItem", i.body AS item,
         p.after_item AS "afterItem"
       FROM unnest($1::integer[], $2::text[]) WITH ORDINALITY AS q (account_id, code, question)
       JOIN purchases p ON lower(p.code) = lower(q.code COLLATE "C")
       JOIN items i ON i.id = p.item_id AND i.account_id = q.account_id`,
      [questions.map(({ accountId }) => accountId), questions.map(({ code }) => code)],
    ),
  )
  return {
    async listByCode(accountId, code) {
      const rows = await listByCode({ accountId, code })
      return rows.map(({ question: _, ...purchase }) => {
        assertOwner(purchase, accountId)
        return purchase
      })
    },
  }
}
