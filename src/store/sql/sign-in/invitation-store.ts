import type { InvitationStore, SignInLinkStore } from "../../../domain/sign-in/session.ts"
import { writeEvents } from "../events/write-events.ts"
import { writeEmails } from "../mail/email-store.ts"
import { deleteRows, type SqlDatabase } from "../sql-database.ts"
import { putPasswordAndEndSignIns } from "./password-store.ts"
import type { SignInTables } from "./sign-in-tables.ts"

export function createInvitationStore(db: SqlDatabase, tables: SignInTables): InvitationStore {
  const { invitations: table, owners, ownerId: owner } = tables
  const selectOwner = `SELECT ${owner} AS value FROM ${table}
    WHERE token_digest = $1 AND expires_at > $2`
  return {
    insertAll: (invitations, events, emails) =>
      db.transaction(async (tx) => {
        const sql = `INSERT INTO ${table}
          SELECT $1, id, $3 FROM ${owners} WHERE id = $2 ${db.lock("FOR KEY SHARE")}`
        for (const { tokenDigest, ownerId, expiresAt } of invitations) {
          await tx.query(sql, [tokenDigest, ownerId, expiresAt])
        }
        await writeEmails(tx, emails)
        await writeEvents(tx, events)
      }),
    find: (tokenDigest, at) => db.findValue(selectOwner, [tokenDigest, at]),
    accept: (tokenDigest, at, hash) =>
      db.transaction(async (tx) => {
        // Serializes with concurrent changes of this password.
        await tx.query(
          `SELECT 1 FROM ${owners} WHERE id = (SELECT ${owner} FROM ${table} WHERE token_digest = $1)
           ${db.lock("FOR NO KEY UPDATE")}`,
          [tokenDigest],
        )
        const [row] = await tx.query<{ value: number }>(selectOwner, [tokenDigest, at])
        if (row === undefined) return null
        await putPasswordAndEndSignIns(tx, tables, row.value, hash)
        return row.value
      }),
    deleteExpired: (at, rowsMax) =>
      deleteRows(db, { table, id: "token_digest", condition: "expires_at <= $1" }, [at], rowsMax),
  }
}

const table = "sign_in_links"
const isValid = "token_digest = $1 AND expires_at > $2"

export function createSignInLinkStore(db: SqlDatabase): SignInLinkStore {
  return {
    insert: (tokenDigest, accountId, expiresAt) =>
      db.write(`INSERT INTO ${table} VALUES ($1, $2, $3)`, [tokenDigest, accountId, expiresAt]),
    find: (tokenDigest, at) =>
      db.findValue(`SELECT account_id AS value FROM ${table} WHERE ${isValid}`, [tokenDigest, at]),
    use: (tokenDigest, at) =>
      db.writeValue(`DELETE FROM ${table} WHERE ${isValid} RETURNING account_id AS value`, [
        tokenDigest,
        at,
      ]),
    deleteExpired: (at, rowsMax) =>
      deleteRows(db, { table, id: "token_digest", condition: "expires_at <= $1" }, [at], rowsMax),
  }
}
