import type { InvitationStore } from "../../domain/invitation.ts"
import { type FoundInvitation, invitationQueries, selectInvitation } from "../invitations.ts"
import type { SignInTables } from "../sign-in-tables.ts"
import type { Database } from "./database.ts"
import { putPassword } from "./passwords.ts"
import { remove } from "./remove.ts"

export function sqliteInvitations(db: Database, tables: SignInTables): InvitationStore {
  const { invitations: table, owners } = tables
  return {
    ...invitationQueries(db, tables),
    insertAll: (invitations) =>
      db.transact(({ query }) => {
        for (const { tokenDigest, ownerId, expiresAt } of invitations) {
          query(`INSERT INTO ${table} SELECT $1, id, $3 FROM ${owners} WHERE id = $2`, [
            tokenDigest,
            ownerId,
            expiresAt,
          ])
        }
      }),
    accept: (tokenDigest, at, hash) =>
      db.transact((client) => {
        const [row] = client.query<FoundInvitation>(selectInvitation(tables), [tokenDigest, at])
        if (row === undefined) return null
        putPassword(client, tables, row.ownerId, hash)
        return row.ownerId
      }),
    forget: (at, rowsMax) =>
      remove(
        db,
        `DELETE FROM ${table} WHERE token_digest IN
           (SELECT token_digest FROM ${table} WHERE expires_at <= $1 LIMIT $2)`,
        [at, rowsMax],
      ),
  }
}
