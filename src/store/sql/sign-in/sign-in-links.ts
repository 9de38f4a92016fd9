import type { SignInLinkStore } from "../../../domain/sign-in/invitation.ts"
import { forgetRows, type SqlDatabase } from "../database.ts"

type FoundLink = Readonly<{ accountId: number }>

const table = "sign_in_links"
const isOpen = "token_digest = $1 AND expires_at > $2"

export function createSignInLinks(db: SqlDatabase): SignInLinkStore {
  return {
    insert: (tokenDigest, accountId, expiresAt) =>
      db.write(`INSERT INTO ${table} VALUES ($1, $2, $3)`, [tokenDigest, accountId, expiresAt]),
    async find(tokenDigest, at) {
      const [row] = await db.read<FoundLink>(
        `SELECT account_id AS "accountId" FROM ${table} WHERE ${isOpen}`,
        [tokenDigest, at],
      )
      return row?.accountId ?? null
    },
    async use(tokenDigest, at) {
      const [row] = await db.writeAll<FoundLink>([
        `DELETE FROM ${table} WHERE ${isOpen} RETURNING account_id AS "accountId"`,
        [tokenDigest, at],
      ])
      return row?.accountId ?? null
    },
    forget: (at, rowsMax) =>
      forgetRows(db, { table, id: "token_digest", condition: "expires_at <= $1" }, [at], rowsMax),
  }
}
