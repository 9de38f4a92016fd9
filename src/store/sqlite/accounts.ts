import type { Database } from "bun:sqlite"
import type { Account, AccountStore } from "../../domain/account.ts"
import type { ChangeCount } from "./changes.ts"
import { read, shareRead } from "./database.ts"
import { createRowCache } from "./row-cache.ts"

export function sqliteAccounts(db: Database, changeCount: ChangeCount): AccountStore {
  const cache = createRowCache<number, Account>(changeCount, ({ body }) => body)
  const columns = "id, username, body"
  const find = db.query<Account, [number]>(`SELECT ${columns} FROM accounts WHERE id = ?`)
  const findByUsername = db.query<Account, [string]>(
    `SELECT ${columns} FROM accounts WHERE username = ?`,
  )
  const list = db.query<Account, [string, number]>(
    `SELECT ${columns} FROM accounts WHERE username > ? ORDER BY username LIMIT ?`,
  )
  const listByEmail = db.query<Account, [string, number]>(
    `SELECT ${columns} FROM accounts WHERE lower(json_extract(body, '$.email')) = lower(?) LIMIT ?`,
  )
  const load = shareRead(db, (id: number) => find.get(id))
  return {
    find: (id) => cache.get(id, () => load(id)),
    findByUsername: (username) => read(() => findByUsername.get(username)),
    listByEmail: (email, limit) => read(() => listByEmail.all(email, limit)),
    list: (afterUsername, limit) => read(() => list.all(afterUsername, limit)),
  }
}
