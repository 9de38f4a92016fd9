import { lowerAscii } from "../../../domain/catalog/purchase-code.ts"
import type {
  ListedOperator,
  Operator,
  OperatorStore,
  OperatorToken,
  OperatorTokenStore,
} from "../../../domain/sign-in/operator.ts"
import type { Query, SqlDatabase } from "../sql-database.ts"

const columns = `id, name, created_at, email, role`

export function createOperatorStore(db: SqlDatabase): OperatorStore {
  const findWhere = (condition: string, value: string | number) =>
    db.find<Operator>(`SELECT ${columns} FROM operators WHERE ${condition}`, [value])
  /** Locks the admins, in one order, so that of two concurrent changes the second sees the first. */
  const unlessLastAdmin = (leavingId: number | null, change: (query: Query) => Promise<unknown>) =>
    db.transaction(async ({ query, lock }) => {
      const admins = await query<{ id: number }>(
        `SELECT id FROM operators WHERE role = 'admin' ORDER BY id ${lock("FOR UPDATE")}`,
      )
      if (admins.length === 1 && admins[0]?.id === leavingId) return false
      await change(query)
      return true
    })
  return {
    hasAny: () => db.hasRow("SELECT 1 FROM operators LIMIT 1"),
    find: (id) => findWhere("id = $1", id),
    findByName: (name) => findWhere("lower(name) = $1", lowerAscii(name)),
    list: () =>
      db.read<ListedOperator>(
        `SELECT ${columns},
           EXISTS (SELECT 1 FROM operator_passwords p WHERE p.operator_id = o.id) AS has_password,
           EXISTS (SELECT 1 FROM operator_second_factors f WHERE f.operator_id = o.id)
             AS has_two_factor,
           (SELECT max(last_seen_at) FROM operator_sessions s WHERE s.operator_id = o.id)
             AS last_seen_at,
           has_alerts
         FROM operators o ORDER BY lower(name)`,
      ),
    insert: ({ name, createdAt, email, role }) =>
      db.writeValue(
        `INSERT INTO operators (name, created_at, email, role) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING RETURNING id AS value`,
        [name, createdAt, email, role],
      ),
    putEmail: (id, email) =>
      db.writeAll(
        [
          `DELETE FROM operator_invitations WHERE operator_id IN
             (SELECT id FROM operators WHERE id = $1 AND email IS DISTINCT FROM $2 AND email IS NOT NULL)`,
          [id, email],
        ],
        ["UPDATE operators SET email = $2 WHERE id = $1", [id, email]],
      ),
    putAlerts: (id, hasAlerts) =>
      db.write("UPDATE operators SET has_alerts = $2 WHERE id = $1", [id, hasAlerts]),
    putRole: (id, role) =>
      unlessLastAdmin(role === "admin" ? null : id, (query) =>
        query("UPDATE operators SET role = $2 WHERE id = $1", [id, role]),
      ),
    remove: (id) =>
      unlessLastAdmin(id, (query) => query("DELETE FROM operators WHERE id = $1", [id])),
  }
}

type TokenRow = Pick<OperatorToken, "name" | "digest" | "createdAt"> &
  Readonly<{ rights: string; oldDigest: Uint8Array | null; oldExpiresAt: string | null }>

const tokenColumns = `name, rights, digest, created_at, old_digest,
  old_expires_at`

export const createOperatorTokenStore = (db: SqlDatabase): OperatorTokenStore => ({
  async list() {
    const select = `SELECT ${tokenColumns} FROM operator_tokens ORDER BY lower(name)`
    return (await db.read<TokenRow>(select)).map(toToken)
  },
  insert: ({ name, rights, digest, createdAt }) =>
    db.hasWritten(
      `INSERT INTO operator_tokens (name, rights, digest, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [name, rights.join(), digest, createdAt],
    ),
  async rotate(name, digest, createdAt, oldExpiresAt) {
    const row = await db.writeOne<TokenRow>(
      `UPDATE operator_tokens SET old_digest = digest, old_expires_at = $4, digest = $2, created_at = $3
       WHERE lower(name) = $1 RETURNING ${tokenColumns}`,
      [lowerAscii(name), digest, createdAt, oldExpiresAt],
    )
    return row && toToken(row)
  },
  remove: (name) =>
    db.writeValue("DELETE FROM operator_tokens WHERE lower(name) = $1 RETURNING name AS value", [
      lowerAscii(name),
    ]),
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
