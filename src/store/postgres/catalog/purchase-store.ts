import type { PurchaseOnSite, PurchaseStore } from "../../../domain/catalog/purchase.ts"
import { lowerAscii } from "../../../domain/catalog/purchase-code.ts"
import {
  hasMovedFrom,
  movedItemsOf,
  putOperatorOverride,
  putSiteLimit,
} from "../../sql/catalog/purchase-queries.ts"
import { sql } from "../../sql/statement.ts"
import { batchLookups } from "../connection/batch-lookups.ts"
import type { Database } from "../connection/database.ts"

type PurchaseLookup = Readonly<{
  accountId: number
  code: string
  site: string | null
  keyId: string | null
}>
/** `accountId` is that of the lookup, and `authorId` that of the item. */
type Row = PurchaseOnSite & Readonly<{ keyId: string | null; authorId: number }>

/** OFFSET 0 makes the planner use the indexes on new tables without statistics. */
export const selectPurchases = (lookups: readonly PurchaseLookup[]) => sql`
  SELECT p.code, q.account_id, p.item_id, p.is_revoked,
    p.before_item || i.body || p.after_item AS body, p.buyer,
    p.valid_until, p.site_limit, i.site_limits, q.site,
    q.key_id, i.account_id AS author_id,
    (SELECT s.last_day FROM purchase_sites s
     WHERE s.folded = p.folded AND s.code = p.code AND s.site = q.site) AS site_last_day
  FROM unnest(
    ${lookups.map(({ code }) => lowerAscii(code))}::text[],
    ${lookups.map(({ accountId }) => accountId)}::integer[],
    ${lookups.map(({ site }) => site)}::text[], ${lookups.map(({ keyId }) => keyId)}::text[]
  ) AS q (folded, account_id, site, key_id)
  CROSS JOIN LATERAL (SELECT * FROM purchases WHERE folded = q.folded OFFSET 0) p
  CROSS JOIN LATERAL (
    SELECT account_id, body, site_limits FROM items
    WHERE id = p.item_id AND (account_id = q.account_id OR id IN (${movedItemsOf(sql`q.key_id`)})) OFFSET 0
  ) i`

export function postgresPurchases(db: Database): PurchaseStore {
  // Sites contain no line feed.
  const keyOf = ({ accountId, code, site, keyId }: PurchaseLookup) =>
    `${accountId} ${keyId ?? ""} ${site ?? ""}\n${lowerAscii(code)}`
  const listByCode = batchLookups<PurchaseLookup, Row>({
    query: (lookups) => db.read(selectPurchases(lookups)),
    keyOfLookup: keyOf,
    keyOfRow: keyOf,
  })
  return {
    async listByCode(accountId, code, site = null, keyId = null) {
      const rows = await listByCode({ accountId, code, site, keyId })
      return rows.map(({ keyId: _, authorId, ...row }) => ({ ...row, accountId: authorId }))
    },
    hasMovedFrom: (key, code) => hasMovedFrom(db, key, code),
    setRevokedByOperator: (code, isRevoked) => putOperatorOverride(db, code, isRevoked),
    setSiteLimit: (code, limit) => putSiteLimit(db, code, limit),
  }
}
