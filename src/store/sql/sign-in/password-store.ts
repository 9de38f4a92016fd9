import type { PasswordStore } from "../../../domain/sign-in/password.ts"
import type { SqlDatabase, Transaction } from "../sql-database.ts"
import type { SignInTables } from "./sign-in-tables.ts"

/** Returns a row if this is the owner's password. */
export const selectKnownPassword = ({ passwords, ownerId }: SignInTables) =>
  `SELECT 1 FROM ${passwords} WHERE ${ownerId} = $1 AND hash = $2`

/** A new password, or none, ends the owner's sessions, invitations and sign-in links. */
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

/** One change at a time for each owner: else an invitation could be accepted after an operator's change. */
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
    replace: (ownerId, known, hash) =>
      db.transaction(async (tx) => {
        await lockOwner(tx, tables, ownerId)
        const [row] = await tx.query<{ value: string }>(selectHash, [ownerId])
        if ((row?.value ?? null) !== known) return false
        await putPasswordAndEndSignIns(tx, tables, ownerId, hash)
        return true
      }),
  }
}
