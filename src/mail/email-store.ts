import {
  deleteRows,
  type SqlDatabase,
  sql,
  type Transaction,
  tuples,
} from "../platform/database/sql.ts"
import type { Timestamp } from "../platform/time.ts"
import type { EmailStore, LeasedEmail, NewEmail } from "./email.ts"

export const createEmailStore = (db: SqlDatabase): EmailStore => ({
  insert: (emails) => db.transaction((tx) => writeEmails(tx, emails)),
  async lease(nowMs, untilMs, rowsMax) {
    // Without this read, an idle sender would write every second.
    if (!(await db.hasRow`SELECT 1 FROM emails WHERE next_at_ms <= ${nowMs} LIMIT 1`)) return []
    const rows = await db.transaction(
      ({ query, lock }) => query<Omit<LeasedEmail, "leasedUntilMs">>`
        UPDATE emails SET next_at_ms = ${untilMs}, attempts = attempts + 1 WHERE id IN (
          SELECT id FROM emails WHERE next_at_ms <= ${nowMs} ORDER BY expires_at, id
          LIMIT ${rowsMax} ${lock("FOR UPDATE SKIP LOCKED")})
        RETURNING id, encrypted, attempts`,
    )
    return rows.map((row) => ({ ...row, leasedUntilMs: untilMs }))
  },
  retry: ({ id, leasedUntilMs }, atMs) =>
    db.write`UPDATE emails SET next_at_ms = ${atMs} WHERE id = ${id} AND next_at_ms = ${leasedUntilMs}`,
  remove: (id) => db.write`DELETE FROM emails WHERE id = ${id}`,
  async findWaiting() {
    const [row] = await db.read<[count: number, since: Timestamp, until: Timestamp]>(
      tuples`SELECT count(*), min(created_at), min(expires_at) FROM emails HAVING count(*) > 0`,
    )
    return row === undefined ? null : { count: row[0], since: row[1], until: row[2] }
  },
  deleteExpired: (at, rowsMax) => deleteRows(db, "emails", "id", sql`expires_at <= ${at}`, rowsMax),
})

export async function writeEmails({ query }: Transaction, emails: readonly NewEmail[]) {
  for (const { id, encrypted, createdAt, expiresAt } of emails) {
    await query`INSERT INTO emails (id, encrypted, created_at, expires_at, next_at_ms)
      VALUES (${id}, ${encrypted}, ${createdAt}, ${expiresAt}, 0)`
  }
}
