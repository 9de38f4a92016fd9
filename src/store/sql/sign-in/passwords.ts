import type { PasswordStore } from "../../../domain/sign-in/password.ts"
import { ask, type SqlDatabase, type Steps } from "../database.ts"
import { endSessionsOf, type SignInTables } from "./sign-in-tables.ts"

/** Returns a row if this is the owner's password. */
export const selectKnownPassword = ({ passwords, ownerId }: SignInTables) =>
  `SELECT 1 FROM ${passwords} WHERE ${ownerId} = $1 AND hash = $2`

/** A new password ends the owner's sessions, invitations and sign-in links. */
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

export function* putPasswordAndEndSignIns(
  tables: SignInTables,
  ownerId: number,
  hash: string,
): Steps<void> {
  const { upsert, endSignIns } = passwordStatements(tables)
  yield* ask(upsert, [ownerId, hash])
  for (const statement of endSignIns) yield* ask(statement, [ownerId])
}

/** One change at a time for each owner: else an invitation could be accepted after an operator's change. */
export const lockOwner = (db: SqlDatabase, { owners }: SignInTables, id: number) =>
  ask(`SELECT 1 FROM ${owners} WHERE id = $1 ${db.lock("FOR NO KEY UPDATE")}`, [id])

export function createPasswords(db: SqlDatabase, tables: SignInTables): PasswordStore {
  const { passwords, ownerId: owner } = tables
  const selectHash = `SELECT hash FROM ${passwords} WHERE ${owner} = $1`
  return {
    async find(ownerId) {
      const [row] = await db.read<{ hash: string }>(selectHash, [ownerId])
      return row?.hash ?? null
    },
    put: (ownerId, hash) =>
      db.change(function* () {
        yield* lockOwner(db, tables, ownerId)
        yield* putPasswordAndEndSignIns(tables, ownerId, hash)
      }),
    replace: (ownerId, known, hash) =>
      db.change(function* () {
        yield* lockOwner(db, tables, ownerId)
        const [row] = yield* ask<{ hash: string }>(selectHash, [ownerId])
        if ((row?.hash ?? null) !== known) return false
        yield* putPasswordAndEndSignIns(tables, ownerId, hash)
        return true
      }),
  }
}
