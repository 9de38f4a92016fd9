import { lowerAscii } from "../../../domain/catalogue/purchase-code.ts"
import type {
  ListedOperator,
  Operator,
  OperatorStore,
  OperatorToken,
  OperatorTokenStore,
} from "../../../domain/sign-in/operator.ts"
import type { SqlDatabase } from "../database.ts"

const columns = `id, name, created_at AS "createdAt"`

export function createOperators(db: SqlDatabase): OperatorStore {
  const findWhere = (condition: string, value: string | number) =>
    db.find<Operator>(`SELECT ${columns} FROM operators WHERE ${condition}`, [value])
  return {
    async hasAny() {
      return (await db.read("SELECT 1 FROM operators LIMIT 1")).length > 0
    },
    find: (id) => findWhere("id = $1", id),
    findByName: (name) => findWhere("lower(name) = $1", lowerAscii(name)),
    list: () =>
      db.read<ListedOperator>(
        `SELECT ${columns},
           EXISTS (SELECT 1 FROM operator_passwords p WHERE p.operator_id = o.id) AS "hasPassword",
           EXISTS (SELECT 1 FROM operator_second_factors f WHERE f.operator_id = o.id)
             AS "hasSecondFactor",
           (SELECT max(last_seen_at) FROM operator_sessions s WHERE s.operator_id = o.id)
             AS "lastSeenAt"
         FROM operators o ORDER BY lower(name)`,
      ),
    async insert(name, createdAt) {
      const row = await db.writeOne<{ id: number }>(
        `INSERT INTO operators (name, created_at) VALUES ($1, $2)
         ON CONFLICT DO NOTHING RETURNING id`,
        [name, createdAt],
      )
      return row?.id ?? null
    },
    remove: (id) => db.write("DELETE FROM operators WHERE id = $1", [id]),
  }
}

type TokenRow = Pick<OperatorToken, "name" | "digest" | "createdAt"> &
  Readonly<{ rights: string; oldDigest: Uint8Array | null; oldExpiresAt: string | null }>

const tokenColumns = `name, rights, digest, created_at AS "createdAt", old_digest AS "oldDigest",
  old_expires_at AS "oldExpiresAt"`

export function createOperatorTokens(db: SqlDatabase): OperatorTokenStore {
  return {
    async list() {
      const rows = await db.read<TokenRow>(
        `SELECT ${tokenColumns} FROM operator_tokens ORDER BY lower(name)`,
      )
      return rows.map(toToken)
    },
    async insert({ name, rights, digest, createdAt }) {
      const inserted = await db.writeOne(
        `INSERT INTO operator_tokens (name, rights, digest, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING RETURNING 1`,
        [name, rights.join(), digest, createdAt],
      )
      return inserted !== null
    },
    async replace(name, digest, createdAt, oldExpiresAt) {
      const row = await db.writeOne<TokenRow>(
        `UPDATE operator_tokens SET old_digest = digest, old_expires_at = $4, digest = $2, created_at = $3
         WHERE lower(name) = $1 RETURNING ${tokenColumns}`,
        [lowerAscii(name), digest, createdAt, oldExpiresAt],
      )
      return row && toToken(row)
    },
    async remove(name) {
      const row = await db.writeOne<{ name: string }>(
        "DELETE FROM operator_tokens WHERE lower(name) = $1 RETURNING name",
        [lowerAscii(name)],
      )
      return row?.name ?? null
    },
  }
}

function toToken({
  name,
  rights,
  digest,
  createdAt,
  oldDigest,
  oldExpiresAt,
}: TokenRow): OperatorToken {
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
