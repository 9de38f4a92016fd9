import type { InvitationStore } from "../../../domain/sign-in/invitation.ts"
import { ask, forgetRows, type SqlDatabase } from "../database.ts"
import { putPasswordAndEndSignIns } from "./passwords.ts"
import type { SignInTables } from "./sign-in-tables.ts"

export function createInvitations(db: SqlDatabase, tables: SignInTables): InvitationStore {
  const { invitations: table, owners, ownerId: owner } = tables
  const selectOwner = `SELECT ${owner} AS "ownerId" FROM ${table}
    WHERE token_digest = $1 AND expires_at > $2`
  return {
    insert: (tokenDigest, ownerId, expiresAt) =>
      db.write(`INSERT INTO ${table} VALUES ($1, $2, $3)`, [tokenDigest, ownerId, expiresAt]),
    insertAll: (invitations) =>
      db.change(function* () {
        const sql = `INSERT INTO ${table}
          SELECT $1, id, $3 FROM ${owners} WHERE id = $2 ${db.lock("FOR KEY SHARE")}`
        for (const { tokenDigest, ownerId, expiresAt } of invitations) {
          yield* ask(sql, [tokenDigest, ownerId, expiresAt])
        }
      }),
    async find(tokenDigest, at) {
      const [row] = await db.read<{ ownerId: number }>(selectOwner, [tokenDigest, at])
      return row?.ownerId ?? null
    },
    accept: (tokenDigest, at, hash) =>
      db.change(function* () {
        // A concurrent change of this password waits here, and then finds the invitation used.
        yield* ask(
          `SELECT 1 FROM ${owners} WHERE id = (SELECT ${owner} FROM ${table} WHERE token_digest = $1)
           ${db.lock("FOR NO KEY UPDATE")}`,
          [tokenDigest],
        )
        const [row] = yield* ask<{ ownerId: number }>(selectOwner, [tokenDigest, at])
        if (row === undefined) return null
        yield* putPasswordAndEndSignIns(tables, row.ownerId, hash)
        return row.ownerId
      }),
    forget: (at, rowsMax) =>
      forgetRows(db, { table, id: "token_digest", condition: "expires_at <= $1" }, [at], rowsMax),
  }
}
