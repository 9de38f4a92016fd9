import type { PasswordStore } from "../../domain/password.ts"
import {
  endSignIns,
  passwordQueries,
  selectAnyPassword,
  selectKnownPassword,
  upsertPassword,
} from "../passwords.ts"
import type { Client, Database } from "./database.ts"

export function postgresPasswords(db: Database): PasswordStore {
  return {
    ...passwordQueries(db),
    put: (accountId, hash) => db.transact((client) => putPassword(client, accountId, hash)),
    replace: (accountId, known, hash) =>
      db.transact(async (client) => {
        await lockAccount(client, accountId)
        if (!(await isStillKnown(client, accountId, known))) return false
        await putPassword(client, accountId, hash)
        return true
      }),
  }
}

async function isStillKnown(
  client: Client,
  accountId: number,
  known: string | null,
): Promise<boolean> {
  return known === null
    ? (await client.query(selectAnyPassword, [accountId])).length === 0
    : (await client.query(selectKnownPassword, [accountId, known])).length > 0
}

/** Shared with invitations, which set passwords inside their own transactions. */
export async function putPassword(client: Client, accountId: number, hash: string): Promise<void> {
  // One change at a time for each account: else an invitation could be accepted after an operator's change.
  await lockAccount(client, accountId)
  await client.query(upsertPassword, [accountId, hash])
  for (const statement of endSignIns) await client.query(statement, [accountId])
}

async function lockAccount(client: Client, accountId: number): Promise<void> {
  await client.query("SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId])
}
