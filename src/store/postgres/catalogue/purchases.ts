import type { PurchaseOnSite, PurchaseStore } from "../../../domain/catalogue/purchase.ts"
import { lowerAscii } from "../../../domain/catalogue/purchase-code.ts"
import { changeOperatorsWord } from "../../sql/catalogue/purchases.ts"
import type { Database } from "../connection/database.ts"
import { batchLookups } from "./batch-lookups.ts"

type Question = Readonly<{ accountId: number; code: string; site: string | null }>

export function postgresPurchases(db: Database): PurchaseStore {
  // No site has a line feed.
  const keyOf = ({ accountId, code, site }: Question) =>
    `${accountId} ${site ?? ""}\n${lowerAscii(code)}`
  const listByCode = batchLookups<Question, PurchaseOnSite>({
    ask: (questions) =>
      db.read(
        `SELECT code, account_id AS "accountId", item_id AS "itemId", revoked AS "isRevoked", body, buyer,
           site_limits AS "siteLimits", site, site_last_day AS "siteLastDay"
         FROM find_purchases($1, $2, $3)`,
        [
          questions.map(({ code }) => lowerAscii(code)),
          questions.map(({ accountId }) => accountId),
          questions.map(({ site }) => site),
        ],
      ),
    keyOfQuestion: keyOf,
    keyOfRow: keyOf,
  })
  return {
    listByCode: (accountId, code, site = null) => listByCode({ accountId, code, site }),
    setRevokedByOperator: (code, isRevoked) =>
      changeOperatorsWord(db, ["p.code = $1", [code]], isRevoked),
  }
}
