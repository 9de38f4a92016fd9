import { batchLookups, type Database } from "../platform/database/postgres.ts"
import { sql } from "../platform/database/sql.ts"
import { lowerAscii } from "../platform/text.ts"
import type { PurchaseOnSite, PurchaseStore } from "./purchase.ts"
import { purchaseQueries } from "./purchase-store.ts"

type PurchaseLookup = Readonly<{
  /** The account of the key; `accountId` of a row is that of the item. */
  askedBy: number
  code: string
  site: string | null
  keyId: string | null
}>
type Row = Omit<PurchaseOnSite, "siteLastDay"> &
  Pick<PurchaseLookup, "askedBy" | "keyId"> &
  Readonly<{ lastDay: string | null }>

/** OFFSET 0 makes the planner use the indexes on new tables without statistics. */
export const selectPurchases = (lookups: readonly PurchaseLookup[]) => sql`
  SELECT p.code, i.account_id, p.item_id, p.is_revoked,
    p.before_item || i.body || p.after_item AS body, p.buyer,
    p.valid_until, p.site_limit, i.site_limits, q.site,
    q.key_id, q.asked_by, s.last_day
  FROM unnest(
    ${lookups.map(({ code }) => lowerAscii(code))}::text[],
    ${lookups.map(({ askedBy }) => askedBy)}::integer[],
    ${lookups.map(({ site }) => site)}::text[], ${lookups.map(({ keyId }) => keyId)}::text[]
  ) AS q (folded, asked_by, site, key_id)
  CROSS JOIN LATERAL (SELECT * FROM purchases WHERE folded = q.folded OFFSET 0) p
  CROSS JOIN LATERAL (
    SELECT account_id, body, site_limits FROM items
    WHERE id = p.item_id AND (account_id = q.asked_by OR id IN (
      SELECT item_id FROM moved_item_keys WHERE key_id = q.key_id AND revoked_at IS NULL)) OFFSET 0
  ) i
  LEFT JOIN LATERAL (SELECT last_day FROM purchase_sites
    WHERE folded = p.folded AND code = p.code AND site = q.site OFFSET 0) s ON true`

export function postgresPurchases(db: Database): PurchaseStore {
  // Sites contain no line feed.
  const nameLookup = ({ askedBy, code, site, keyId }: PurchaseLookup) =>
    `${askedBy} ${keyId ?? ""} ${site ?? ""}\n${lowerAscii(code)}`
  const listByCode = batchLookups<PurchaseLookup, Row>({
    query: (lookups) => db.read(selectPurchases(lookups)),
    keyOfLookup: nameLookup,
    keyOfRow: nameLookup,
  })
  return {
    async listByCode(accountId, code, site = null, keyId = null) {
      const rows = await listByCode({ askedBy: accountId, code, site, keyId })
      return rows.map(({ keyId: _key, askedBy: _account, lastDay: siteLastDay, ...row }) => {
        return { ...row, siteLastDay }
      })
    },
    ...purchaseQueries(db),
  }
}
