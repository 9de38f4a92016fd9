import type { Database } from "../platform/database/sqlite.ts"
import { tuples } from "../platform/database/statement.ts"
import { lowerAscii } from "../platform/text.ts"
import type { PurchaseStore } from "./purchase.ts"
import { purchaseQueries } from "./purchase-store.ts"

type Lookup = Readonly<{ site: string | null; keyId: string | null }>

type Row = [
  code: string,
  accountId: number,
  itemId: number,
  isRevoked: boolean,
  body: string,
  buyer: string | null,
  validUntil: string | null,
  siteLimit: number | null,
  siteLimits: string | null,
]

export function sqlitePurchases(db: Database): PurchaseStore {
  // The statement of every validation: one text, prepared once, and tuples, whose fields need no names at run time.
  // CROSS makes SQLite start with the purchase instead of all items of the account.
  const selectPurchases = (accountId: number, folded: string, keyId: string | null) =>
    db.readNow<Row>(
      tuples`SELECT p.code, i.account_id, p.item_id, p.is_revoked,
          p.before_item || i.body || p.after_item, p.buyer, p.valid_until, p.site_limit, i.site_limits
        FROM purchases p CROSS JOIN items i ON i.id = p.item_id
        WHERE p.folded = ${folded} AND (i.account_id = ${accountId} OR i.id IN (
          SELECT item_id FROM moved_item_keys WHERE key_id = ${keyId} AND revoked_at IS NULL))`,
    )
  const findLastDay = (folded: string, code: string, site: string) =>
    db.readNow<[string]>(
      tuples`SELECT last_day FROM purchase_sites
        WHERE folded = ${folded} AND code = ${code} AND site = ${site}`,
    )[0]?.[0] ?? null
  const listByCode = db.shareRead((asker: number, code: string, { site, keyId }: Lookup) => {
    const folded = lowerAscii(code)
    return selectPurchases(asker, folded, keyId).map(
      ([code, accountId, itemId, isRevoked, body, buyer, validUntil, siteLimit, siteLimits]) => ({
        ...{ code, accountId, itemId, isRevoked, body, buyer, validUntil, siteLimit, siteLimits },
        site,
        siteLastDay: site === null ? null : findLastDay(folded, code, site),
      }),
    )
  })
  return {
    listByCode: (accountId, code, site = null, keyId = null) =>
      listByCode(accountId, code, { site, keyId }),
    ...purchaseQueries(db),
  }
}
