import type { InvitationStore, SignInLinkStore } from "../../../domain/sign-in/invitation.ts"
import { ask, forgetRows, type SqlDatabase } from "../database.ts"
import { writeEvents } from "../events/write-events.ts"
import { putPasswordAndEndSignIns } from "./passwords.ts"
import type { SignInTables } from "./sign-in-tables.ts"

export function createInvitations(db: SqlDatabase, tables: SignInTables): InvitationStore {
  const { invitations: table, owners, ownerId: owner } = tables
  const selectOwner = `SELECT ${owner} AS value FROM ${table}
    WHERE token_digest = $1 AND expires_at > $2`
  return {
    insert: (tokenDigest, ownerId, expiresAt) =>
      db.write(`INSERT INTO ${table} VALUES ($1, $2, $3)`, [tokenDigest, ownerId, expiresAt]),
    insertAll: (invitations, events) =>
      db.change(function* () {
        const sql = `INSERT INTO ${table}
          SELECT $1, id, $3 FROM ${owners} WHERE id = $2 ${db.lock("FOR KEY SHARE")}`
        for (const { tokenDigest, ownerId, expiresAt } of invitations) {
          yield* ask(sql, [tokenDigest, ownerId, expiresAt])
        }
        yield* writeEvents(db, events)
      }),
    find: (tokenDigest, at) => db.findValue(selectOwner, [tokenDigest, at]),
    accept: (tokenDigest, at, hash) =>
      db.change(function* () {
        // A concurrent change of this password waits here, and then finds the invitation used.
        yield* ask(
          `SELECT 1 FROM ${owners} WHERE id = (SELECT ${owner} FROM ${table} WHERE token_digest = $1)
           ${db.lock("FOR NO KEY UPDATE")}`,
          [tokenDigest],
        )
        const [row] = yield* ask<{ value: number }>(selectOwner, [tokenDigest, at])
        if (row === undefined) return null
        yield* putPasswordAndEndSignIns(tables, row.value, hash)
        return row.value
      }),
    forget: (at, rowsMax) =>
      forgetRows(db, { table, id: "token_digest", condition: "expires_at <= $1" }, [at], rowsMax),
  }
}

const table = "sign_in_links"
const isOpen = "token_digest = $1 AND expires_at > $2"

export function createSignInLinks(db: SqlDatabase): SignInLinkStore {
  return {
    insert: (tokenDigest, accountId, expiresAt) =>
      db.write(`INSERT INTO ${table} VALUES ($1, $2, $3)`, [tokenDigest, accountId, expiresAt]),
    find: (tokenDigest, at) =>
      db.findValue(`SELECT account_id AS value FROM ${table} WHERE ${isOpen}`, [tokenDigest, at]),
    use: (tokenDigest, at) =>
      db.writeValue(`DELETE FROM ${table} WHERE ${isOpen} RETURNING account_id AS value`, [
        tokenDigest,
        at,
      ]),
    forget: (at, rowsMax) =>
      forgetRows(db, { table, id: "token_digest", condition: "expires_at <= $1" }, [at], rowsMax),
  }
}
