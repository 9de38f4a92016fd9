import type { Account, AccountStore } from "../../domain/account.ts"
import type { Database } from "./database.ts"

export function postgresAccounts(db: Database): AccountStore {
  const columns = "id, username, body"
  return {
    async find(id) {
      const [row] = await db.read<Account>(`SELECT ${columns} FROM accounts WHERE id = $1`, [id])
      if (row !== undefined && row.id !== id) throw new Error("a row of another account")
      return row ?? null
    },
    async findByUsername(username) {
      const [row] = await db.read<Account>(`SELECT ${columns} FROM accounts WHERE username = $1`, [
        username,
      ])
      return row ?? null
    },
    listByEmail: (email, limit) =>
      db.read(
        `SELECT ${columns} FROM accounts
         WHERE lower((body::jsonb ->> 'email') COLLATE "C") = lower($1 COLLATE "C") LIMIT $2`,
        [email, limit],
      ),
    list: (afterUsername, limit) =>
      db.read(`SELECT ${columns} FROM accounts WHERE username > $1 ORDER BY username LIMIT $2`, [
        afterUsername,
        limit,
      ]),
  }
}
