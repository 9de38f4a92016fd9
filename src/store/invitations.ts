import type { InvitationStore } from "../domain/invitation.ts"
import type { SqlDatabase } from "./database.ts"
import type { SignInTables } from "./sign-in-tables.ts"

export const selectInvitation = ({ invitations, ownerId }: SignInTables) =>
  `SELECT ${ownerId} AS "ownerId" FROM ${invitations} WHERE token_digest = $1 AND expires_at > $2`

export type FoundInvitation = Readonly<{ ownerId: number }>

/** The methods whose SQL is the same for both databases. */
export function invitationQueries(
  db: SqlDatabase,
  tables: SignInTables,
): Pick<InvitationStore, "insert" | "find"> {
  return {
    insert: (tokenDigest, ownerId, expiresAt) =>
      db.write(`INSERT INTO ${tables.invitations} VALUES ($1, $2, $3)`, [
        tokenDigest,
        ownerId,
        expiresAt,
      ]),
    async find(tokenDigest, at) {
      const [row] = await db.read<FoundInvitation>(selectInvitation(tables), [tokenDigest, at])
      return row?.ownerId ?? null
    },
  }
}
