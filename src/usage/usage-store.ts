import type { KeyKind, Operation } from "../contract/operation.ts"
import { chunk } from "../platform/collections.ts"
import type { SqlDatabase } from "../platform/database/sql.ts"
import { joinSql, type Sql, sql, tuples } from "../platform/database/statement.ts"
import type { Reason } from "../platform/error.ts"
import { daysOf, lastDays, lastRange, type Timestamp } from "../platform/time.ts"
import {
  daysShown,
  type FailedRequestStore,
  failedRequestDays,
  failedRequestsMax,
  ipRangeDays,
  ipRangesMax,
  type KeyIpRange,
  type KeyUsage,
  type LoggedRequest,
  type UsageCount,
  type UsageStore,
} from "./usage.ts"

/** Limits how long a query blocks the thread on SQLite: about 5 ms for 90 days. */
const keysPerQuery = 50

const firstDay = (at: string, days: number) => lastRange(at, days).from

/** The cast is for PostgreSQL, whose driver returns sums as text. */
const sumOfCalls = sql`CAST(sum(calls) AS bigint)`

export function createUsageStore(db: SqlDatabase): UsageStore {
  // A list of days uses the index for each key; a range would scan the rows of all keys.
  const isOf = (keyIds: readonly string[], days: readonly string[]) =>
    sql`key_id ${db.among(keyIds, "text")} AND day ${db.among(days, "text")}`
  async function listByKeys(keyIds: readonly string[], at: string): Promise<readonly KeyUsage[]> {
    const days = lastDays(at, daysShown)
    const [byDay, seen] = await Promise.all([
      db.read<[keyId: string, day: string, calls: number]>(
        tuples`SELECT key_id, day, ${sumOfCalls} FROM usage
          WHERE ${isOf(keyIds, days)} GROUP BY 1, 2`,
      ),
      db.read<[keyId: string, lastUsedAt: Timestamp, ipRanges: number]>(
        tuples`SELECT id, last_used_at, (
            SELECT count(*) FROM (
              SELECT 1 FROM key_ip_ranges
              WHERE key_id = id AND last_day >= ${firstDay(at, ipRangeDays)} LIMIT ${ipRangesMax}
            ) AS recent)
          FROM api_keys WHERE id ${db.among(keyIds, "text")} AND last_used_at IS NOT NULL`,
      ),
    ])
    const calls = new Map(byDay.map(([keyId, day, sum]) => [`${keyId} ${day}`, sum]))
    return seen.map(([keyId, lastUsedAt, ipRanges]) => {
      const daily = days.map((day) => calls.get(`${keyId} ${day}`) ?? 0)
      return { keyId, lastUsedAt, ipRanges, days: daily }
    })
  }
  return {
    listByKeys,
    findByKey: async (keyId, at) => (await listByKeys([keyId], at))[0] ?? null,
    async listLastUses(keyIds) {
      const rows = await db.read<{ id: string; lastUsedAt: Timestamp }>`
        SELECT id, last_used_at FROM api_keys
        WHERE id ${db.among(keyIds, "text")} AND last_used_at IS NOT NULL`
      return rows.map(({ id, lastUsedAt }) => ({ keyId: id, lastUsedAt }))
    },
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
    /** In two steps: for a join, PostgreSQL would scan the usage of all authors. */
    async list(accountId, range, keyId) {
      const all = await db.read<{ id: string; name: string; kind: KeyKind }>`
        SELECT id, name, kind FROM api_keys WHERE account_id = ${accountId}`
      const keys = all.filter(({ id }) => keyId === null || id === keyId)
      const days = daysOf(range)
      const counts = chunk(keys, keysPerQuery).map((some) => {
        const ids = some.map(({ id }) => id)
        return db.read<[id: string, day: string, Operation, Reason, calls: number]>(
          tuples`SELECT key_id, day, operation, outcome, calls FROM usage WHERE ${isOf(ids, days)}`,
        )
      })
      const keyOf = new Map(keys.map((key) => [key.id, key]))
      return (await Promise.all(counts))
        .flat()
        .flatMap(([keyId, day, operation, outcome, calls]) => {
          const key = keyOf.get(keyId)
          if (key === undefined) return []
          return [{ keyId, name: key.name, kind: key.kind, day, operation, outcome, calls }]
        })
    },
    listIpRanges: (keyId, at) =>
      db.read<Omit<KeyIpRange, "keyId">>`
        SELECT ip_range, last_day FROM key_ip_ranges
        WHERE key_id = ${keyId} AND last_day >= ${firstDay(at, ipRangeDays)}
        ORDER BY last_day DESC, ip_range LIMIT ${ipRangesMax}`,
    listOfAll: ({ from, to }) =>
      db.read<Omit<UsageCount, "keyId">>`
        SELECT day, operation, outcome, calls FROM usage_totals
        WHERE day BETWEEN ${from} AND ${to} ORDER BY 1, 2, 3`,
  }
}

export function createFailedRequestStore(db: SqlDatabase): FailedRequestStore {
  const newest = sql`ORDER BY last_at DESC, key_id, first_at, operation, reason, ip_range, code`
  const select = (condition: Sql, at: string, rowsMax = failedRequestsMax) => sql`
    SELECT account_id, username, key_id, name, kind, operation, reason, ip_range, code,
      first_at, last_at, calls
    FROM failed_requests JOIN api_keys k ON key_id = k.id JOIN accounts a ON account_id = a.id
    WHERE ${condition} AND day >= ${firstDay(at, failedRequestDays)} ${newest} LIMIT ${rowsMax}`
  return {
    list: (accountId, at) => db.read<LoggedRequest>`${select(sql`account_id = ${accountId}`, at)}`,
    async listOfAll(reasons, at) {
      if (reasons.length === 0) return []
      // The index has the newest requests of a reason together. Frequent errors leave room for rare ones.
      const rowsMax = Math.ceil(failedRequestsMax / reasons.length)
      const each = reasons.map((reason) => {
        const isOfReason = sql`reason = ${reason} AND kind <> 'tk'`
        return sql`SELECT * FROM (${select(isOfReason, at, rowsMax)}) AS part`
      })
      return db.read<LoggedRequest>`
        SELECT * FROM (${joinSql(each, " UNION ALL ")}) AS parts ${newest}`
    },
  }
}
