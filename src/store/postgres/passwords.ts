import type { PasswordStore } from "../../domain/password.ts"
import {
  findPassword,
  passwordStatements,
  selectAnyPassword,
  selectKnownPassword,
} from "../passwords.ts"
import type { SignInTables } from "../sign-in-tables.ts"
import type { Client, Database } from "./database.ts"

export function postgresPasswords(db: Database, tables: SignInTables): PasswordStore {
  async function isStillKnown(
    client: Client,
    ownerId: number,
    known: string | null,
  ): Promise<boolean> {
    return known === null
      ? (await client.query(selectAnyPassword(tables), [ownerId])).length === 0
      : (await client.query(selectKnownPassword(tables), [ownerId, known])).length > 0
  }
  return {
    find: findPassword(db, tables),
    put: (ownerId, hash) => db.transact((client) => putPassword(client, tables, ownerId, hash)),
    replace: (ownerId, known, hash) =>
      db.transact(async (client) => {
        await lockOwner(client, tables, ownerId)
        if (!(await isStillKnown(client, ownerId, known))) return false
        await putPassword(client, tables, ownerId, hash)
        return true
      }),
  }
}

/** Shared with invitations, which set passwords inside their own transactions. */
export async function putPassword(
  client: Client,
  tables: SignInTables,
  ownerId: number,
  hash: string,
): Promise<void> {
  // One change at a time for each owner: else an invitation could be accepted after an operator's change.
  await lockOwner(client, tables, ownerId)
  const { upsert, endSignIns } = passwordStatements(tables)
  await client.query(upsert, [ownerId, hash])
  for (const statement of endSignIns) await client.query(statement, [ownerId])
}

async function lockOwner(client: Client, { owners }: SignInTables, id: number): Promise<void> {
  await client.query(`SELECT 1 FROM ${owners} WHERE id = $1 FOR NO KEY UPDATE`, [id])
}
