import type { SiteStore } from "../../../domain/catalog/site.ts"
import {
  type CountStore,
  failedRequestDays,
  failedRequestsMax,
  ipRangeDays,
  ipRangesMax,
  usageDays,
} from "../../../domain/usage/usage.ts"
import { chunk } from "../../../domain/values/chunk.ts"
import { lastRange } from "../../../domain/values/time/timestamp.ts"
import { untilNextTurn } from "../../../domain/values/timers.ts"
import { writeFailureEvents } from "../events/write-events.ts"
import { deleteRows, type SqlDatabase, writeRows } from "../sql-database.ts"
import { rawSql, type Sql, sql } from "../statement.ts"

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
const hasKey = 'EXISTS (SELECT 1 FROM api_keys WHERE id = new."keyId")'
const callColumns = '"keyId" text, day text, operation text, outcome text, calls bigint'

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

type Sites = Pick<SiteStore, "recordSeen">

export function createCountStore(db: SqlDatabase, sites: Sites): CountStore {
  /** New failed requests per account since the last deletion. */
  const addedFailures = new Map<number, number>()
  async function boundFailures(keyIds: readonly string[]): Promise<void> {
    if (keyIds.length === 0) return
    const keys = await db.read<{ id: string; accountId: number }>(
      `SELECT id, account_id FROM api_keys WHERE id ${db.among("$1", "text")}`,
      [JSON.stringify([...new Set(keyIds)])],
    )
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
        const add = async (rows: readonly object[], sql: string) => {
          for (const some of chunk(rows, rowsPerStatement)) {
            await writeRows(tx, some, sql)
            await untilNextTurn()
          }
        }
        // All statements sort their rows, so that two nodes that count the same keys cannot deadlock.
        await add(
          calls,
          `INSERT INTO usage AS stored (${usage}, calls)
           SELECT day, "keyId", operation, outcome, calls
           FROM ${tx.rows(callColumns)}
           WHERE true ORDER BY 1, 2, 3, 4
           ON CONFLICT (${usage}) DO UPDATE SET calls = stored.calls + excluded.calls`,
        )
        await add(
          calls,
          `INSERT INTO usage_totals AS stored (${usageTotals}, calls)
           SELECT day, operation, outcome, CAST(sum(calls) AS bigint)
           FROM ${tx.rows(callColumns)}
           WHERE EXISTS (SELECT 1 FROM api_keys WHERE id = new."keyId" AND kind <> 'tk')
           GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
           ON CONFLICT (${usageTotals}) DO UPDATE SET calls = stored.calls + excluded.calls`,
        )
        await add(
          lastUses,
          `UPDATE api_keys SET last_used_at = used.at FROM (
             SELECT k.id, new."lastUsedAt" AS at
             FROM ${tx.rows('"keyId" text, "lastUsedAt" text')} CROSS JOIN api_keys k
             WHERE k.id = new."keyId" AND coalesce(k.last_used_at, '') < new."lastUsedAt"
             ORDER BY k.id ${tx.lock("FOR NO KEY UPDATE OF k")}
           ) AS used WHERE api_keys.id = used.id`,
        )
        await add(
          ipRanges,
          `INSERT INTO key_ip_ranges AS stored (${keyIpRanges}, last_day)
           SELECT "keyId", "ipRange", "lastDay"
           FROM ${tx.rows('"keyId" text, "ipRange" text, "lastDay" text')}
           WHERE ${hasKey} ORDER BY 1, 2
           ON CONFLICT (${keyIpRanges}) DO UPDATE SET last_day = excluded.last_day
           WHERE stored.last_day < excluded.last_day`,
        )
        await add(
          failures,
          `INSERT INTO failed_requests AS stored (${failedRequests}, first_at, last_at, calls)
           SELECT "keyId", substr("firstAt", 1, 10), operation, reason, "ipRange", code, "firstAt", "lastAt", calls
           FROM ${tx.rows(`"keyId" text, operation text, reason text, "ipRange" text, code text,
             "firstAt" text, "lastAt" text, calls bigint`)}
           WHERE ${hasKey} ORDER BY 1, 2, 3, 4, 5, 6
           ON CONFLICT (${failedRequests}) DO UPDATE SET calls = stored.calls + excluded.calls,
             first_at = CASE WHEN stored.first_at > excluded.first_at THEN excluded.first_at ELSE stored.first_at END,
             last_at = CASE WHEN stored.last_at < excluded.last_at THEN excluded.last_at ELSE stored.last_at END`,
        )
      })
      await boundFailures(failures.map(({ keyId }) => keyId))
    },
    async prune(at, after, rowsMax) {
      const select = "SELECT id FROM api_keys WHERE id > $1 ORDER BY id LIMIT $2"
      const keys = await db.read<{ id: string }>(select, [after, keysPerBatch])
      const last = keys.at(-1)
      if (last === undefined) return null
      const ids = db.among(
        keys.map(({ id }) => id),
        "text",
      )
      const isOldFailure = sql`day < ${lastRange(at, failedRequestDays).from}`
      let rows = 0
      for (const [table, key, condition] of [
        ["key_ip_ranges", keyIpRanges, isOldIpRange(lastRange(at, ipRangeDays).from)],
        ["failed_requests", failedRequests, isOldFailure],
      ] as const) {
        const isOfKeys = sql`key_id ${ids} AND ${condition}`
        rows += await deleteRows(db, table, key, isOfKeys, rowsMax - rows)
      }
      return rows < rowsMax ? last.id : after
    },
    async deleteExpired(at, rowsMax) {
      const isOld = sql`day < ${lastRange(at, usageDays).from}`
      await deleteRows(db, "usage_totals", usageTotals, isOld, rowsMax)
      return deleteRows(db, "usage", usage, isOld, rowsMax)
    },
  }
}
