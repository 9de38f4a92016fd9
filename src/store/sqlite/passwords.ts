import type { PasswordStore } from "../../domain/password.ts"
import type { Client, Database } from "./database.ts"

export function sqlitePasswords(db: Database): PasswordStore {
  return {
    async find(accountId) {
      const [row] = await db.read<{ hash: string }>(
        "SELECT hash FROM passwords WHERE account_id = $1",
        [accountId],
      )
      return row?.hash ?? null
    },
    put: (accountId, hash) => db.transact((client) => putPassword(client, accountId, hash)),
    replace: (accountId, known, hash) =>
      db.transact((client) => {
        const isKnown = client.query(
          "SELECT 1 FROM passwords WHERE account_id = $1 AND hash = $2",
          [accountId, known],
        )
        if (isKnown.length === 0) return false
        putPassword(client, accountId, hash)
        return true
      }),
  }
}

/** Shared with invitations and the feed, which set passwords inside their own transactions. */
export function putPassword({ query }: Client, accountId: number, hash: string): void {
  query(
    `INSERT INTO passwords VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash`,
    [accountId, hash],
  )
  query("DELETE FROM sessions WHERE account_id = $1", [accountId])
  query("DELETE FROM invitations WHERE account_id = $1", [accountId])
}
