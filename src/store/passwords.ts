import type { PasswordStore } from "../domain/password.ts"
import type { SqlDatabase } from "./database.ts"
import { endSessions } from "./sessions.ts"

/** Returns a row if this is the account's password. */
export const selectKnownPassword = "SELECT 1 FROM passwords WHERE account_id = $1 AND hash = $2"

/** Returns a row if the account has a password. */
export const selectAnyPassword = "SELECT 1 FROM passwords WHERE account_id = $1"

export const upsertPassword = `INSERT INTO passwords VALUES ($1, $2)
  ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash`

/** A new password ends the account's sessions, invitations and sign-in links. */
export const endSignIns = [
  endSessions,
  "DELETE FROM invitations WHERE account_id = $1",
  "DELETE FROM sign_in_links WHERE account_id = $1",
]

/** The methods whose SQL is the same for both databases. */
export function passwordQueries(db: SqlDatabase): Pick<PasswordStore, "find" | "listOwners"> {
  return {
    async find(accountId) {
      const [row] = await db.read<{ hash: string }>(
        "SELECT hash FROM passwords WHERE account_id = $1",
        [accountId],
      )
      return row?.hash ?? null
    },
    async listOwners(afterUsername, lastUsername) {
      const rows = await db.read<{ id: number }>(
        `SELECT a.id FROM accounts a JOIN passwords p ON p.account_id = a.id
         WHERE a.username > $1 AND a.username <= $2`,
        [afterUsername, lastUsername],
      )
      return rows.map(({ id }) => id)
    },
  }
}
