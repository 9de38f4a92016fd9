import type {
  SignInFailureStore,
  TryLimit,
  TryTaken,
} from "../../../domain/sign-in/sign-in-failures.ts"
import { findRefusal, forgetTries, giveBackTry } from "../../sql/sign-in/sign-in-failures.ts"
import type { Client, Database } from "../connection/database.ts"

type Kept = Readonly<{ failures: number; endsAtMs: number }>

const selectFull = `SELECT failures, ends_at_ms AS "endsAtMs" FROM sign_in_failures
  WHERE bucket = $1 AND failures >= $2 AND ends_at_ms > $3`

/** Unsynced, so that no request waits for the disk: a power cut may give some tries back. */
export function sqliteSignInFailures(db: Database): SignInFailureStore {
  return {
    async take(limits, nowMs) {
      const full = await Promise.all(
        limits.map(({ bucket, triesMax }) => db.read<Kept>(selectFull, [bucket, triesMax, nowMs])),
      )
      const refusal = findRefusal(full.flat())
      if (refusal !== null) return refusal
      return db.transactUnsynced((client) => takeLocked(client, limits, nowMs))
    },
    giveBack: (windows) =>
      db.transactUnsynced(({ query }) => {
        for (const { bucket, endsAtMs } of windows) {
          query(giveBackTry, [bucket, endsAtMs])
        }
      }),
    forget: (nowMs, rowsMax) => forgetTries(db, nowMs, rowsMax),
  }
}

/** Asks again under the lock: others may have taken the last try meanwhile. */
function takeLocked({ query }: Client, limits: readonly TryLimit[], nowMs: number): TryTaken {
  const full = limits.flatMap(({ bucket, triesMax }) =>
    query<Kept>(selectFull, [bucket, triesMax, nowMs]),
  )
  const refusal = findRefusal(full)
  if (refusal !== null) return refusal
  const windows = limits.map(({ bucket, endsAtMs }) => {
    const [kept] = query<Kept>(
      `INSERT INTO sign_in_failures VALUES ($1, 1, $2)
       ON CONFLICT DO UPDATE SET
         failures = CASE WHEN ends_at_ms <= $3 THEN 1 ELSE failures + 1 END,
         ends_at_ms = CASE WHEN ends_at_ms <= $3 THEN $2 ELSE ends_at_ms END
       RETURNING failures, ends_at_ms AS "endsAtMs"`,
      [bucket, endsAtMs, nowMs],
    )
    return { bucket, endsAtMs: kept?.endsAtMs ?? endsAtMs }
  })
  return { isTaken: true, windows }
}
