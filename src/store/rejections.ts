import type { RejectedAccount, RejectedKey, RejectionStore } from "../domain/rejections.ts"
import type { SqlDatabase } from "./database.ts"

/** More reasons than a key can be rejected for. */
const reasonsMax = 20

type KeyRow = Omit<RejectedKey, "reasons" | "calls"> & Readonly<{ reason: string; calls: number }>

/** The casts are for PostgreSQL, which sums to a type that its driver gives as text. */
export function rejectionQueries(
  db: SqlDatabase,
): Pick<RejectionStore, "listKeys" | "listAccounts"> {
  return {
    async listKeys(since, limit) {
      const rows = await db.read<KeyRow>(
        `SELECT r.key_id AS "keyId", a.username, k.kind, k.name, r.outcome AS reason,
           CAST(r.calls AS bigint) AS calls
         FROM (
           SELECT key_id, outcome, sum(calls) AS calls,
             sum(sum(calls)) OVER (PARTITION BY key_id) AS total
           FROM key_rejections WHERE day >= $1 GROUP BY 1, 2 ORDER BY 4 DESC, 1, 3 DESC LIMIT $2
         ) r JOIN api_keys k ON k.id = r.key_id JOIN accounts a ON a.id = k.account_id
         ORDER BY r.total DESC, r.key_id, r.calls DESC, r.outcome`,
        [since.slice(0, 10), limit * reasonsMax],
      )
      return [...Map.groupBy(rows, ({ keyId }) => keyId).values()].slice(0, limit).map(toKey)
    },
    listAccounts: (since, limit) =>
      db.read<RejectedAccount>(
        `SELECT a.username, CAST(r.wrong AS bigint) AS wrong, CAST(r.throttled AS bigint) AS throttled
         FROM (
           SELECT account_id,
             sum(CASE outcome WHEN 'wrong' THEN sign_ins ELSE 0 END) AS wrong,
             sum(CASE outcome WHEN 'throttled' THEN sign_ins ELSE 0 END) AS throttled
           FROM sign_in_rejections WHERE day >= $1 GROUP BY 1
         ) r JOIN accounts a ON a.id = r.account_id
         ORDER BY r.wrong + r.throttled DESC, a.username LIMIT $2`,
        [since.slice(0, 10), limit],
      ),
  }
}

function toKey(rows: readonly KeyRow[]): RejectedKey {
  const [first] = rows
  if (first === undefined) throw new Error("a group has a row")
  const { keyId, username, kind, name } = first
  const reasons = rows.map(({ reason, calls }) => ({ reason, calls }))
  const calls = reasons.reduce((sum, each) => sum + each.calls, 0)
  return { keyId, username, kind, name, calls, reasons }
}
