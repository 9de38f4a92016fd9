import {
  type DayCalls,
  daysShown,
  type FailedRequestStore,
  failedRequestDays,
  failedRequestsMax,
  ipRangeDays,
  ipRangesMax,
  type KeyDayCalls,
  type KeyIpRange,
  type KeyLastUse,
  type KeyOutcome,
  type KeyUsage,
  type LoggedRequest,
  type OperationDayCalls,
  summarizeDays,
  summarizeKeys,
  summarizeOperations,
  type UsageStore,
} from "../../../domain/usage/usage.ts"
import { chunk } from "../../../domain/values/chunk.ts"
import {
  type DayRange,
  daysOf,
  lastDays,
  lastRange,
} from "../../../domain/values/time/timestamp.ts"
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
  /** Reads the usage of all keys of an author. For a join, PostgreSQL would scan the usage of all authors. */
  async function readOfKeys<Row>(keyIds: readonly string[], select: string, range: DayRange) {
    const days = JSON.stringify(daysOf(range))
    const ids = chunk(keyIds, keysPerQuery).map((some) => JSON.stringify(some))
    return (await Promise.all(ids.map((some) => db.read<Row>(select, [some, days])))).flat()
  }
  const listKeys = (accountId: number) =>
    db.read<Pick<KeyOutcome, "keyId" | "keyName" | "keyKind">>(
      `SELECT id AS key_id, name AS key_name, kind AS key_kind FROM api_keys WHERE account_id = $1`,
      [accountId],
    )
  async function listByKeys(keyIds: readonly string[], at: string): Promise<readonly KeyUsage[]> {
    const ids = JSON.stringify(keyIds)
    const [byDay, seen] = await Promise.all([
      db.read<KeyDayCalls>(
        `SELECT key_id, day, ${sumOfCalls}
         FROM usage WHERE ${isOfKeys} AND ${isOnDays} GROUP BY 1, 2`,
        [ids, JSON.stringify(lastDays(at, daysShown))],
      ),
      db.read<Omit<KeyUsage, "days">>(
        `SELECT id AS key_id, last_used_at, (
           SELECT count(*) FROM (
             SELECT 1 FROM key_ip_ranges WHERE key_id = id AND last_day >= $2 LIMIT ${ipRangesMax}
           ) AS recent
         ) AS ip_ranges
         FROM api_keys WHERE id ${db.among("$1", "text")} AND last_used_at IS NOT NULL`,
        [ids, firstDay(at, ipRangeDays)],
      ),
    ])
    return summarizeKeys(at, byDay, seen)
  }
  return {
    listByKeys,
    findByKey: async (keyId, at) => (await listByKeys([keyId], at))[0] ?? null,
    listLastUses: (keyIds) =>
      db.read<KeyLastUse>(
        `SELECT id AS key_id, last_used_at
         FROM api_keys WHERE id ${db.among("$1", "text")} AND last_used_at IS NOT NULL`,
        [JSON.stringify(keyIds)],
      ),
    async readDetails(keyId, range, at) {
      const [byOperation, ipRanges] = await Promise.all([
        db.read<OperationDayCalls>(
          `SELECT day, operation, outcome, calls FROM usage WHERE key_id = $1 AND ${isOnDays}`,
          [keyId, JSON.stringify(daysOf(range))],
        ),
        db.read<Omit<KeyIpRange, "keyId">>(
          `SELECT ip_range, last_day FROM key_ip_ranges
           WHERE key_id = $1 AND last_day >= $2 ORDER BY last_day DESC, ip_range LIMIT $3`,
          [keyId, firstDay(at, ipRangeDays), ipRangesMax],
        ),
      ])
      const days = summarizeDays(range, byOperation)
      return { days, operations: summarizeOperations(byOperation), ipRanges }
    },
    async listByDay(accountId, range) {
      const keys = await listKeys(accountId)
      const byDay = await readOfKeys<DayCalls>(
        keys.filter(({ keyKind }) => keyKind !== "tk").map(({ keyId }) => keyId),
        `SELECT day, outcome, ${sumOfCalls}
         FROM usage WHERE ${isOfKeys} AND ${isOnDays} GROUP BY 1, 2`,
        range,
      )
      return summarizeDays(range, byDay)
    },
    async listKeyOutcomes(accountId, range) {
      const keys = new Map((await listKeys(accountId)).map((key) => [key.keyId, key]))
      const outcomes = await readOfKeys<Omit<KeyOutcome, "keyName" | "keyKind">>(
        [...keys.keys()],
        `SELECT key_id, outcome, ${sumOfCalls}, max(day) AS last_day
         FROM usage WHERE ${isOfKeys} AND ${isOnDays} GROUP BY 1, 2`,
        range,
      )
      return outcomes.flatMap((each) => {
        const key = keys.get(each.keyId)
        return key === undefined ? [] : [{ ...each, ...key }]
      })
    },
    listOfAll: ({ from, to }) =>
      db.read<OperationDayCalls>(
        `SELECT day, operation, outcome, calls FROM usage_totals
         WHERE day BETWEEN $1 AND $2 ORDER BY 1, 2, 3`,
        [from, to],
      ),
  }
}

export function createFailedRequestStore(db: SqlDatabase): FailedRequestStore {
  const list = (condition: string, value: Value, at: string) =>
    db.read<LoggedRequest>(
      `SELECT account_id, username, key_id, name AS key_name, kind AS key_kind, operation,
         reason, ip_range, code, first_at, last_at, calls
       FROM failed_requests JOIN api_keys k ON key_id = k.id JOIN accounts a ON account_id = a.id
       WHERE ${condition} AND day >= $2
       ORDER BY last_at DESC, key_id, day, operation, reason, ip_range, code LIMIT $3`,
      [value, firstDay(at, failedRequestDays), failedRequestsMax],
    )
  return {
    list: (accountId, at) => list("account_id = $1", accountId, at),
    listOfAll: (reason, at) => list("reason = $1 AND kind <> 'tk'", reason, at),
  }
}
