import type { PasswordStore } from "../../domain/password.ts"
import type { Client, Database } from "./database.ts"

export function postgresPasswords(db: Database): PasswordStore {
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
      db.transact(async (client) => {
        await lockAccount(client, accountId)
        const isKnown = await client.query(
          "SELECT 1 FROM passwords WHERE account_id = $1 AND hash = $2",
          [accountId, known],
        )
        if (isKnown.length === 0) return false
        await putPassword(client, accountId, hash)
        return true
      }),
  }
}

/** Shared with invitations, which set passwords inside their own transactions. */
export async function putPassword(client: Client, accountId: number, hash: string): Promise<void> {
  // One change at a time for each account: else an invitation could be accepted after an operator's change.
  await lockAccount(client, accountId)
  await client.query(
    `INSERT INTO passwords VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash`,
    [accountId, hash],
  )
  await client.query("DELETE FROM sessions WHERE account_id = $1", [accountId])
  await client.query("DELETE FROM invitations WHERE account_id = $1", [accountId])
}

async function lockAccount(client: Client, accountId: number): Promise<void> {
  await client.query("SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId])
}
