import {
  type FailedRequestStore,
  failedRequestDays,
  failedRequestsMax,
  type LoggedRequest,
} from "../../../domain/usage/failed-requests.ts"
import {
  type DayCalls,
  daysShown,
  ipRangeDays,
  ipRangesMax,
  type KeyDayCalls,
  type KeyIpRange,
  type KeyLastUse,
  type KeyUsage,
  type OperationDayCalls,
  summarizeDays,
  summarizeKeys,
  summarizeOperations,
  type UsageStore,
} from "../../../domain/usage/usage.ts"
import { chunk } from "../../../domain/values/chunk.ts"
import { daysOf, lastDays, lastRange } from "../../../domain/values/time/timestamp.ts"
import { untilNextTurn } from "../../../domain/values/work-queue.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"

/** Limits how long a query blocks the thread on SQLite: about 5 ms for 90 days. */
const keysPerQuery = 50

const firstDay = (at: string, days: number) => lastRange(at, days).from

/** The cast is for PostgreSQL, whose driver returns sums as text. */
const sumOfCalls = "CAST(sum(calls) AS bigint) AS calls"

export function createUsageStore(db: SqlDatabase): UsageStore {
  const isOfKeys = `key_id ${db.among("$1", "text")}`
  // A list of days uses the index for each key; a range would scan the rows of all keys.
  const isOnDays = `day ${db.among("$2", "text")}`
  /** Reads the usage of all keys of an author except test keys. For a join, PostgreSQL would scan the usage of all authors. */
  async function readOfKeys<Row>(
    accountId: number,
    select: string,
    values: readonly Value[],
  ): Promise<readonly Row[]> {
    const keys = await db.read<{ id: string }>(
      "SELECT id FROM api_keys WHERE account_id = $1 AND kind <> 'tk'",
      [accountId],
    )
    const ids = keys.map(({ id }) => id)
    const reads = chunk(ids, keysPerQuery).map((some) =>
      db.read<Row>(select, [JSON.stringify(some), ...values]),
    )
    return (await Promise.all(reads)).flat()
  }
  async function listByKeys(keyIds: readonly string[], at: string): Promise<readonly KeyUsage[]> {
    const ids = JSON.stringify(keyIds)
    const [byDay, seen] = await Promise.all([
      db.read<KeyDayCalls>(
        `SELECT key_id AS "keyId", day, ${sumOfCalls}
         FROM usage WHERE ${isOfKeys} AND ${isOnDays} GROUP BY 1, 2`,
        [ids, JSON.stringify(lastDays(at, daysShown))],
      ),
      db.read<Omit<KeyUsage, "days">>(
        `SELECT id AS "keyId", last_used_at AS "lastUsedAt", (
           SELECT count(*) FROM (
             SELECT 1 FROM key_networks WHERE key_id = id AND last_day >= $2 LIMIT ${ipRangesMax}
           ) AS recent
         ) AS "ipRanges"
         FROM api_keys WHERE id ${db.among("$1", "text")} AND last_used_at IS NOT NULL`,
        [ids, firstDay(at, ipRangeDays)],
      ),
    ])
    return summarizeKeys(at, byDay, seen)
  }
  return {
    listByKeys,
    async findByKey(keyId, at) {
      const [usage = null] = await listByKeys([keyId], at)
      return usage
    },
    listLastUses: (keyIds) =>
      db.read<KeyLastUse>(
        `SELECT id AS "keyId", last_used_at AS "lastUsedAt"
         FROM api_keys WHERE id ${db.among("$1", "text")} AND last_used_at IS NOT NULL`,
        [JSON.stringify(keyIds)],
      ),
    async readDetails(keyId, range, at) {
      const [byOperation, ipRanges] = await Promise.all([
        db.read<OperationDayCalls>(
          `SELECT day, operation, outcome, calls
           FROM usage WHERE key_id = $1 AND ${isOnDays}`,
          [keyId, JSON.stringify(daysOf(range))],
        ),
        db.read<Omit<KeyIpRange, "keyId">>(
          `SELECT network AS "ipRange", last_day AS "lastDay" FROM key_networks
           WHERE key_id = $1 AND last_day >= $2 ORDER BY last_day DESC, network LIMIT $3`,
          [keyId, firstDay(at, ipRangeDays), ipRangesMax],
        ),
      ])
      return {
        days: summarizeDays(range, byOperation),
        operations: summarizeOperations(byOperation),
        ipRanges,
      }
    },
    async listByDay(accountId, range) {
      const byDay = await readOfKeys<DayCalls>(
        accountId,
        `SELECT day, outcome, ${sumOfCalls}
         FROM usage WHERE ${isOfKeys} AND ${isOnDays} GROUP BY 1, 2`,
        [JSON.stringify(daysOf(range))],
      )
      return summarizeDays(range, byDay)
    },
    async countValidCodes(accountId, at) {
      const sums = await readOfKeys<{ calls: number | null }>(
        accountId,
        `SELECT ${sumOfCalls} FROM usage
         WHERE ${isOfKeys} AND ${isOnDays} AND operation = 'validate_purchase' AND outcome = 'ok'`,
        [JSON.stringify(lastDays(at, failedRequestDays))],
      )
      return sums.reduce((all, { calls }) => all + (calls ?? 0), 0)
    },
    async listOfAll(range) {
      const all: OperationDayCalls[] = []
      // One query per day: on SQLite a query blocks all requests of the thread.
      for (const day of daysOf(range)) {
        const calls = await db.readLong<OperationDayCalls>(
          `SELECT day, operation, outcome, ${sumOfCalls} FROM usage
           WHERE day = $1 AND key_id NOT IN (SELECT id FROM api_keys WHERE kind = 'tk')
           GROUP BY 1, 2, 3 ORDER BY 2, 3`,
          [day],
        )
        all.push(...calls)
        await untilNextTurn()
      }
      return all
    },
  }
}

export const createFailedRequestStore = (db: SqlDatabase): FailedRequestStore => ({
  list: (accountId, at) =>
    db.read<LoggedRequest>(
      `SELECT key_id AS "keyId", name AS "keyName", kind AS "keyKind", operation, reason, network AS "ipRange", code,
         first_at AS "firstAt", last_at AS "lastAt", calls
       FROM api_keys JOIN failed_calls ON key_id = id WHERE account_id = $1 AND day >= $2
       ORDER BY last_at DESC, key_id, day, operation, reason, network, code LIMIT $3`,
      [accountId, firstDay(at, failedRequestDays), failedRequestsMax],
    ),
})
