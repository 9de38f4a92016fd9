import type { Database } from "bun:sqlite"
import type { SignInFailureStore, TryLimit, TryTaken } from "../../domain/sign-in-failures.ts"
import { read, writeUnsynced } from "./database.ts"

type Kept = Readonly<{ failures: number; endsAtMs: number }>
type Refused = Extract<TryTaken, { isTaken: false }>

/** Unsynced, so that no request waits for the disk: a power cut may give some tries back. */
export function sqliteSignInFailures(db: Database): SignInFailureStore {
  const findFull = db.query<Kept, [Uint8Array, number, number]>(
    `SELECT failures, ends_at_ms AS "endsAtMs" FROM sign_in_failures
     WHERE bucket = ? AND failures >= ? AND ends_at_ms > ?`,
  )
  const count = db.query<Kept, [Uint8Array, number, number]>(
    `INSERT INTO sign_in_failures VALUES (?1, 1, ?2)
     ON CONFLICT DO UPDATE SET
       failures = CASE WHEN ends_at_ms <= ?3 THEN 1 ELSE failures + 1 END,
       ends_at_ms = CASE WHEN ends_at_ms <= ?3 THEN ?2 ELSE ends_at_ms END
     RETURNING failures, ends_at_ms AS "endsAtMs"`,
  )
  const giveBack = db.query(
    "UPDATE sign_in_failures SET failures = failures - 1 WHERE bucket = ? AND ends_at_ms = ?",
  )
  const forget = db.query(
    `DELETE FROM sign_in_failures WHERE bucket IN
       (SELECT bucket FROM sign_in_failures WHERE ends_at_ms <= ? LIMIT ?)`,
  )
  function findRefusal(limits: readonly TryLimit[], nowMs: number): Refused | null {
    const full = limits.flatMap(({ bucket, triesMax }) => findFull.all(bucket, triesMax, nowMs))
    if (full.length === 0) return null
    return { isTaken: false, untilMs: Math.max(...full.map(({ endsAtMs }) => endsAtMs)) }
  }
  function countTry(limits: readonly TryLimit[], nowMs: number): TryTaken {
    const windows = limits.map(({ bucket, endsAtMs }) => {
      const kept = count.get(bucket, endsAtMs, nowMs)
      return { bucket, endsAtMs: kept?.endsAtMs ?? endsAtMs }
    })
    return { isTaken: true, windows }
  }
  return {
    async take(limits, nowMs) {
      const refusal = await read(() => findRefusal(limits, nowMs))
      if (refusal !== null) return refusal
      // Asked again under the lock: others may have taken the last try meanwhile.
      return writeUnsynced(db, () => findRefusal(limits, nowMs) ?? countTry(limits, nowMs))
    },
    async giveBack(windows) {
      await writeUnsynced(db, () => {
        for (const { bucket, endsAtMs } of windows) giveBack.run(bucket, endsAtMs)
      })
    },
    forget: (nowMs, rowsMax) => writeUnsynced(db, () => forget.run(nowMs, rowsMax).changes),
  }
}
