import type {
  EmailStore,
  LeasedEmail,
  NewEmail,
  WaitingEmails,
} from "../../../domain/mail/email.ts"
import { deleteRows, type SqlDatabase, type Transaction } from "../sql-database.ts"
import { sql } from "../statement.ts"

export const createEmailStore = (db: SqlDatabase): EmailStore => ({
  insert: (emails) => db.transaction((tx) => writeEmails(tx, emails)),
  async lease(nowMs, untilMs, rowsMax) {
    // Without this read, an idle sender would write every second.
    if (!(await db.hasRow("SELECT 1 FROM emails WHERE next_at_ms <= $1 LIMIT 1", [nowMs])))
      return []
    const rows = await db.transaction(({ query, lock }) =>
      query<Omit<LeasedEmail, "leasedUntilMs">>(
        `UPDATE emails SET next_at_ms = $2, attempts = attempts + 1 WHERE id IN (
           SELECT id FROM emails WHERE next_at_ms <= $1 ORDER BY expires_at, id LIMIT $3
           ${lock("FOR UPDATE SKIP LOCKED")})
         RETURNING id, encrypted, attempts`,
        [nowMs, untilMs, rowsMax],
      ),
    )
    return rows.map((row) => ({ ...row, leasedUntilMs: untilMs }))
  },
  retry: ({ id, leasedUntilMs }, atMs) =>
    db.write("UPDATE emails SET next_at_ms = $3 WHERE id = $1 AND next_at_ms = $2", [
      ...[id, leasedUntilMs, atMs],
    ]),
  remove: (id) => db.write("DELETE FROM emails WHERE id = $1", [id]),
  async findWaiting() {
    const [row] = await db.read<WaitingEmails>(
      `SELECT count(*) AS count, min(created_at) AS since, min(expires_at) AS until
       FROM emails HAVING count(*) > 0`,
    )
    return row ?? null
  },
  deleteExpired: (at, rowsMax) => deleteRows(db, "emails", "id", sql`expires_at <= ${at}`, rowsMax),
})

const insert =
  "INSERT INTO emails (id, encrypted, created_at, expires_at, next_at_ms) VALUES ($1, $2, $3, $4, 0)"

export async function writeEmails({ query }: Transaction, emails: readonly NewEmail[]) {
  for (const { id, encrypted, createdAt, expiresAt } of emails) {
    await query(insert, [id, encrypted, createdAt, expiresAt])
  }
}
