import { daysBefore, lastDays } from "../domain/date-arithmetic.ts"
import {
  type CodeCalls,
  type DayCalls,
  daysShown,
  type KeySeen,
  type KeyUsage,
  type NetworkUse,
  networkDays,
  type OperationDayCalls,
  sumCheckedCodes,
  summariseAccount,
  summariseDays,
  summariseKeys,
  summariseOperations,
  type UsageStore,
} from "../domain/usage.ts"
import type { SqlDatabase } from "./database.ts"

/** The keys of one account, or one key. */
type KeyFilter = Readonly<{ column: "account_id"; value: number } | { column: "id"; value: string }>

const firstDay = (at: string) => lastDays(at, daysShown)[0] ?? at

/** The cast is for PostgreSQL, which sums to a type that its driver gives as text. */
export function usageQueries(
  db: SqlDatabase,
): Pick<UsageStore, "listByKey" | "findByKey" | "readDetails" | "listByDay" | "countCheckedCodes"> {
  const listDayCalls = ({ column, value }: KeyFilter, at: string) =>
    db.read<DayCalls>(
      `SELECT key_id AS "keyId", kind, substr(period, 1, 10) AS day, outcome,
         CAST(sum(calls) AS bigint) AS calls
       FROM api_keys JOIN usage ON key_id = id WHERE ${column} = $1 AND period >= $2
       GROUP BY 1, 2, 3, 4`,
      [value, firstDay(at)],
    )
  async function listUsage(filter: KeyFilter, at: string): Promise<readonly KeyUsage[]> {
    const { column, value } = filter
    const ids = `SELECT id FROM api_keys WHERE ${column} = $1`
    const [byDay, lastDay, seen] = await Promise.all([
      listDayCalls(filter, at),
      db.read<{ keyId: string; calls: number }>(
        `SELECT key_id AS "keyId", CAST(sum(calls) AS bigint) AS calls
         FROM usage WHERE key_id IN (${ids}) AND period > $2 GROUP BY 1`,
        [value, daysBefore(at, 1).slice(0, 13)],
      ),
      db.read<KeySeen>(
        `SELECT key_id AS "keyId", max(last_used_at) AS "lastUsedAt",
           count(*) FILTER (WHERE last_used_at >= $2) AS networks
         FROM key_sightings WHERE key_id IN (${ids}) GROUP BY 1`,
        [value, daysBefore(at, networkDays)],
      ),
    ])
    const calls = new Map(lastDay.map((row) => [row.keyId, row.calls]))
    return summariseKeys(at, byDay, calls, seen)
  }
  return {
    listByKey: (accountId, at) => listUsage({ column: "account_id", value: accountId }, at),
    async findByKey(keyId, at) {
      const [usage = null] = await listUsage({ column: "id", value: keyId }, at)
      return usage
    },
    async readDetails(keyId, at, networksMax) {
      const [calls, networks] = await Promise.all([
        db.read<OperationDayCalls>(
          `SELECT substr(period, 1, 10) AS day, operation, outcome,
             CAST(sum(calls) AS bigint) AS calls
           FROM usage WHERE key_id = $1 AND period >= $2 GROUP BY 1, 2, 3`,
          [keyId, firstDay(at)],
        ),
        db.read<NetworkUse>(
          `SELECT network, last_used_at AS "lastUsedAt" FROM key_sightings
           WHERE key_id = $1 AND last_used_at >= $2 ORDER BY last_used_at DESC, network LIMIT $3`,
          [keyId, daysBefore(at, networkDays), networksMax],
        ),
      ])
      return {
        days: summariseDays(at, calls),
        operations: summariseOperations(calls),
        networks,
      }
    },
    listByDay: async (accountId, at) =>
      summariseAccount(at, await listDayCalls({ column: "account_id", value: accountId }, at)),
    async countCheckedCodes(accountId, at) {
      const rows = await db.read<CodeCalls>(
        `SELECT kind, outcome, CAST(sum(calls) AS bigint) AS calls
         FROM api_keys JOIN usage ON key_id = id
         WHERE account_id = $1 AND period >= $2 AND operation = 'validate_purchase' GROUP BY 1, 2`,
        [accountId, lastDays(at, daysShown)[0] ?? at],
      )
      return sumCheckedCodes(rows)
    },
  }
}
