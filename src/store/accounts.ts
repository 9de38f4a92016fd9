import type { Account, AccountStore } from "../domain/account.ts"
import type { SqlDatabase } from "./database.ts"

export const accountColumns = "id, username, body"

/** The methods whose SQL is the same for both databases. */
export function accountQueries(db: SqlDatabase): Pick<AccountStore, "findByUsername" | "list"> {
  return {
    async findByUsername(username) {
      const [row] = await db.read<Account>(
        `SELECT ${accountColumns} FROM accounts WHERE username = $1`,
        [username],
      )
      return row ?? null
    },
    list: (afterUsername, limit) =>
      db.read(
        `SELECT ${accountColumns} FROM accounts WHERE username > $1 ORDER BY username LIMIT $2`,
        [afterUsername, limit],
      ),
  }
}
