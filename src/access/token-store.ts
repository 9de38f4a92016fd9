import { type SqlDatabase, sql } from "../platform/database/sql.ts"
import { lowerAscii } from "../platform/text.ts"
import type { OperatorToken, OperatorTokenStore } from "./token.ts"

type TokenRow = Pick<OperatorToken, "name" | "digest" | "createdAt"> &
  Readonly<{ rights: string; oldDigest: Uint8Array | null; oldExpiresAt: string | null }>

const tokenColumns = sql`name, rights, digest, created_at, old_digest, old_expires_at`

export const createOperatorTokenStore = (db: SqlDatabase): OperatorTokenStore => ({
  async list() {
    const rows = await db.read<TokenRow>`
      SELECT ${tokenColumns} FROM operator_tokens ORDER BY lower(name)`
    return rows.map(toToken)
  },
  insert: ({ name, rights, digest, createdAt }) =>
    db.hasWritten`
      INSERT INTO operator_tokens (name, rights, digest, created_at)
      VALUES (${name}, ${rights.join()}, ${digest}, ${createdAt})
      ON CONFLICT DO NOTHING RETURNING 1`,
  async rotate(name, digest, createdAt, oldExpiresAt) {
    const row = await db.writeOne<TokenRow>`
      UPDATE operator_tokens
      SET old_digest = digest, old_expires_at = ${oldExpiresAt}, digest = ${digest}, created_at = ${createdAt}
      WHERE lower(name) = ${lowerAscii(name)} RETURNING ${tokenColumns}`
    return row && toToken(row)
  },
  remove: (name) =>
    db.writeValue`DELETE FROM operator_tokens WHERE lower(name) = ${lowerAscii(name)} RETURNING name`,
})

function toToken({ rights, oldDigest, oldExpiresAt, ...token }: TokenRow): OperatorToken {
  const hasOld = oldDigest !== null && oldExpiresAt !== null
  return {
    ...token,
    // `as`: written by `insert`.
    rights: rights.split(",") as OperatorToken["rights"][number][],
    old: hasOld ? { digest: oldDigest, expiresAt: oldExpiresAt } : null,
  }
}
