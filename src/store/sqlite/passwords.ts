import type { PasswordStore } from "../../domain/password.ts"
import {
  endSignIns,
  passwordQueries,
  selectAnyPassword,
  selectKnownPassword,
  upsertPassword,
} from "../passwords.ts"
import type { Client, Database } from "./database.ts"

export function sqlitePasswords(db: Database): PasswordStore {
  return {
    ...passwordQueries(db),
    put: (accountId, hash) => db.transact((client) => putPassword(client, accountId, hash)),
    replace: (accountId, known, hash) =>
      db.transact((client) => {
        if (!isStillKnown(client, accountId, known)) return false
        putPassword(client, accountId, hash)
        return true
      }),
  }
}

function isStillKnown({ query }: Client, accountId: number, known: string | null): boolean {
  return known === null
    ? query(selectAnyPassword, [accountId]).length === 0
    : query(selectKnownPassword, [accountId, known]).length > 0
}

/** Shared with invitations and the feed, which set passwords inside their own transactions. */
export function putPassword({ query }: Client, accountId: number, hash: string): void {
  query(upsertPassword, [accountId, hash])
  for (const statement of endSignIns) query(statement, [accountId])
}
