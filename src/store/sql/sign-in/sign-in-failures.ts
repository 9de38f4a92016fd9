import { type TryTaken, tryWindowMsMax } from "../../../domain/sign-in/sign-in-failures.ts"
import { forgetRows, type SqlDatabase } from "../database.ts"

type Refused = Extract<TryTaken, { isTaken: false }>

/** `full` are the windows that have no try left. Null if there is none: the try may be taken. */
export function findRefusal(full: readonly Readonly<{ endsAtMs: number }>[]): Refused | null {
  if (full.length === 0) return null
  return { isTaken: false, untilMs: Math.max(...full.map(({ endsAtMs }) => endsAtMs)) }
}

/** Takes a bucket and the end of its window. A newer window of the bucket stays as it is. */
export const giveBackTry = `UPDATE sign_in_failures SET failures = failures - 1
  WHERE bucket = $1 AND ends_at_ms = $2`

export const forgetTries = (db: SqlDatabase, nowMs: number, rowsMax: number) =>
  forgetRows(
    db,
    {
      table: "sign_in_failures",
      id: "bucket",
      condition: "ends_at_ms <= $1 OR ends_at_ms > $2",
    },
    [nowMs, nowMs + tryWindowMsMax],
    rowsMax,
  )
