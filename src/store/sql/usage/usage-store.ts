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

/** Reading the calls of so many for 90 days takes about 5 ms. */
const keysAtOnce = 50

const firstDay = (at: string, days: number) => lastRange(at, days).from

/** The cast is for PostgreSQL, which sums to a type that its driver gives as text. */
const sumOfCalls = "CAST(sum(calls) AS bigint) AS calls"

export function createUsageStore(db: SqlDatabase): UsageStore {
  const ofKeys = `key_id ${db.among("$1", "text")}`
  // The days are named, so that each key is searched for: a range would read the calls of all keys.
  const onDays = `day ${db.among("$2", "text")}`
  /**
   * Reads the calls of all keys of an author but test keys, some keys at a time. Not joined with the keys: PostgreSQL
   * would read the calls of all authors.
   */
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
    const pieces = chunk(ids, keysAtOnce).map((some) =>
      db.read<Row>(select, [JSON.stringify(some), ...values]),
    )
    return (await Promise.all(pieces)).flat()
  }
  async function listByKeys(keyIds: readonly string[], at: string): Promise<readonly KeyUsage[]> {
    const ids = JSON.stringify(keyIds)
    const [byDay, seen] = await Promise.all([
      db.read<KeyDayCalls>(
        `SELECT key_id AS "keyId", day, ${sumOfCalls}
         FROM usage WHERE ${ofKeys} AND ${onDays} GROUP BY 1, 2`,
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
           FROM usage WHERE key_id = $1 AND ${onDays}`,
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
         FROM usage WHERE ${ofKeys} AND ${onDays} GROUP BY 1, 2`,
        [JSON.stringify(daysOf(range))],
      )
      return summarizeDays(range, byDay)
    },
    async countValidCodes(accountId, at) {
      const sums = await readOfKeys<{ calls: number | null }>(
        accountId,
        `SELECT ${sumOfCalls} FROM usage
         WHERE ${ofKeys} AND ${onDays} AND operation = 'validate_purchase' AND outcome = 'ok'`,
        [JSON.stringify(lastDays(at, failedRequestDays))],
      )
      return sums.reduce((all, { calls }) => all + (calls ?? 0), 0)
    },
    async listOfAll(range) {
      const all: OperationDayCalls[] = []
      // One day at a time: 3,000 keys take 7 ms, and other requests of an embedded store wait for each.
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
