import type { Account, AccountStore } from "../../../domain/catalog/account.ts"
import { accountQueries, selectAccount } from "../../sql/catalog/account-queries.ts"
import type { Database } from "../connection/database.ts"

export const postgresAccounts = (db: Database): AccountStore => ({
  async find(id) {
    const [row] = await db.read<Account>(selectAccount, [id])
    if (row !== undefined && row.id !== id)
      throw new Error(`database returned account ${row.id} instead of ${id}`)
    return row ?? null
  },
  ...accountQueries(db, {
    username: 'lower(username) = lower($1 COLLATE "C")',
    email: `lower((body::jsonb ->> 'email') COLLATE "C") = lower($1 COLLATE "C")`,
  }),
})
