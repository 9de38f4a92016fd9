import { lowerAscii } from "../../../domain/catalogue/purchase-code.ts"
import type { OperatorToken, OperatorTokenStore } from "../../../domain/sign-in/operator.ts"
import type { SqlDatabase } from "../database.ts"

type Row = Pick<OperatorToken, "name" | "digest" | "createdAt"> &
  Readonly<{ rights: string; oldDigest: Uint8Array | null; oldExpiresAt: string | null }>

const columns = `name, rights, digest, created_at AS "createdAt", old_digest AS "oldDigest",
  old_expires_at AS "oldExpiresAt"`

export function createOperatorTokens(db: SqlDatabase): OperatorTokenStore {
  return {
    async list() {
      const rows = await db.read<Row>(`SELECT ${columns} FROM operator_tokens ORDER BY lower(name)`)
      return rows.map(toToken)
    },
    async insert({ name, rights, digest, createdAt }) {
      const rows = await db.writeAll([
        `INSERT INTO operator_tokens (name, rights, digest, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING RETURNING 1`,
        [name, rights.join(), digest, createdAt],
      ])
      return rows.length > 0
    },
    async replace(name, digest, createdAt, oldExpiresAt) {
      const [row] = await db.writeAll<Row>([
        `UPDATE operator_tokens SET old_digest = digest, old_expires_at = $4, digest = $2, created_at = $3
         WHERE lower(name) = $1 RETURNING ${columns}`,
        [lowerAscii(name), digest, createdAt, oldExpiresAt],
      ])
      return row === undefined ? null : toToken(row)
    },
    async remove(name) {
      const [row] = await db.writeAll<{ name: string }>([
        "DELETE FROM operator_tokens WHERE lower(name) = $1 RETURNING name",
        [lowerAscii(name)],
      ])
      return row?.name ?? null
    },
  }
}

function toToken({ name, rights, digest, createdAt, oldDigest, oldExpiresAt }: Row): OperatorToken {
  const hasOld = oldDigest !== null && oldExpiresAt !== null
  return {
    name,
    digest,
    createdAt,
    // Written by `insert`.
    rights: rights.split(",") as OperatorToken["rights"][number][],
    old: hasOld ? { digest: oldDigest, expiresAt: oldExpiresAt } : null,
  }
}
