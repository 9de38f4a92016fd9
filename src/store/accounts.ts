import type { Account, AccountStore } from "../domain/account.ts"
import type { SqlDatabase } from "./database.ts"

export const accountColumns = `id, username, body, suspended AS "isSuspended"`

/** SQLite has no booleans: they come as 1 and 0. */
export const toAccount = <Row extends Account>(row: Row): Row => ({
  ...row,
  isSuspended: Boolean(row.isSuspended),
})

/** With the current moment, so that an older feed does not undo it. */
export const updateSuspended = `UPDATE accounts SET suspended = $2,
  as_of = CASE WHEN as_of < $3 THEN $3 ELSE as_of END WHERE id = $1`

/** The methods whose SQL is the same for both databases. */
export function accountQueries(
  db: SqlDatabase,
): Pick<AccountStore, "findByUsername" | "list" | "listWithPassword"> {
  return {
    async findByUsername(username) {
      const [row] = await db.read<Account>(
        `SELECT ${accountColumns} FROM accounts WHERE username = $1`,
        [username],
      )
      return row === undefined ? null : toAccount(row)
    },
    async list(afterUsername, limit) {
      const rows = await db.read<Account>(
        `SELECT ${accountColumns} FROM accounts WHERE username > $1 ORDER BY username LIMIT $2`,
        [afterUsername, limit],
      )
      return rows.map(toAccount)
    },
    async listWithPassword(afterUsername, lastUsername) {
      const rows = await db.read<{ id: number }>(
        `SELECT a.id FROM accounts a JOIN passwords p ON p.account_id = a.id
         WHERE a.username > $1 AND a.username <= $2`,
        [afterUsername, lastUsername],
      )
      return rows.map(({ id }) => id)
    },
  }
}
