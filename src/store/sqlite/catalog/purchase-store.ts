import type { PurchaseOnSite, PurchaseStore } from "../../../domain/catalog/purchase.ts"
import {
  codeValuesOf,
  hasMovedFrom,
  movedItemsOf,
  putOperatorOverride,
  putSiteLimit,
} from "../../sql/catalog/purchase-queries.ts"
import type { Database } from "../connection/database.ts"

type Lookup = Readonly<{ site: string | null; keyId: string | null }>
type Row = Omit<PurchaseOnSite, "isRevoked" | "site" | "siteLastDay"> & { isRevoked: number }

export function sqlitePurchases(db: Database): PurchaseStore {
  // CROSS makes SQLite start with the purchase instead of all items of the account.
  const select = db.prepare<Row, [string, number, string | null]>(
    `SELECT p.code, i.account_id AS "accountId", p.item_id AS "itemId", p.revoked AS "isRevoked",
       p.before_item || i.body || p.after_item AS body, p.buyer,
       p.valid_until AS "validUntil", p.site_limit AS "siteLimit", i.site_limits AS "siteLimits"
     FROM purchases p CROSS JOIN items i ON i.id = p.item_id
     WHERE p.folded = $1 AND (i.account_id = $2 OR i.id IN (${movedItemsOf("$3")}))`,
  )
  const selectDay = db.prepare<{ lastDay: string }, [string, string, string]>(
    `SELECT last_day AS "lastDay" FROM purchase_sites
     WHERE folded = $1 AND code = $2 AND site = $3`,
  )
  const listByCode = db.shareRead((accountId: number, code: string, { site, keyId }: Lookup) => {
    const [folded] = codeValuesOf(code)
    return select.all(folded, accountId, keyId).map((row) => ({
      ...row,
      isRevoked: row.isRevoked === 1,
      site,
      siteLastDay: site === null ? null : (selectDay.get(folded, row.code, site)?.lastDay ?? null),
    }))
  })
  return {
    listByCode: (accountId, code, site = null, keyId = null) =>
      listByCode(accountId, code, { site, keyId }),
    hasMovedFrom: (key, code) => hasMovedFrom(db, key, code),
    setRevokedByOperator: (code, isRevoked) => putOperatorOverride(db, code, isRevoked),
    setSiteLimit: (code, limit) => putSiteLimit(db, code, limit),
  }
}
