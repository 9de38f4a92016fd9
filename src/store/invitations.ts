import type { InvitationStore } from "../domain/invitation.ts"
import type { SqlDatabase } from "./database.ts"

export const selectInvitation = `SELECT account_id AS "accountId" FROM invitations
  WHERE token_digest = $1 AND expires_at > $2`

export type FoundInvitation = Readonly<{ accountId: number }>

/** The methods whose SQL is the same for both databases. */
export function invitationQueries(db: SqlDatabase): Pick<InvitationStore, "insert" | "find"> {
  return {
    insert: (tokenDigest, accountId, expiresAt) =>
      db.write("INSERT INTO invitations VALUES ($1, $2, $3)", [tokenDigest, accountId, expiresAt]),
    async find(tokenDigest, at) {
      const [row] = await db.read<FoundInvitation>(selectInvitation, [tokenDigest, at])
      return row?.accountId ?? null
    },
  }
}
