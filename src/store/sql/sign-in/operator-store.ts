import { lowerAscii } from "../../../domain/catalog/purchase-code.ts"
import type {
  ListedOperator,
  Operator,
  OperatorStore,
  OperatorToken,
  OperatorTokenStore,
} from "../../../domain/sign-in/operator.ts"
import type { Query, SqlDatabase } from "../sql-database.ts"
import { type Sql, sql } from "../statement.ts"

const columns = sql`id, name, created_at, email, role`

export function createOperatorStore(db: SqlDatabase): OperatorStore {
  const findWhere = (condition: Sql) =>
    db.find<Operator>`SELECT ${columns} FROM operators WHERE ${condition}`
  /** Locks the admins, in one order, so that of two concurrent changes the second sees the first. */
  const unlessLastAdmin = (leavingId: number | null, change: (query: Query) => Promise<unknown>) =>
    db.transaction(async ({ query, lock }) => {
      const admins = await query<{ id: number }>`
        SELECT id FROM operators WHERE role = 'admin' ORDER BY id ${lock("FOR UPDATE")}`
      if (admins.length === 1 && admins[0]?.id === leavingId) return false
      await change(query)
      return true
    })
  return {
    hasAny: () => db.hasRow`SELECT 1 FROM operators LIMIT 1`,
    find: (id) => findWhere(sql`id = ${id}`),
    findByName: (name) => findWhere(sql`lower(name) = ${lowerAscii(name)}`),
    list: () =>
      db.read<ListedOperator>`
        SELECT ${columns},
          EXISTS (SELECT 1 FROM operator_passwords p WHERE p.owner_id = o.id) AS has_password,
          EXISTS (SELECT 1 FROM operator_second_factors f WHERE f.owner_id = o.id)
            AS has_two_factor,
          (SELECT max(last_seen_at) FROM operator_sessions s WHERE s.owner_id = o.id)
            AS last_seen_at,
          has_alerts
        FROM operators o ORDER BY lower(name)`,
    insert: ({ name, createdAt, email, role }) =>
      db.writeValue`
        INSERT INTO operators (name, created_at, email, role)
        VALUES (${name}, ${createdAt}, ${email}, ${role}) ON CONFLICT DO NOTHING RETURNING id`,
    putEmail: (id, email) =>
      db.writeAll(
        sql`DELETE FROM operator_invitations WHERE owner_id IN (SELECT id FROM operators
          WHERE id = ${id} AND email IS DISTINCT FROM ${email} AND email IS NOT NULL)`,
        sql`UPDATE operators SET email = ${email} WHERE id = ${id}`,
      ),
    putAlerts: (id, hasAlerts) =>
      db.write`UPDATE operators SET has_alerts = ${hasAlerts} WHERE id = ${id}`,
    putRole: (id, role) =>
      unlessLastAdmin(
        role === "admin" ? null : id,
        (query) => query`UPDATE operators SET role = ${role} WHERE id = ${id}`,
      ),
    remove: (id) => unlessLastAdmin(id, (query) => query`DELETE FROM operators WHERE id = ${id}`),
  }
}

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
