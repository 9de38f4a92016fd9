import {
  type SignInFailureStore,
  type TryTaken,
  tryWindowMsMax,
} from "../../../domain/sign-in/sign-in-failures.ts"
import { forgetRows, type SqlDatabase } from "../database.ts"

type Refused = Extract<TryTaken, { isTaken: false }>

/** `full` are the windows that have no try left. Null if there is none: the try may be taken. */
export function findRefusal(full: readonly Readonly<{ endsAtMs: number }>[]): Refused | null {
  if (full.length === 0) return null
  return { isTaken: false, untilMs: Math.max(...full.map(({ endsAtMs }) => endsAtMs)) }
}

/** `take` is another one on each database. */
export const createSignInFailures = (
  db: SqlDatabase,
  take: SignInFailureStore["take"],
): SignInFailureStore => ({
  take,
  async giveBack(windows) {
    // One row at a time: a transaction with several could lock them in another order than `take`.
    for (const { bucket, endsAtMs } of windows) {
      // A newer window of the bucket stays as it is.
      await db.write(
        `UPDATE sign_in_failures SET failures = failures - 1
         WHERE bucket = $1 AND ends_at_ms = $2`,
        [bucket, endsAtMs],
      )
    }
  },
  forget: (nowMs, rowsMax) =>
    forgetRows(
      db,
      {
        table: "sign_in_failures",
        id: "bucket",
        condition: "ends_at_ms <= $1 OR ends_at_ms > $2",
      },
      [nowMs, nowMs + tryWindowMsMax],
      rowsMax,
    ),
})
