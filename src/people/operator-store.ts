import type { Query, SqlDatabase } from "../platform/database/sql.ts"
import { type Sql, sql } from "../platform/database/statement.ts"
import { lowerAscii } from "../platform/text.ts"
import type { ListedOperator, Operator, OperatorStore } from "./operator.ts"
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
