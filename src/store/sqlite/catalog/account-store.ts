import type { Account, AccountStore } from "../../../domain/catalog/account.ts"
import { accountQueries, selectAccount } from "../../sql/catalog/account-queries.ts"
import type { Database } from "../connection/database.ts"

type AccountRow = Omit<Account, "isSuspended"> & Readonly<{ isSuspended: number }>

export function sqliteAccounts(db: Database): AccountStore {
  const select = db.prepare<AccountRow, [number]>(selectAccount)
  return {
    find: db.shareRead((id: number) => {
      const row = select.get(id)
      return row && { ...row, isSuspended: row.isSuspended === 1 }
    }),
    ...accountQueries(db, {
      username: "username = $1 COLLATE NOCASE",
      email: "lower(json_extract(body, '$.email')) = lower($1)",
    }),
  }
}
