import type { Account, AccountStore } from "../../../domain/catalogue/account.ts"
import type { SnapshotAccount } from "../../../domain/feed/feed.ts"
import type { SqlDatabase } from "../database.ts"

export const accountColumns = `id, username, body, suspended AS "isSuspended"`

/** SQLite has no booleans: they come as 1 and 0. */
export const toAccount = <Row extends Account>(row: Row): Row => ({
  ...row,
  isSuspended: Boolean(row.isSuspended),
})

/** With what the feed says instead of what counts, and whether an operator says more. */
export const fedSuspended = `coalesce(feed_suspended, suspended) AS "isSuspended",
  feed_suspended IS NOT NULL AS "isSuspendedByOperator"`
export const fedAccountColumns = `id, username, body, ${fedSuspended}`

export const toFedAccount = <Row extends SnapshotAccount>(row: Row): Row => ({
  ...toAccount(row),
  isSuspendedByOperator: Boolean(row.isSuspendedByOperator),
})

/** Keeps what the feed says. `true` is 1 on SQLite. */
export const suspendByOperator = `UPDATE accounts
  SET feed_suspended = suspended, suspended = true WHERE id = $1 AND feed_suspended IS NULL
  RETURNING id`

/** With the current moment, so that an older feed does not undo it. */
export const resumeByOperator = `UPDATE accounts SET feed_suspended = NULL, suspended = false,
  as_of = CASE WHEN as_of < $2 THEN $2 ELSE as_of END WHERE id = $1 AND suspended RETURNING id`

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
