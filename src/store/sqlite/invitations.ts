import type { InvitationStore } from "../../domain/invitation.ts"
import { type FoundInvitation, invitationQueries, selectInvitation } from "../invitations.ts"
import type { Database } from "./database.ts"
import { putPassword } from "./passwords.ts"
import { remove } from "./remove.ts"

export function sqliteInvitations(db: Database): InvitationStore {
  return {
    ...invitationQueries(db),
    insertAll: (invitations) =>
      db.transact(({ query }) => {
        for (const { tokenDigest, accountId, expiresAt } of invitations) {
          query(`INSERT INTO invitations SELECT $1, id, $3 FROM accounts WHERE id = $2`, [
            tokenDigest,
            accountId,
            expiresAt,
          ])
        }
      }),
    accept: (tokenDigest, at, hash) =>
      db.transact((client) => {
        const [row] = client.query<FoundInvitation>(selectInvitation, [tokenDigest, at])
        if (row === undefined) return null
        putPassword(client, row.accountId, hash)
        return row.accountId
      }),
    forget: (at, rowsMax) =>
      remove(
        db,
        `DELETE FROM invitations WHERE token_digest IN
           (SELECT token_digest FROM invitations WHERE expires_at <= $1 LIMIT $2)`,
        [at, rowsMax],
      ),
  }
}
