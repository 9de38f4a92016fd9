import { chunk } from "../platform/collections.ts"
import { deleteRows, insertRows, type SqlDatabase } from "../platform/database/sql.ts"
import { rawSql, type Sql, sql } from "../platform/database/statement.ts"
import { lastRange, type Timestamp, usageDays } from "../platform/time.ts"
import { untilNextTurn } from "../platform/timers.ts"
import type { ValidatedSite } from "./counted-request.ts"
import { writeFailureEvents } from "./failure-event-store.ts"
import {
  type CountStore,
  failedRequestDays,
  failedRequestsMax,
  ipRangeDays,
  ipRangesMax,
} from "./usage.ts"

/** Failed requests beyond the limit of an author before the oldest ones are deleted. */
const failedRequestsSlack = 100

/** Rows per statement: on SQLite a statement blocks all requests of the thread. */
const rowsPerStatement = 100
const sitesPerTransaction = 40

const keysPerBatch = 50

/** More rows than a key or an author can have. */
const unlimitedRows = 1_000_000

const usage = "day, key_id, operation, outcome"
const usageTotals = "day, operation, outcome"
const keyIpRanges = "key_id, ip_range"
const failedRequests = "key_id, day, operation, reason, ip_range, code"

/** A key may be deleted before its counts are written. */
const hasKey = sql`AND EXISTS (SELECT 1 FROM api_keys WHERE id = new.key_id)`

function isBeyondLog(accountId: number): Sql {
  const isOfAccount = sql`key_id IN (SELECT id FROM api_keys WHERE account_id = ${accountId})`
  const columns = rawSql(failedRequests)
  return sql`${isOfAccount} AND (${columns}) IN (
    SELECT ${columns} FROM failed_requests WHERE ${isOfAccount}
    ORDER BY last_at DESC, ${columns} LIMIT ${unlimitedRows} OFFSET ${failedRequestsMax})`
}

const isOldIpRange = (firstDay: string) => sql`(last_day < ${firstDay} OR ip_range IN (
  SELECT ip_range FROM key_ip_ranges WHERE key_id = old.key_id
  ORDER BY last_day DESC, ip_range LIMIT ${unlimitedRows} OFFSET ${ipRangesMax}))`

/** The store of sites. */
type Sites = Readonly<{
  recordSeen(at: Timestamp, validated: readonly ValidatedSite[]): Promise<void>
}>

