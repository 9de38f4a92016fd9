import { serverKinds } from "../contract/operation.ts"
import type { FoundItem, ListedItem } from "../items/item.ts"
import { matchItem } from "../items/item-store.ts"
import type { WidelyUsedKey } from "../keys/key.ts"
import type { SqlDatabase } from "../platform/database/sql.ts"
import { sql, tuples } from "../platform/database/statement.ts"
import { lowerAscii } from "../platform/text.ts"
import { selectCounts, toCounts } from "../store/row-counts.ts"
import { countSalesOfItem } from "./daily-sales-store.ts"
import type { OperatorReads } from "./operator-reads.ts"
import type { FoundPurchase, PurchaseText } from "./purchase.ts"

export const createOperatorReads = (db: SqlDatabase): OperatorReads => ({
  countRows: async () => toCounts(await db.readLong(selectCounts)),
  async listBusiest({ from, to }, limit) {
    const rows = await db.readLong<[accountId: number, username: string, calls: number]>(
      tuples`WITH used (key_id, calls) AS (
          SELECT key_id, sum(calls) FROM usage WHERE day BETWEEN ${from} AND ${to} GROUP BY 1)
        SELECT account_id, username, CAST(sum(calls) AS bigint) FROM used
        JOIN api_keys ON api_keys.id = key_id JOIN accounts ON accounts.id = account_id
        WHERE kind <> 'tk' GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT ${limit}`,
    )
    return rows.map(([accountId, username, calls]) => ({ accountId, username, calls }))
  },
  async findItem(id) {
    const item = await db.find<Omit<FoundItem, "purchases">>`
      SELECT i.id, i.account_id, i.is_hidden, i.body, i.download_url, a.username, a.is_suspended
      FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id = ${id}`
    if (item === null) return null
    return { ...item, purchases: await db.count(countSalesOfItem(id)) }
  },
  searchItems: (text, rowsMax) =>
    db.read<ListedItem>`
      SELECT i.id, i.account_id, i.name, a.username
      FROM items i JOIN accounts a ON a.id = i.account_id
      WHERE i.id IN (SELECT id FROM items ${db.indexedBy("items_by_id")}
        WHERE ${matchItem(text) ?? sql`true`} ORDER BY id DESC LIMIT ${rowsMax})
      ORDER BY i.id DESC`,
  async findSuspension(accountId) {
    const account = await db.find<{ isSuspended: boolean; isSuspendedByFeed: boolean | null }>`
      SELECT is_suspended, is_suspended_by_feed FROM accounts WHERE id = ${accountId}`
    const { isSuspended = false, isSuspendedByFeed = null } = account ?? {}
    return { isByFeed: isSuspendedByFeed ?? isSuspended, isByOperator: isSuspendedByFeed !== null }
  },
  async listPurchases(code) {
    const rows = await db.read<PurchaseRow>`
      SELECT p.code, i.account_id, p.item_id, p.is_revoked, p.is_revoked_by_feed, p.before_item,
        i.body, p.after_item, p.buyer, p.valid_until, p.site_limit, a.username, a.is_suspended
      FROM purchases p JOIN items i ON i.id = p.item_id JOIN accounts a ON a.id = i.account_id
      WHERE p.folded = ${lowerAscii(code)}`
    return rows.map(({ beforeItem, body, afterItem, isRevokedByFeed, ...purchase }) => ({
      ...purchase,
      body: beforeItem + body + afterItem,
      isRevokedByFeed: isRevokedByFeed ?? purchase.isRevoked,
      isRevokedByOperator: isRevokedByFeed !== null,
    }))
  },
  listWidelyUsed: (since, ipRangesMin, limit) =>
    // CROSS makes SQLite start with the keys, so that it reads no IP ranges of validation keys.
    db.read<WidelyUsedKey>`
      WITH wide (id, ip_ranges) AS (
        SELECT o.id, count(*) FROM api_keys o CROSS JOIN key_ip_ranges s
        WHERE o.kind ${db.among(serverKinds, "text")} AND s.key_id = o.id AND s.last_day >= ${since}
        GROUP BY o.id HAVING count(*) >= ${ipRangesMin} ORDER BY 2 DESC, 1 LIMIT ${limit})
      SELECT k.id, k.account_id, a.username, k.kind, k.name, k.expires_at, k.revoked_at,
        k.replaced_at, ip_ranges
      FROM wide JOIN api_keys k ON k.id = wide.id JOIN accounts a ON a.id = k.account_id
      ORDER BY ip_ranges DESC, k.id`,
})

type PurchaseRow = Omit<FoundPurchase, "isRevokedByFeed" | "isRevokedByOperator"> &
  PurchaseText &
  Readonly<{ isRevokedByFeed: boolean | null }>
