import { lowerAscii } from "../../../domain/catalog/purchase-code.ts"
import { serverKinds } from "../../../domain/keys/api-key.ts"
import type {
  BusyAuthor,
  FoundItem,
  FoundPurchase,
  ListedItem,
  OperatorLists,
  OperatorReads,
  RowCounts,
  Suspension,
  WidelyUsedKey,
} from "../../../domain/usage/operator-reads.ts"
import { foldLetters } from "../../../domain/values/text.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"

export const selectCounts = `SELECT
  (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM items) AS items,
  (SELECT count(*) FROM purchases) AS purchases, (SELECT count(*) FROM api_keys) AS keys`

const kinds = serverKinds.map((kind) => `'${kind}'`).join(", ")

export const createOperatorReads = (db: SqlDatabase): OperatorReads => ({
  async countRows() {
    const [counts] = await db.readLong<RowCounts>(selectCounts)
    if (counts === undefined) throw new Error("a SELECT without FROM returned no row")
    return counts
  },
  listBusiest: (range, limit) =>
    db.readLong<BusyAuthor>(
      `SELECT account_id, username, calls FROM (
         SELECT account_id, CAST(sum(calls) AS bigint) AS calls FROM (
           SELECT key_id, sum(calls) AS calls FROM usage WHERE day BETWEEN $1 AND $2 GROUP BY 1
         ) AS used JOIN api_keys ON api_keys.id = key_id
         WHERE kind <> 'tk' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT $3
       ) AS busiest JOIN accounts ON accounts.id = account_id ORDER BY calls DESC, account_id`,
      [range.from, range.to, limit],
    ),
  async findItem(id) {
    const [row] = await db.readLong<FoundItem>(
      `SELECT i.id, i.account_id, i.is_hidden, i.body,
         i.download_url, a.username AS author, a.is_suspended AS is_author_suspended,
         (SELECT count(*) FROM purchases p WHERE p.item_id = i.id) AS purchases
       FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id = $1`,
      [id],
    )
    return row ?? null
  },
  async findSuspension(accountId) {
    const select = `SELECT coalesce(is_suspended_by_feed, is_suspended) AS is_by_feed,
      is_suspended_by_feed IS NOT NULL AS is_by_operator FROM accounts WHERE id = $1`
    const row = await db.find<Suspension>(select, [accountId])
    return row ?? { isByFeed: false, isByOperator: false }
  },
  listPurchases: (code) =>
    db.read<FoundPurchase>(
      `SELECT p.code, i.account_id, p.item_id,
         p.is_revoked, coalesce(p.is_revoked_by_feed, p.is_revoked) AS is_revoked_by_feed,
         p.is_revoked_by_feed IS NOT NULL AS is_revoked_by_operator, p.before_item || i.body || p.after_item AS body, p.buyer,
         p.valid_until, p.site_limit, a.username AS author, a.is_suspended AS is_author_suspended
       FROM purchases p JOIN items i ON i.id = p.item_id JOIN accounts a ON a.id = i.account_id
       WHERE p.folded = $1`,
      [lowerAscii(code)],
    ),
  listWidelyUsed: (since, ipRangesMin, limit) =>
    db.read<WidelyUsedKey>(
      // CROSS makes SQLite start with the keys, so that it reads no IP ranges of validation keys.
      `SELECT k.id, k.account_id, a.username, k.kind, k.name, k.expires_at,
         k.revoked_at, k.replaced_at, c.networks AS ip_ranges
       FROM (
         SELECT o.id, count(*) AS networks FROM api_keys o CROSS JOIN key_ip_ranges s
         WHERE o.kind IN (${kinds}) AND s.key_id = o.id AND s.last_day >= $1
         GROUP BY o.id HAVING count(*) >= $2 ORDER BY 2 DESC, 1 LIMIT $3
       ) c JOIN api_keys k ON k.id = c.id JOIN accounts a ON a.id = k.account_id
       ORDER BY c.networks DESC, k.id`,
      [since, ipRangesMin, limit],
    ),
})

/** Rows per query until a page is full: on SQLite a query blocks all requests of the thread. */
const rowsPerQuery = 2_000

const idMax = Number.MAX_SAFE_INTEGER

type ItemTitle = Pick<ListedItem, "id" | "name">

export const createOperatorLists = (db: SqlDatabase): OperatorLists => ({
  async listItems({ accountId, isHidden, text }, before, rowsMax) {
    const values: Value[] = []
    const bind = (value: Value) => `$${values.push(value)}`
    const conditions = [
      ...(accountId === null ? [] : [`i.account_id = ${bind(accountId)}`]),
      ...(isHidden === null ? [] : [`i.is_hidden = ${bind(isHidden)}`]),
    ]
    const [last, rows] = [`$${values.length + 1}`, `$${values.length + 2}`]
    const foldedText = foldLetters(text)
    // Names are selected only for a search, because computing them takes most of the time.
    const select = `SELECT i.id${text === "" ? "" : ", i.name"}
      FROM items i ${accountId === null || text !== "" ? db.indexedBy("items_by_id") : ""}
      WHERE ${[...conditions, `i.id < ${last}`].join(" AND ")} ORDER BY i.id DESC LIMIT ${rows}`
    const found: number[] = []
    let beforeId = before ?? idMax
    const limit = text === "" ? rowsMax : rowsPerQuery
    let isEnd = false
    // A search reads until a page of matching rows is full.
    while (!isEnd && found.length < rowsMax) {
      const page: readonly ItemTitle[] = await db.read(select, [...values, beforeId, limit])
      for (const { id, name } of page) {
        const isMatch = String(id) === text || foldLetters(name ?? "").includes(foldedText)
        if (text === "" || isMatch) found.push(id)
      }
      isEnd = page.length < limit
      beforeId = page.at(-1)?.id ?? 0
    }
    return db.read<ListedItem>(
      `SELECT i.id, i.account_id, i.is_hidden, i.name, a.username AS author
       FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id ${db.among("$1", "bigint")}
       ORDER BY i.id DESC`,
      [JSON.stringify(found.slice(0, rowsMax))],
    )
  },
})
