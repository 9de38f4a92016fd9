import type { Database } from "bun:sqlite"
import type { SignInFailureStore } from "../../domain/sign-in-failures.ts"
import { write } from "./database.ts"

type Kept = Readonly<{ failures: number; endsAtMs: number }>

export function sqliteSignInFailures(db: Database): SignInFailureStore {
  const open = db.query<Kept, [Uint8Array, number, number]>(
    `INSERT INTO sign_in_failures VALUES (?1, 0, ?2)
     ON CONFLICT DO UPDATE SET
       failures = CASE WHEN ends_at_ms <= ?3 THEN 0 ELSE failures END,
       ends_at_ms = CASE WHEN ends_at_ms <= ?3 THEN ?2 ELSE ends_at_ms END
     RETURNING failures, ends_at_ms AS "endsAtMs"`,
  )
  const count = db.query("UPDATE sign_in_failures SET failures = failures + 1 WHERE bucket = ?")
  const giveBack = db.query(
    "UPDATE sign_in_failures SET failures = failures - 1 WHERE bucket = ? AND ends_at_ms = ?",
  )
  const forget = db.query("DELETE FROM sign_in_failures WHERE ends_at_ms <= ?")
  return {
    take: (limits, nowMs, endsAtMs) =>
      write(db, () => {
        const opened = limits.map((limit) => {
          const kept = open.get(limit.bucket, endsAtMs, nowMs) ?? { failures: 0, endsAtMs }
          return { ...limit, ...kept }
        })
        const full = opened.filter(({ failures, triesMax }) => failures >= triesMax)
        if (full.length > 0) {
          return { isTaken: false, untilMs: Math.max(...full.map((each) => each.endsAtMs)) }
        }
        for (const { bucket } of opened) count.run(bucket)
        return { isTaken: true, windows: opened }
      }),
    async giveBack(windows) {
      await write(db, () => {
        for (const { bucket, endsAtMs } of windows) giveBack.run(bucket, endsAtMs)
      })
    },
    async forget(nowMs) {
      await write(db, () => forget.run(nowMs))
    },
  }
}
