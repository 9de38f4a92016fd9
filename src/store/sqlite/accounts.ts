import type { Database } from "bun:sqlite"
import type { Account, AccountStore } from "../../domain/account.ts"
import { read, together } from "./database.ts"

export function sqliteAccounts(db: Database): AccountStore {
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
  return {
    find: together(db, (id: number) => find.get(id)),
    findByUsername: (username) => read(() => findByUsername.get(username)),
    listByEmail: (email, limit) => read(() => listByEmail.all(email, limit)),
    list: (afterUsername, limit) => read(() => list.all(afterUsername, limit)),
  }
}
