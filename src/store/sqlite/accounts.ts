import type { Account, AccountStore } from "../../domain/account.ts"
import type { Database } from "./database.ts"
import { createRowCache } from "./row-cache.ts"

export function sqliteAccounts(db: Database): AccountStore {
  const columns = "id, username, body"
  const cache = createRowCache<Account>(db.changeCount, ({ body }) => body)
  const select = db.prepare<Account, [number]>(`SELECT ${columns} FROM accounts WHERE id = $1`)
  const load = db.shareRead((id: number) => select.get(id))
  return {
    find(id) {
      const cached = cache.find(id)
      if (cached !== null) return cached
      const account = load(id)
      if (account !== null) cache.put(id, account)
      return account
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
         WHERE lower(json_extract(body, '$.email')) = lower($1) LIMIT $2`,
        [email, limit],
      ),
    list: (afterUsername, limit) =>
      db.read(`SELECT ${columns} FROM accounts WHERE username > $1 ORDER BY username LIMIT $2`, [
        afterUsername,
        limit,
      ]),
  }
}
