import type { PasswordStore } from "../../../domain/sign-in/password.ts"
import type { SqlDatabase, Transaction } from "../sql-database.ts"
import type { SignInTables } from "./sign-in-tables.ts"

/** Returns a row if $2 is the password hash of the owner $1. */
export const selectKnownPassword = ({ passwords, ownerId }: SignInTables) =>
  `SELECT 1 FROM ${passwords} WHERE ${ownerId} = $1 AND hash = $2`

/** Changing or removing a password ends the sessions, invitations and sign-in links of the owner. */
export async function putPasswordAndEndSignIns(
  tx: Transaction,
  { passwords, sessions, invitations, signInLinks, ownerId: owner }: SignInTables,
  ownerId: number,
  hash: string | null,
): Promise<void> {
  if (hash !== null) {
    await tx.query(
      `INSERT INTO ${passwords} VALUES ($1, $2)
       ON CONFLICT (${owner}) DO UPDATE SET hash = excluded.hash`,
      [ownerId, hash],
    )
  }
  const ended = [hash === null ? passwords : null, sessions, invitations, signInLinks]
  for (const table of ended) {
    if (table !== null) await tx.query(`DELETE FROM ${table} WHERE ${owner} = $1`, [ownerId])
  }
}

/** Serializes password changes of an owner: an invitation must not be accepted after an operator has changed the password. */
export const lockOwner = (tx: Transaction, { owners }: SignInTables, id: number) =>
  tx.query(`SELECT 1 FROM ${owners} WHERE id = $1 ${tx.lock("FOR NO KEY UPDATE")}`, [id])

export function createPasswordStore(db: SqlDatabase, tables: SignInTables): PasswordStore {
  const { passwords, ownerId: owner } = tables
  const selectHash = `SELECT hash AS value FROM ${passwords} WHERE ${owner} = $1`
  return {
    find: (ownerId) => db.findValue(selectHash, [ownerId]),
    put: (ownerId, hash) =>
      db.transaction(async (tx) => {
        await lockOwner(tx, tables, ownerId)
        await putPasswordAndEndSignIns(tx, tables, ownerId, hash)
      }),
    replace: (ownerId, expectedHash, hash) =>
      db.transaction(async (tx) => {
        await lockOwner(tx, tables, ownerId)
        const [row] = await tx.query<{ value: string }>(selectHash, [ownerId])
        if ((row?.value ?? null) !== expectedHash) return false
        await putPasswordAndEndSignIns(tx, tables, ownerId, hash)
        return true
      }),
  }
}
