import type { InvitationStore } from "../../domain/invitation.ts"
import { type FoundInvitation, invitationQueries, selectInvitation } from "../invitations.ts"
import type { Database } from "./database.ts"
import { putPassword } from "./passwords.ts"
import { remove } from "./remove.ts"

export function postgresInvitations(db: Database): InvitationStore {
  return {
    ...invitationQueries(db),
    insertAll: (invitations) =>
      db.transact(async (client) => {
        await client.query(
          `INSERT INTO invitations
           SELECT new.token_digest, a.id, new.expires_at
           FROM unnest($1::bytea[], $2::integer[], $3::text[]) AS new (token_digest, id, expires_at)
           JOIN accounts a ON a.id = new.id FOR KEY SHARE OF a`,
          [
            invitations.map(({ tokenDigest }) => tokenDigest),
            invitations.map(({ accountId }) => accountId),
            invitations.map(({ expiresAt }) => expiresAt),
          ],
        )
      }),
    accept: (tokenDigest, at, hash) =>
      db.transact(async (client) => {
        // A concurrent change of this password waits here, and then finds the invitation used.
        await client.query(
          `SELECT 1 FROM accounts
           WHERE id = (SELECT account_id FROM invitations WHERE token_digest = $1)
           FOR NO KEY UPDATE`,
          [tokenDigest],
        )
        const [row] = await client.query<FoundInvitation>(selectInvitation, [tokenDigest, at])
        if (row === undefined) return null
        await putPassword(client, row.accountId, hash)
        return row.accountId
      }),
    forget: (at, rowsMax) =>
      remove(
        db,
        `DELETE FROM invitations WHERE token_digest IN (
           SELECT token_digest FROM invitations WHERE expires_at <= $1
           LIMIT $2 FOR UPDATE SKIP LOCKED
         )`,
        [at, rowsMax],
      ),
  }
}
