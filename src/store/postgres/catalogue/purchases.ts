import type { Purchase, PurchaseStore } from "../../../domain/catalogue/purchase.ts"
import { lowerAscii } from "../../../domain/catalogue/purchase-code.ts"
import { revokeByOperator, unrevokeByOperator } from "../../sql/catalogue/purchases.ts"
import type { Database } from "../connection/database.ts"
import { batchLookups } from "./batch-lookups.ts"

type Question = Readonly<{ accountId: number; code: string }>

export function postgresPurchases(db: Database): PurchaseStore {
  const keyOf = ({ accountId, code }: Question) => `${accountId} ${lowerAscii(code)}`
  const listByCode = batchLookups<Question, Purchase>({
    ask: (questions) =>
      db.read(
        `SELECT code, account_id AS "accountId", item_id AS "itemId", revoked AS "isRevoked", body, buyer
         FROM find_purchases($1, $2)`,
        [
          questions.map(({ code }) => lowerAscii(code)),
          questions.map(({ accountId }) => accountId),
        ],
      ),
    keyOfQuestion: keyOf,
    keyOfRow: keyOf,
  })
  return {
    listByCode: (accountId, code) => listByCode({ accountId, code }),
    async setRevokedByOperator(code, isRevoked) {
      const changed = await db.writeOne(
        `UPDATE purchases ${isRevoked ? revokeByOperator : unrevokeByOperator}
         WHERE code = $1 RETURNING code`,
        [code],
      )
      return changed !== null
    },
  }
}
