import {
  type SignInFailureStore,
  type TryLimit,
  type TryTaken,
  tryWindowMsMax,
} from "../../../domain/sign-in/sign-in-failures.ts"
import { forgetRows, type SqlDatabase } from "../database.ts"

type Kept = Readonly<{ failures: number; endsAtMs: number }>
type Refused = Extract<TryTaken, { isTaken: false }>

const selectKept = `SELECT failures, ends_at_ms AS "endsAtMs" FROM sign_in_failures
  WHERE bucket = $1 AND ends_at_ms > $2`

/** Locks the row until the transaction ends. */
const openWindow = `INSERT INTO sign_in_failures AS kept VALUES ($1, 0, $2)
  ON CONFLICT (bucket) DO UPDATE SET
    failures = CASE WHEN kept.ends_at_ms <= $3 THEN 0 ELSE kept.failures END,
    ends_at_ms = CASE WHEN kept.ends_at_ms <= $3 THEN excluded.ends_at_ms ELSE kept.ends_at_ms END
  RETURNING failures, ends_at_ms AS "endsAtMs"`

const countTry = "UPDATE sign_in_failures SET failures = failures + 1 WHERE bucket = $1"

/** Null if every window has a try left. `windows` are those of `limits`, in the same order. */
function findRefusal(
  limits: readonly TryLimit[],
  windows: readonly (Kept | undefined)[],
): Refused | null {
  const ends = limits.flatMap(({ triesMax }, at) => {
    const window = windows[at]
    return window !== undefined && window.failures >= triesMax ? [window.endsAtMs] : []
  })
  return ends.length === 0 ? null : { isTaken: false, untilMs: Math.max(...ends) }
}

export const createSignInFailures = (db: SqlDatabase): SignInFailureStore => ({
  async take(limits, nowMs) {
    // Without a lock first: a refused try writes nothing.
    const kept = await Promise.all(
      limits.map(({ bucket }) => db.find<Kept>(selectKept, [bucket, nowMs])),
    )
    const refusal = findRefusal(
      limits,
      kept.map((window) => window ?? undefined),
    )
    if (refusal !== null) return refusal
    // Rows are locked in the order of their buckets, so that two tries cannot deadlock.
    const ordered = limits.toSorted((one, other) => Buffer.compare(one.bucket, other.bucket))
    return db.transaction(async ({ query }): Promise<TryTaken> => {
      const opened = new Map<TryLimit, Kept>()
      for (const limit of ordered) {
        const [window] = await query<Kept>(openWindow, [limit.bucket, limit.endsAtMs, nowMs])
        if (window !== undefined) opened.set(limit, window)
      }
      const refusal = findRefusal(
        limits,
        limits.map((limit) => opened.get(limit)),
      )
      if (refusal !== null) return refusal
      for (const { bucket } of ordered) await query(countTry, [bucket])
      const windows = limits.map((limit) => ({
        bucket: limit.bucket,
        endsAtMs: opened.get(limit)?.endsAtMs ?? limit.endsAtMs,
      }))
      return { isTaken: true, windows }
    })
  },
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
