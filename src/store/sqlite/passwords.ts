import type { PasswordStore } from "../../domain/password.ts"
import {
  findPassword,
  passwordStatements,
  selectAnyPassword,
  selectKnownPassword,
} from "../passwords.ts"
import type { SignInTables } from "../sign-in-tables.ts"
import type { Client, Database } from "./database.ts"

export function sqlitePasswords(db: Database, tables: SignInTables): PasswordStore {
  function isStillKnown({ query }: Client, ownerId: number, known: string | null): boolean {
    return known === null
      ? query(selectAnyPassword(tables), [ownerId]).length === 0
      : query(selectKnownPassword(tables), [ownerId, known]).length > 0
  }
  return {
    find: findPassword(db, tables),
    put: (ownerId, hash) => db.transact((client) => putPassword(client, tables, ownerId, hash)),
    replace: (ownerId, known, hash) =>
      db.transact((client) => {
        if (!isStillKnown(client, ownerId, known)) return false
        putPassword(client, tables, ownerId, hash)
        return true
      }),
  }
}

/** Shared with invitations and the feed, which set passwords inside their own transactions. */
export function putPassword(
  { query }: Client,
  tables: SignInTables,
  ownerId: number,
  hash: string,
): void {
  const { upsert, endSignIns } = passwordStatements(tables)
  query(upsert, [ownerId, hash])
  for (const statement of endSignIns) query(statement, [ownerId])
}
