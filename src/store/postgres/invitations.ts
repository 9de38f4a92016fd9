import type { InvitationStore } from "../../domain/invitation.ts"
import { type FoundInvitation, invitationQueries, selectInvitation } from "../invitations.ts"
import type { SignInTables } from "../sign-in-tables.ts"
import type { Database } from "./database.ts"
import { putPassword } from "./passwords.ts"
import { remove } from "./remove.ts"

export function postgresInvitations(db: Database, tables: SignInTables): InvitationStore {
  const { invitations: table, owners, ownerId: owner } = tables
  return {
    ...invitationQueries(db, tables),
    insertAll: (invitations) =>
      db.transact(async (client) => {
        await client.query(
          `INSERT INTO ${table}
           SELECT new.token_digest, o.id, new.expires_at
           FROM unnest($1::bytea[], $2::integer[], $3::text[]) AS new (token_digest, id, expires_at)
           JOIN ${owners} o ON o.id = new.id FOR KEY SHARE OF o`,
          [
            invitations.map(({ tokenDigest }) => tokenDigest),
            invitations.map(({ ownerId }) => ownerId),
            invitations.map(({ expiresAt }) => expiresAt),
          ],
        )
      }),
    accept: (tokenDigest, at, hash) =>
      db.transact(async (client) => {
        // A concurrent change of this password waits here, and then finds the invitation used.
        await client.query(
          `SELECT 1 FROM ${owners}
           WHERE id = (SELECT ${owner} FROM ${table} WHERE token_digest = $1)
           FOR NO KEY UPDATE`,
          [tokenDigest],
        )
        const [row] = await client.query<FoundInvitation>(selectInvitation(tables), [
          tokenDigest,
          at,
        ])
        if (row === undefined) return null
        await putPassword(client, tables, row.ownerId, hash)
        return row.ownerId
      }),
    forget: (at, rowsMax) =>
      remove(
        db,
        `DELETE FROM ${table} WHERE token_digest IN (
           SELECT token_digest FROM ${table} WHERE expires_at <= $1
           LIMIT $2 FOR UPDATE SKIP LOCKED
         )`,
        [at, rowsMax],
      ),
  }
}
