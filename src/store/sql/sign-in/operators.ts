import { lowerAscii } from "../../../domain/catalogue/purchase-code.ts"
import type { ListedOperator, Operator, OperatorStore } from "../../../domain/sign-in/operator.ts"
import type { SqlDatabase } from "../database.ts"

const columns = `id, name, created_at AS "createdAt"`

export function createOperators(db: SqlDatabase): OperatorStore {
  async function findWhere(condition: string, value: string | number): Promise<Operator | null> {
    const [row] = await db.read<Operator>(`SELECT ${columns} FROM operators WHERE ${condition}`, [
      value,
    ])
    return row ?? null
  }
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
      const [row] = await db.writeAll<{ id: number }>([
        `INSERT INTO operators (name, created_at) VALUES ($1, $2)
         ON CONFLICT DO NOTHING RETURNING id`,
        [name, createdAt],
      ])
      return row?.id ?? null
    },
    remove: (id) => db.write("DELETE FROM operators WHERE id = $1", [id]),
  }
}