export function createCountStore(db: SqlDatabase, sites: Sites): CountStore {
  /** New failed requests per account since the last deletion. */
  const addedFailures = new Map<number, number>()
  async function boundFailures(keyIds: readonly string[]): Promise<void> {
    if (keyIds.length === 0) return
    const keys = await db.read<{ id: string; accountId: number }>`
      SELECT id, account_id FROM api_keys WHERE id ${db.among(new Set(keyIds), "text")}`
    const accountOf = new Map(keys.map(({ id, accountId }) => [id, accountId]))
    const accounts = keyIds.flatMap((id) => accountOf.get(id) ?? [])
    for (const [id, { length }] of Map.groupBy(accounts, (id) => id)) {
      // The number is unknown after a start, so the first write deletes.
      const added = (addedFailures.get(id) ?? failedRequestsSlack) + length
      if (added > failedRequestsSlack) {
        await deleteRows(db, "failed_requests", failedRequests, isBeyondLog(id), unlimitedRows)
      }
      addedFailures.set(id, added > failedRequestsSlack ? length : added)
    }
  }

  return {
    async add(at, { calls = [], lastUses = [], ipRanges = [], failures = [], ...counts }) {
      // Written first: a retry may record a site or an event twice without effect, but must not count a request twice.
      for (const some of chunk(counts.sites ?? [], sitesPerTransaction)) {
        await sites.recordSeen(at, some)
        await untilNextTurn()
      }
      await writeFailureEvents(db, at, failures)
      if (calls.length + lastUses.length + ipRanges.length + failures.length === 0) return
      await db.transaction(async (tx) => {
        const inChunks = async <Row>(
          rows: readonly Row[],
          write: (some: readonly Row[]) => Promise<unknown>,
        ) => {
          for (const some of chunk(rows, rowsPerStatement)) {
            await write(some)
            await untilNextTurn()
          }
        }
        // All statements sort their rows, so that two nodes that count the same keys cannot deadlock.
        const add = (
          rows: readonly object[],
          [table, key, others]: readonly [table: string, key: string, others: string],
          condition: Sql,
          update: Sql,
        ) =>
          inChunks(rows, (some) => {
            const rest = sql`${condition} ORDER BY ${rawSql(key)}
              ON CONFLICT (${rawSql(key)}) DO UPDATE SET ${update}`
            return insertRows(tx, table, `${key}, ${others}`, some, rest)
          })
        const addCalls = sql`calls = usage.calls + excluded.calls`
        await add(calls, ["usage", usage, "calls"], sql``, addCalls)
        await inChunks(
          calls,
          (some) => tx.query`
            INSERT INTO usage_totals (${rawSql(usageTotals)}, calls)
            SELECT day, operation, outcome, CAST(sum(calls) AS bigint)
            FROM ${tx.rowsFor("usage", `${usage}, calls`, some)}
            WHERE EXISTS (SELECT 1 FROM api_keys WHERE id = new.key_id AND kind <> 'tk')
            GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
            ON CONFLICT (${rawSql(usageTotals)})
            DO UPDATE SET calls = usage_totals.calls + excluded.calls`,
        )
        await inChunks(
          lastUses.map(({ keyId, lastUsedAt }) => ({ id: keyId, lastUsedAt })),
          (some) => tx.query`
            WITH used (id, at) AS (
              SELECT k.id, new.last_used_at
              FROM ${tx.rowsFor("api_keys", "id, last_used_at", some)} CROSS JOIN api_keys k
              WHERE k.id = new.id AND coalesce(k.last_used_at, '') < new.last_used_at
              ORDER BY k.id ${tx.lock("FOR NO KEY UPDATE OF k")})
            UPDATE api_keys SET last_used_at = used.at FROM used WHERE api_keys.id = used.id`,
        )
        const moveDay = sql`last_day = excluded.last_day
          WHERE key_ip_ranges.last_day < excluded.last_day`
        await add(ipRanges, ["key_ip_ranges", keyIpRanges, "last_day"], hasKey, moveDay)
        await add(
          failures.map((failure) => ({ ...failure, day: failure.firstAt.slice(0, 10) })),
          ["failed_requests", failedRequests, "first_at, last_at, calls"],
          hasKey,
          sql`calls = failed_requests.calls + excluded.calls,
            first_at = CASE WHEN failed_requests.first_at > excluded.first_at
              THEN excluded.first_at ELSE failed_requests.first_at END,
            last_at = CASE WHEN failed_requests.last_at < excluded.last_at
              THEN excluded.last_at ELSE failed_requests.last_at END`,
        )
      })
      await boundFailures(failures.map(({ keyId }) => keyId))
    },
    async prune(at, after, rowsMax) {
      const last = await db.findValue<string>`SELECT max(id) FROM (
        SELECT id FROM api_keys WHERE id > ${after} ORDER BY id LIMIT ${keysPerBatch}) AS batch`
      if (last === null) return null
      const isOldFailure = sql`day < ${lastRange(at, failedRequestDays).from}`
      let rows = 0
      for (const [table, key, condition] of [
        ["key_ip_ranges", keyIpRanges, isOldIpRange(lastRange(at, ipRangeDays).from)],
        ["failed_requests", failedRequests, isOldFailure],
      ] as const) {
        const isOfKeys = sql`key_id > ${after} AND key_id <= ${last} AND ${condition}`
        rows += await deleteRows(db, table, key, isOfKeys, rowsMax - rows)
      }
      return rows < rowsMax ? last : after
    },
    async deleteExpired(at, rowsMax) {
      const isOld = sql`day < ${lastRange(at, usageDays).from}`
      await deleteRows(db, "usage_totals", usageTotals, isOld, rowsMax)
      return deleteRows(db, "usage", usage, isOld, rowsMax)
    },
  }
}
