import type { InvitationStore } from "../../domain/session.ts"
import type { Database } from "./database.ts"

export function postgresInvitations(db: Database): InvitationStore {
  return {
    insert: (tokenDigest, accountId, expiresAt) =>
      db.write("INSERT INTO invitations VALUES ($1, $2, $3)", [tokenDigest, accountId, expiresAt]),
    async find(tokenDigest, at) {
      const [row] = await db.read<{ accountId: number }>(
        `SELECT account_id AS "accountId" FROM invitations
         WHERE token_digest = $1 AND expires_at > $2`,
        [tokenDigest, at],
      )
      return row?.accountId ?? null
    },
  }
}
