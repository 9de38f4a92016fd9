import type { Database } from "bun:sqlite"
import type { PasswordStore } from "../../domain/session.ts"
import { read, write } from "./database.ts"

export function sqlitePasswords(db: Database): PasswordStore {
  const find = db.query<{ hash: string }, [number]>(
    "SELECT hash FROM passwords WHERE account_id = ?",
  )
  const put = db.query(
    `INSERT INTO passwords VALUES ($accountId, $hash)
     ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash`,
  )
  const endSessions = db.query("DELETE FROM sessions WHERE account_id = ?")
  const endInvitations = db.query("DELETE FROM invitations WHERE account_id = ?")
  return {
    find: (accountId) => read(() => find.get(accountId)?.hash ?? null),
    put: (accountId, hash) =>
      write(db, () => {
        put.run({ accountId, hash })
        endSessions.run(accountId)
        endInvitations.run(accountId)
      }),
  }
}
