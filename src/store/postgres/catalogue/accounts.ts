import type { Account, AccountStore } from "../../../domain/catalogue/account.ts"
import {
  accountColumns,
  accountQueries,
  resumeByOperator,
  suspendByOperator,
} from "../../sql/catalogue/accounts.ts"
import { authorTables, endSessionsOf } from "../../sql/sign-in/sign-in-tables.ts"
import type { Database } from "../connection/database.ts"

export function postgresAccounts(db: Database): AccountStore {
  return {
    async find(id) {
      const [row] = await db.read<Account>(`SELECT ${accountColumns} FROM accounts WHERE id = $1`, [
        id,
      ])
      if (row !== undefined && row.id !== id) throw new Error("a row of another account")
      return row ?? null
    },
    ...accountQueries(db),
    listByUsername: (username, limit) =>
      db.read(
        `SELECT ${accountColumns} FROM accounts
         WHERE lower(username) = lower($1 COLLATE "C") LIMIT $2`,
        [username, limit],
      ),
    listByEmail: (email, limit) =>
      db.read(
        `SELECT ${accountColumns} FROM accounts
         WHERE lower((body::jsonb ->> 'email') COLLATE "C") = lower($1 COLLATE "C") LIMIT $2`,
        [email, limit],
      ),
    setSuspended: (id, isSuspended) =>
      db.transact(async (client) => {
        if (!isSuspended) {
          return (await client.query(resumeByOperator, [id, Date.now()])).length > 0
        }
        const suspended = await client.query(suspendByOperator, [id])
        await client.query(endSessionsOf(authorTables), [id])
        return suspended.length > 0
      }),
  }
}
