import type { SignInLinkStore } from "../domain/sign-in-link.ts"
import type { SqlDatabase } from "./database.ts"

export type FoundLink = Readonly<{ accountId: number }>

export const useLink = `DELETE FROM sign_in_links WHERE token_digest = $1 AND expires_at > $2
  RETURNING account_id AS "accountId"`

/** The methods whose SQL is the same for both databases. */
export function signInLinkQueries(db: SqlDatabase): Pick<SignInLinkStore, "insert" | "find"> {
  return {
    insert: (tokenDigest, accountId, expiresAt) =>
      db.write("INSERT INTO sign_in_links VALUES ($1, $2, $3)", [
        tokenDigest,
        accountId,
        expiresAt,
      ]),
    async find(tokenDigest, at) {
      const [row] = await db.read<FoundLink>(
        `SELECT account_id AS "accountId" FROM sign_in_links
         WHERE token_digest = $1 AND expires_at > $2`,
        [tokenDigest, at],
      )
      return row?.accountId ?? null
    },
  }
}
