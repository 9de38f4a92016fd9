import type { Database } from "bun:sqlite"
import type { Account, AccountStore } from "../../domain/account.ts"
import type { ChangeCount } from "./changes.ts"
import { read, together } from "./database.ts"
import { createRecent } from "./recent.ts"

export function sqliteAccounts(db: Database, changeCount: ChangeCount): AccountStore {
  const recent = createRecent<Account>(changeCount)
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
  const look = together(db, (id: number) => {
    const row = find.get(id)
    return row && recent.keep(id, row, row.body)
  })
  return {
    find: (id) => recent.find(id) ?? look(id),
    findByUsername: (username) => read(() => findByUsername.get(username)),
    listByEmail: (email, limit) => read(() => listByEmail.all(email, limit)),
    list: (afterUsername, limit) => read(() => list.all(afterUsername, limit)),
  }
}
