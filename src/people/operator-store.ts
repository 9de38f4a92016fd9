import type { Query, SqlDatabase } from "../platform/database/sql.ts"
import { type Sql, sql } from "../platform/database/statement.ts"
import { lowerAscii } from "../purchases/purchase-code.ts"
import type {
  ListedOperator,
  Operator,
  OperatorStore,
  OperatorToken,
  OperatorTokenStore,
} from "./operator.ts"
import { deletePeopleWithoutRole, listedColumns, personColumns } from "./person-store.ts"

const columns = sql`${personColumns}, o.role`
const operatorsAsPeople = sql`operators o JOIN people p ON p.id = o.person_id`

export const insertOperator = (personId: number, role: string): Sql =>
  sql`INSERT INTO operators (person_id, role) VALUES (${personId}, ${role}) ON CONFLICT DO NOTHING`

export function createOperatorStore(db: SqlDatabase): OperatorStore {
  const findWhere = (condition: Sql) =>
    db.find<Operator>`SELECT ${columns} FROM ${operatorsAsPeople} WHERE ${condition}`
  /** Locks the admins, in one order, so that of two concurrent changes the second sees the first. */
  const unlessLastAdmin = (leavingId: number | null, change: (query: Query) => Promise<unknown>) =>
    db.transaction(async ({ query, lock }) => {
      const admins = await query<{ personId: number }>`
        SELECT person_id FROM operators WHERE role = 'admin' ORDER BY person_id ${lock("FOR UPDATE")}`
      if (admins.length === 1 && admins[0]?.personId === leavingId) return false
      await change(query)
      return true
    })
  return {
    hasAny: () => db.hasRow`SELECT 1 FROM operators LIMIT 1`,
    find: (id) => findWhere(sql`p.id = ${id}`),
    findByName: (name) => findWhere(sql`lower(p.name) = ${lowerAscii(name)}`),
    list: () =>
      db.read<ListedOperator>`
        SELECT ${columns}, ${listedColumns}, o.has_alerts
        FROM ${operatorsAsPeople} ORDER BY lower(p.name)`,
    insert: (personId, role) => db.write(insertOperator(personId, role)),
    putAlerts: (id, hasAlerts) =>
      db.write`UPDATE operators SET has_alerts = ${hasAlerts} WHERE person_id = ${id}`,
    putRole: (id, role) =>
      unlessLastAdmin(
        role === "admin" ? null : id,
        (query) => query`UPDATE operators SET role = ${role} WHERE person_id = ${id}`,
      ),
    remove: (id) =>
      unlessLastAdmin(id, async (query) => {
        await query`DELETE FROM operators WHERE person_id = ${id}`
        await query(deletePeopleWithoutRole(sql`id = ${id}`))
      }),
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
