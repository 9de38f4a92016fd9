import type { Account, AccountStore } from "../../../domain/catalogue/account.ts"
import {
  accountColumns,
  accountQueries,
  resumeByOperator,
  suspendByOperator,
  toAccount,
} from "../../sql/catalogue/accounts.ts"
import { authorTables, endSessionsOf } from "../../sql/sign-in/sign-in-tables.ts"
import type { Database } from "../connection/database.ts"
import { createRowCache } from "./row-cache.ts"

export function sqliteAccounts(db: Database): AccountStore {
  const cache = createRowCache<Account>(db.changeCount, db.rowCounts, ({ body }) => body)
  const select = db.prepare<Account, [number]>(
    `SELECT ${accountColumns} FROM accounts WHERE id = $1`,
  )
  const load = db.shareRead((id: number) => {
    const row = select.get(id)
    return row && toAccount(row)
  })
  return {
    find(id) {
      const cached = cache.find(id)
      if (cached !== null) return cached
      const account = load(id)
      if (account !== null) cache.put(id, account)
      return account
    },
    ...accountQueries(db),
    async listByUsername(username, limit) {
      const rows = await db.read<Account>(
        `SELECT ${accountColumns} FROM accounts WHERE username = $1 COLLATE NOCASE LIMIT $2`,
        [username, limit],
      )
      return rows.map(toAccount)
    },
    async listByEmail(email, limit) {
      const rows = await db.read<Account>(
        `SELECT ${accountColumns} FROM accounts
         WHERE lower(json_extract(body, '$.email')) = lower($1) LIMIT $2`,
        [email, limit],
      )
      return rows.map(toAccount)
    },
    setSuspended: (id, isSuspended) =>
      db.transact(({ query }) => {
        if (!isSuspended) return query(resumeByOperator, [id, Date.now()]).length > 0
        query(endSessionsOf(authorTables), [id])
        return query(suspendByOperator, [id]).length > 0
      }),
  }
}
