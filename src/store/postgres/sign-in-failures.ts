import type { SignInFailureStore } from "../../domain/sign-in/sign-in-failures.ts"
import { createSignInFailures, findRefusal } from "../sql/sign-in/sign-in-failures.ts"
import type { Database } from "./connection/database.ts"

type Opened = Readonly<{ place: number; isFull: boolean; endsAtMs: number }>

export const postgresSignInFailures = (db: Database): SignInFailureStore =>
  createSignInFailures(db, async (limits, nowMs) => {
    // A retry after a lost connection may count a try twice, which is the safe error.
    const opened = await db.read<Opened>(
      `SELECT place, is_full AS "isFull", ends_at_ms AS "endsAtMs"
         FROM take_sign_in_try($1, $2, $3, $4) ORDER BY place`,
      [
        limits.map(({ bucket }) => bucket),
        limits.map(({ triesMax }) => triesMax),
        limits.map(({ endsAtMs }) => endsAtMs),
        nowMs,
      ],
    )
    const refusal = findRefusal(opened.filter(({ isFull }) => isFull))
    if (refusal !== null) return refusal
    const windows = limits.map(({ bucket, endsAtMs }, index) => ({
      bucket,
      endsAtMs: opened[index]?.endsAtMs ?? endsAtMs,
    }))
    return { isTaken: true, windows }
  })
