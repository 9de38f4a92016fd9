import type { PasswordStore } from "../domain/password.ts"
import type { SqlDatabase } from "./database.ts"
import { endSessionsOf, type SignInTables } from "./sign-in-tables.ts"

/** Returns a row if this is the owner's password. */
export const selectKnownPassword = ({ passwords, ownerId }: SignInTables) =>
  `SELECT 1 FROM ${passwords} WHERE ${ownerId} = $1 AND hash = $2`

/** Returns a row if the owner has a password. */
export const selectAnyPassword = ({ passwords, ownerId }: SignInTables) =>
  `SELECT 1 FROM ${passwords} WHERE ${ownerId} = $1`

/** The statements of a new password, which ends the owner's sessions, invitations and sign-in links. */
export function passwordStatements(tables: SignInTables) {
  const { passwords, invitations, signInLinks, ownerId } = tables
  const links = [invitations, ...(signInLinks === null ? [] : [signInLinks])]
  return {
    upsert: `INSERT INTO ${passwords} VALUES ($1, $2)
      ON CONFLICT (${ownerId}) DO UPDATE SET hash = excluded.hash`,
    endSignIns: [
      endSessionsOf(tables),
      ...links.map((table) => `DELETE FROM ${table} WHERE ${ownerId} = $1`),
    ],
  }
}

export const findPassword =
  (db: SqlDatabase, { passwords, ownerId: owner }: SignInTables): PasswordStore["find"] =>
  async (ownerId) => {
    const [row] = await db.read<{ hash: string }>(
      `SELECT hash FROM ${passwords} WHERE ${owner} = $1`,
      [ownerId],
    )
    return row?.hash ?? null
  }
