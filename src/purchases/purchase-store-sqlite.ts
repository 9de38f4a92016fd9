import { tuples } from "../platform/database/sql.ts"
import type { Database } from "../platform/database/sqlite.ts"
import { lowerAscii } from "../platform/text.ts"
import type { PurchaseStore } from "./purchase.ts"
import { purchaseQueries } from "./purchase-store.ts"

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
  type Lookup = Readonly<{ site: string | null; keyId: string | null }>
  const listByCode = db.shareRead((asker: number, code: string, { site, keyId }: Lookup) => {
    const folded = lowerAscii(code)
    // The statement of every validation: one text, prepared once, and tuples, whose fields need no names at run time.
    // CROSS makes SQLite start with the purchase instead of all items of the account.
    const rows = db.readNow<Row>(
      tuples`SELECT p.code, i.account_id, p.item_id, p.is_revoked,
          p.before_item || i.body || p.after_item, p.buyer, p.valid_until, p.site_limit, i.site_limits
        FROM purchases p CROSS JOIN items i ON i.id = p.item_id
        WHERE p.folded = ${folded} AND (i.account_id = ${asker} OR i.id IN (
          SELECT item_id FROM moved_item_keys WHERE key_id = ${keyId} AND revoked_at IS NULL))`,
    )
    return rows.map(
      ([code, accountId, itemId, isRevoked, body, buyer, validUntil, siteLimit, siteLimits]) => {
        const purchase = { code, accountId, itemId, isRevoked, body, buyer, validUntil, siteLimit }
        if (site === null) return { ...purchase, siteLimits, site, siteLastDay: null }
        const [[siteLastDay] = [null]] = db.readNow<[string]>(
          tuples`SELECT last_day FROM purchase_sites
            WHERE folded = ${folded} AND code = ${code} AND site = ${site}`,
        )
        return { ...purchase, siteLimits, site, siteLastDay }
      },
    )
  })
  return {
    listByCode: (accountId, code, site = null, keyId = null) =>
      listByCode(accountId, code, { site, keyId }),
    ...purchaseQueries(db),
  }
}
