import type { Database } from "bun:sqlite"
import type { InvitationStore } from "../../domain/invitation.ts"
import { read, write, writeUnsynced } from "./database.ts"
import { preparePasswordPut } from "./passwords.ts"

export function sqliteInvitations(db: Database): InvitationStore {
  const insert = db.query("INSERT INTO invitations VALUES (?, ?, ?)")
  const find = db.query<{ accountId: number }, [Uint8Array, string]>(
    `SELECT account_id AS "accountId" FROM invitations WHERE token_digest = ? AND expires_at > ?`,
  )
  const forget = db.query(
    `DELETE FROM invitations WHERE token_digest IN
       (SELECT token_digest FROM invitations WHERE expires_at <= ? LIMIT ?)`,
  )
  const putPassword = preparePasswordPut(db)
  return {
    async insert(tokenDigest, accountId, expiresAt) {
      await write(db, () => insert.run(tokenDigest, accountId, expiresAt))
    },
    find: (tokenDigest, at) => read(() => find.get(tokenDigest, at)?.accountId ?? null),
    accept: (tokenDigest, at, hash) =>
      write(db, () => {
        const accountId = find.get(tokenDigest, at)?.accountId ?? null
        if (accountId !== null) putPassword(accountId, hash)
        return accountId
      }),
    forget: (at, rowsMax) => writeUnsynced(db, () => forget.run(at, rowsMax).changes),
  }
}
