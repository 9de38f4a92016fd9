import type { RejectedAccount, RejectedKey, RejectionStore } from "../../../domain/usage/usage.ts"
import { lastDays } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase } from "../database.ts"

/** More keys than are deleted in two days: their rejections are still there. */
const deletedMax = 100

type KeyRow = Omit<RejectedKey, "reasons">
type ReasonRow = Readonly<{ keyId: string; reason: string; calls: number }>

/** The casts are for PostgreSQL, which sums to a type that its driver gives as text. */
export function createRejections(db: SqlDatabase): RejectionStore {
  return {
    async listKeys(at, count, limit) {
      const days = lastDays(at, count)
      const keys = await db.read<KeyRow>(
        `SELECT k.id AS "keyId", a.username, k.kind, k.name, CAST(r.calls AS bigint) AS calls
         FROM (
           SELECT key_id, sum(calls) AS calls FROM key_rejections WHERE day >= $1
           GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT $3
         ) r JOIN api_keys k ON k.id = r.key_id JOIN accounts a ON a.id = k.account_id
         ORDER BY r.calls DESC, k.id LIMIT $2`,
        [days[0] ?? at, limit, limit + deletedMax],
      )
      if (keys.length === 0) return []
      // The days are named, so that each key is searched for instead of read past.
      const first = days.length + 1
      const reasons = await db.read<ReasonRow>(
        `SELECT key_id AS "keyId", outcome AS reason, CAST(sum(calls) AS bigint) AS calls
         FROM key_rejections WHERE day IN (${days.map((_, index) => `$${index + 1}`).join(", ")})
           AND key_id IN (${keys.map((_, index) => `$${index + first}`).join(", ")})
         GROUP BY 1, 2 ORDER BY 3 DESC, 2`,
        [...days, ...keys.map(({ keyId }) => keyId)],
      )
      const byKey = Map.groupBy(reasons, ({ keyId }) => keyId)
      return keys.map((key) => ({
        ...key,
        reasons: (byKey.get(key.keyId) ?? []).map(({ reason, calls }) => ({ reason, calls })),
      }))
    },
    listAccounts: (at, count, limit) =>
      db.read<RejectedAccount>(
        `SELECT a.username, CAST(r.wrong AS bigint) AS wrong, CAST(r.throttled AS bigint) AS throttled
         FROM (
           SELECT account_id,
             sum(CASE outcome WHEN 'wrong' THEN sign_ins ELSE 0 END) AS wrong,
             sum(CASE outcome WHEN 'throttled' THEN sign_ins ELSE 0 END) AS throttled
           FROM sign_in_rejections WHERE day >= $1 GROUP BY 1
         ) r JOIN accounts a ON a.id = r.account_id
         ORDER BY r.wrong + r.throttled DESC, a.username LIMIT $2`,
        [lastDays(at, count)[0] ?? at, limit],
      ),
  }
}
