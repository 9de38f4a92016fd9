import type { PasswordStore } from "../../../domain/sign-in/password.ts"
import { ask, type SqlDatabase, type Steps } from "../database.ts"
import type { SignInTables } from "./sign-in-tables.ts"

/** Returns a row if this is the owner's password. */
export const selectKnownPassword = ({ passwords, ownerId }: SignInTables) =>
  `SELECT 1 FROM ${passwords} WHERE ${ownerId} = $1 AND hash = $2`

/** A new password, or none, ends the owner's sessions, invitations and sign-in links. */
export function* putPasswordAndEndSignIns(
  { passwords, sessions, invitations, signInLinks, ownerId: owner }: SignInTables,
  ownerId: number,
  hash: string | null,
): Steps<void> {
  if (hash !== null) {
    yield* ask(
      `INSERT INTO ${passwords} VALUES ($1, $2)
       ON CONFLICT (${owner}) DO UPDATE SET hash = excluded.hash`,
      [ownerId, hash],
    )
  }
  const ended = [hash === null ? passwords : null, sessions, invitations, signInLinks]
  for (const table of ended) {
    if (table !== null) yield* ask(`DELETE FROM ${table} WHERE ${owner} = $1`, [ownerId])
  }
}

/** One change at a time for each owner: else an invitation could be accepted after an operator's change. */
export const lockOwner = (db: SqlDatabase, { owners }: SignInTables, id: number) =>
  ask(`SELECT 1 FROM ${owners} WHERE id = $1 ${db.lock("FOR NO KEY UPDATE")}`, [id])

export function createPasswords(db: SqlDatabase, tables: SignInTables): PasswordStore {
  const { passwords, ownerId: owner } = tables
  const selectHash = `SELECT hash AS value FROM ${passwords} WHERE ${owner} = $1`
  return {
    find: (ownerId) => db.findValue(selectHash, [ownerId]),
    put: (ownerId, hash) =>
      db.change(function* () {
        yield* lockOwner(db, tables, ownerId)
        yield* putPasswordAndEndSignIns(tables, ownerId, hash)
      }),
    replace: (ownerId, known, hash) =>
      db.change(function* () {
        yield* lockOwner(db, tables, ownerId)
        const [row] = yield* ask<{ value: string }>(selectHash, [ownerId])
        if ((row?.value ?? null) !== known) return false
        yield* putPasswordAndEndSignIns(tables, ownerId, hash)
        return true
      }),
  }
}
