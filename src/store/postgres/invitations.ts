import type { InvitationStore } from "../../domain/invitation.ts"
import type { Database } from "./database.ts"
import { putPassword } from "./passwords.ts"
import { remove } from "./remove.ts"

export function postgresInvitations(db: Database): InvitationStore {
  const find = `SELECT account_id AS "accountId" FROM invitations
    WHERE token_digest = $1 AND expires_at > $2`
  type Found = Readonly<{ accountId: number }>
  return {
    insert: (tokenDigest, accountId, expiresAt) =>
      db.write("INSERT INTO invitations VALUES ($1, $2, $3)", [tokenDigest, accountId, expiresAt]),
    async find(tokenDigest, at) {
      const [row] = await db.read<Found>(find, [tokenDigest, at])
      return row?.accountId ?? null
    },
    accept: (tokenDigest, at, hash) =>
      db.transact(async (client) => {
        // A concurrent change of this password waits here, and then finds the invitation used.
        await client.query(
          `SELECT 1 FROM accounts
           WHERE id = (SELECT account_id FROM invitations WHERE token_digest = $1)
           FOR NO KEY UPDATE`,
          [tokenDigest],
        )
        const [row] = await client.query<Found>(find, [tokenDigest, at])
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
