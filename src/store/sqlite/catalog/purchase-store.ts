import type { PurchaseOnSite, PurchaseStore } from "../../../domain/catalog/purchase.ts"
import { lowerAscii } from "../../../domain/catalog/purchase-code.ts"
import {
  hasMovedFrom,
  movedItemsOf,
  putOperatorOverride,
  putSiteLimit,
} from "../../sql/catalog/purchase-queries.ts"
import type { Database } from "../connection/database.ts"

type Lookup = Readonly<{ site: string | null; keyId: string | null }>

export function sqlitePurchases(db: Database): PurchaseStore {
  // CROSS makes SQLite start with the purchase instead of all items of the account.
  const selectPurchases = (accountId: number, folded: string, keyId: string | null) =>
    db.readNow<Omit<PurchaseOnSite, "site" | "siteLastDay">>`
      SELECT p.code, i.account_id, p.item_id, p.is_revoked,
        p.before_item || i.body || p.after_item AS body, p.buyer,
        p.valid_until, p.site_limit, i.site_limits
      FROM purchases p CROSS JOIN items i ON i.id = p.item_id
      WHERE p.folded = ${folded} AND (i.account_id = ${accountId} OR i.id IN (${movedItemsOf(keyId)}))`
  const findLastDay = (folded: string, code: string, site: string) =>
    db.readNow<{ lastDay: string }>`SELECT last_day FROM purchase_sites
      WHERE folded = ${folded} AND code = ${code} AND site = ${site}`[0]?.lastDay ?? null
  const listByCode = db.shareRead((accountId: number, code: string, { site, keyId }: Lookup) => {
    const folded = lowerAscii(code)
    return selectPurchases(accountId, folded, keyId).map((row) => ({
      ...row,
      site,
      siteLastDay: site === null ? null : findLastDay(folded, row.code, site),
    }))
  })
  return {
    listByCode: (accountId, code, site = null, keyId = null) =>
      listByCode(accountId, code, { site, keyId }),
    hasMovedFrom: (key, code) => hasMovedFrom(db, key, code),
    setRevokedByOperator: (...override) => putOperatorOverride(db, ...override),
    setSiteLimit: (code, limit) => putSiteLimit(db, code, limit),
  }
}
