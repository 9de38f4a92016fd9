import type { Account, AccountStore } from "../../../domain/catalogue/account.ts"
import { accountQueries, selectAccount } from "../../sql/catalogue/accounts.ts"
import type { Database } from "../connection/database.ts"
import { createRowCache } from "./row-cache.ts"

type AccountRow = Omit<Account, "isSuspended"> & Readonly<{ isSuspended: number }>

export function sqliteAccounts(db: Database): AccountStore {
  const cache = createRowCache<Account>(db.changeCount, db.rowCounts, ({ body }) => body)
  const select = db.prepare<AccountRow, [number]>(selectAccount)
  const load = db.shareRead((id: number) => {
    const row = select.get(id)
    return row && { ...row, isSuspended: row.isSuspended === 1 }
  })
  return {
    find(id) {
      const cached = cache.find(id)
      if (cached !== null) return cached
      const account = load(id)
      if (account !== null) cache.put(id, account)
      return account
    },
    ...accountQueries(db, {
      username: "username = $1 COLLATE NOCASE",
      email: "lower(json_extract(body, '$.email')) = lower($1)",
    }),
  }
}
