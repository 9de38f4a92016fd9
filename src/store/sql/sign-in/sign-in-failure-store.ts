import {
  attemptWindowMs,
  type FailureLimit,
  hourWindowMs,
  type SignInFailureStore,
} from "../../../domain/sign-in/sign-in-failures.ts"
import { deleteRows, type SqlDatabase } from "../sql-database.ts"

const selectFull = `SELECT ends_at_ms AS "endsAtMs" FROM sign_in_failures
  WHERE bucket = $1 AND failures >= $2 AND ends_at_ms > $3`

/** Returns no row for a full bucket. */
const countFailure = `INSERT INTO sign_in_failures AS stored VALUES ($1, 1, $4)
  ON CONFLICT (bucket) DO UPDATE SET
    failures = CASE WHEN stored.ends_at_ms <= $3 THEN 1 ELSE stored.failures + 1 END,
    ends_at_ms = CASE WHEN stored.ends_at_ms <= $3 THEN excluded.ends_at_ms ELSE stored.ends_at_ms END
  WHERE stored.failures < $2 OR stored.ends_at_ms <= $3
  RETURNING failures`

const removeFailure = `UPDATE sign_in_failures SET failures = failures - 1
  WHERE bucket = $1 AND failures > 0`

export function createSignInFailureStore(db: SqlDatabase): SignInFailureStore {
  async function findFull(limits: readonly FailureLimit[], nowMs: number): Promise<number | null> {
    for (const { bucket, failuresMax } of limits) {
      const full = await db.find<{ endsAtMs: number }>(selectFull, [bucket, failuresMax, nowMs])
      if (full !== null) return full.endsAtMs
    }
    return null
  }
  return {
    async take(limits, nowMs, windowMs = attemptWindowMs) {
      const fullUntilMs = await findFull(limits, nowMs)
      if (fullUntilMs !== null) return fullUntilMs
      const endsAtMs = nowMs + windowMs
      const isCounted = await db.transaction(async ({ query }) => {
        for (const [at, { bucket, failuresMax }] of limits.entries()) {
          const counted = await query(countFailure, [bucket, failuresMax, nowMs, endsAtMs])
          if (counted.length > 0) continue
          for (const earlier of limits.slice(0, at)) await query(removeFailure, [earlier.bucket])
          return false
        }
        return true
      })
      return isCounted ? null : ((await findFull(limits, nowMs)) ?? nowMs)
    },
    async giveBack(buckets) {
      // One transaction per row: several locks could be taken in another order than in `take`.
      for (const bucket of buckets) await db.write(removeFailure, [bucket])
    },
    deleteExpired: (nowMs, rowsMax) =>
      deleteRows(
        db,
        {
          table: "sign_in_failures",
          id: "bucket",
          condition: "ends_at_ms <= $1 OR ends_at_ms > $2",
        },
        [nowMs, nowMs + hourWindowMs],
        rowsMax,
      ),
  }
}
