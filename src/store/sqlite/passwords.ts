import type { Database } from "bun:sqlite"
import type { PasswordStore } from "../../domain/password.ts"
import { read, write } from "./database.ts"

export function sqlitePasswords(db: Database): PasswordStore {
  const find = db.query<{ hash: string }, [number]>(
    "SELECT hash FROM passwords WHERE account_id = ?",
  )
  const put = preparePasswordPut(db)
  return {
    find: (accountId) => read(() => find.get(accountId)?.hash ?? null),
    put: (accountId, hash) => write(db, () => put(accountId, hash)),
    replace: (accountId, known, hash) =>
      write(db, () => {
        if (find.get(accountId)?.hash !== known) return false
        put(accountId, hash)
        return true
      }),
  }
}

/** Shared with the feed, which brings passwords along inside its own transaction. */
export function preparePasswordPut(db: Database): (accountId: number, hash: string) => void {
  const put = db.query(
    `INSERT INTO passwords VALUES ($accountId, $hash)
     ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash`,
  )
  const endSessions = db.query("DELETE FROM sessions WHERE account_id = ?")
  const endInvitations = db.query("DELETE FROM invitations WHERE account_id = ?")
  return (accountId, hash) => {
    put.run({ accountId, hash })
    endSessions.run(accountId)
    endInvitations.run(accountId)
  }
}
