import { daysBefore, lastDays } from "../domain/date-arithmetic.ts"
import {
  type DayCalls,
  daysShown,
  type KeySeen,
  networkDays,
  summariseDays,
  summariseKeys,
  type UsageStore,
} from "../domain/usage.ts"
import type { SqlDatabase } from "./database.ts"

const keysOf = "SELECT id FROM api_keys WHERE account_id = $1"

/** The cast is for PostgreSQL, which sums to a type that its driver gives as text. */
export function usageQueries(db: SqlDatabase): Pick<UsageStore, "listByKey" | "listByDay"> {
  const listDayCalls = (accountId: number, at: string) =>
    db.read<DayCalls>(
      `SELECT key_id AS "keyId", kind, substr(period, 1, 10) AS day, outcome,
         CAST(sum(calls) AS bigint) AS calls
       FROM api_keys JOIN usage ON key_id = id WHERE account_id = $1 AND period >= $2
       GROUP BY 1, 2, 3, 4`,
      [accountId, lastDays(at, daysShown)[0] ?? at],
    )
  return {
    async listByKey(accountId, at) {
      const [byDay, lastDay, seen] = await Promise.all([
        listDayCalls(accountId, at),
        db.read<{ keyId: string; calls: number }>(
          `SELECT key_id AS "keyId", CAST(sum(calls) AS bigint) AS calls
           FROM usage WHERE key_id IN (${keysOf}) AND period > $2 GROUP BY 1`,
          [accountId, daysBefore(at, 1).slice(0, 13)],
        ),
        db.read<KeySeen>(
          `SELECT key_id AS "keyId", max(last_used_at) AS "lastUsedAt",
             count(*) FILTER (WHERE last_used_at >= $2) AS networks
           FROM key_sightings WHERE key_id IN (${keysOf}) GROUP BY 1`,
          [accountId, daysBefore(at, networkDays)],
        ),
      ])
      const calls = new Map(lastDay.map((row) => [row.keyId, row.calls]))
      return summariseKeys(at, byDay, calls, seen)
    },
    listByDay: async (accountId, at) => summariseDays(at, await listDayCalls(accountId, at)),
  }
}
