import type { SignInFailureStore } from "../../domain/sign-in/sign-in-failures.ts"
import type { SqlDatabase } from "../sql/database.ts"
import { createSignInFailures, findRefusal } from "../sql/sign-in/sign-in-failures.ts"

type Kept = Readonly<{ endsAtMs: number }>

const selectFull = `SELECT ends_at_ms AS "endsAtMs" FROM sign_in_failures
  WHERE bucket = $1 AND failures >= $2 AND ends_at_ms > $3`

const countTry = `INSERT INTO sign_in_failures VALUES ($1, 1, $2)
  ON CONFLICT DO UPDATE SET
    failures = CASE WHEN ends_at_ms <= $3 THEN 1 ELSE failures + 1 END,
    ends_at_ms = CASE WHEN ends_at_ms <= $3 THEN $2 ELSE ends_at_ms END
  RETURNING ends_at_ms AS "endsAtMs"`

export const sqliteSignInFailures = (db: SqlDatabase): SignInFailureStore =>
  createSignInFailures(db, async (limits, nowMs) => {
    const asked = limits.map(({ bucket, triesMax }) => [bucket, triesMax, nowMs] as const)
    const full = await Promise.all(asked.map((values) => db.read<Kept>(selectFull, values)))
    const refusal = findRefusal(full.flat())
    if (refusal !== null) return refusal
    return db.transaction(async (tx) => {
      // Asks again under the lock: others may have taken the last try meanwhile.
      const late: Kept[] = []
      for (const values of asked) late.push(...(await tx.query<Kept>(selectFull, values)))
      const refusal = findRefusal(late)
      if (refusal !== null) return refusal
      const windows = []
      for (const { bucket, endsAtMs } of limits) {
        const [kept] = await tx.query<Kept>(countTry, [bucket, endsAtMs, nowMs])
        windows.push({ bucket, endsAtMs: kept?.endsAtMs ?? endsAtMs })
      }
      return { isTaken: true, windows }
    })
  })
