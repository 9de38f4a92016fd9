import type { Account, AccountStore } from "../../../domain/catalog/account.ts"
import { authorTables, endSessionsOf } from "../sign-in/sign-in-tables.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"

const accountColumns = `id, username, body, suspended AS "isSuspended"`

/** `suspended` is true if the feed or an operator has suspended the account. */
export const feedSuspended = `coalesce(feed_suspended, suspended) AS "isSuspended",
  feed_suspended IS NOT NULL AS "isSuspendedByOperator"`
export const feedAccountColumns = `id, username, body, ${feedSuspended}`

/** `feed_suspended` keeps the state of the feed. */
const suspendByOperator = `UPDATE accounts
  SET feed_suspended = suspended, suspended = true WHERE id = $1 AND feed_suspended IS NULL
  RETURNING id`

/** Sets `as_of` to now, so that an older feed does not undo the change. */
const resumeByOperator = `UPDATE accounts SET feed_suspended = NULL, suspended = false,
  as_of = CASE WHEN as_of < $2 THEN $2 ELSE as_of END WHERE id = $1 AND suspended RETURNING id`

export const selectAccount = `SELECT ${accountColumns} FROM accounts WHERE id = $1`

/** Conditions on $1 that ignore the case of ASCII letters and use an index. */
type SameAccount = Readonly<{ username: string; email: string }>

export function accountQueries(db: SqlDatabase, isSame: SameAccount): Omit<AccountStore, "find"> {
  const select = (rest: string, values: readonly Value[]) =>
    db.read<Account>(`SELECT ${accountColumns} FROM accounts ${rest}`, values)
  return {
    findByUsername: async (username) =>
      (await select("WHERE username = $1", [username]))[0] ?? null,
    list: (afterUsername, limit) =>
      select("WHERE username > $1 ORDER BY username LIMIT $2", [afterUsername, limit]),
    listByUsername: (username, limit) =>
      select(`WHERE ${isSame.username} LIMIT $2`, [username, limit]),
    listByEmail: (email, limit) => select(`WHERE ${isSame.email} LIMIT $2`, [email, limit]),
    setSuspended: (id, isSuspended) =>
      db.transaction(async (tx) => {
        if (!isSuspended) return (await tx.query(resumeByOperator, [id, Date.now()])).length > 0
        const suspended = await tx.query(suspendByOperator, [id])
        await tx.query(endSessionsOf(authorTables), [id])
        return suspended.length > 0
      }),
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
