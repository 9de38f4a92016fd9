import type { CountStore } from "../../../domain/usage/usage.ts"
import { type CountTable, createCounts } from "../../sql/usage/counts.ts"
import type { Database } from "../connection/database.ts"
import { rowidsOf } from "../migrations/purchase-rowids.ts"

export const sqliteCounts = (db: Database): CountStore =>
  createCounts(db, {
    addRows: (additions, codes, day) =>
      db.transactUnsynced(({ query }) => {
        for (const { table, rows } of additions) {
          const add = db.prepare(addTo(table))
          for (const row of rows) add.run(...row)
        }
        for (const code of codes) {
          const { first, last } = rowidsOf(code)
          query(noteCode, [first, last, code, day])
        }
      }),
    run: (...statements) =>
      db.transactUnsynced(
        ({ query }) => statements.map(([sql, values]) => query(sql, values)).at(-1) ?? [],
      ),
    hoursToDays: [addHoursToDays, deleteHours],
    skipLocked: "",
  })

function addTo({ name, key, merged }: CountTable): string {
  const columns = [...key, ...Object.keys(merged)]
  const changes = Object.entries(merged).map(([column, merge]) =>
    merge === "sum"
      ? `${column} = ${column} + excluded.${column}`
      : `${column} = max(${column}, excluded.${column})`,
  )
  return `INSERT INTO ${name} (${columns.join(", ")})
    VALUES (${columns.map((_, index) => `$${index + 1}`).join(", ")})
    ON CONFLICT DO UPDATE SET ${changes.join(", ")}`
}

const noteCode = `INSERT INTO asked_codes (place, day)
  SELECT place, $4 FROM purchases WHERE place BETWEEN $1 AND $2 AND code = $3
  ON CONFLICT DO UPDATE SET day = excluded.day WHERE day < excluded.day`

const oldHours = `FROM usage
  WHERE key_id IN (SELECT value FROM json_each($1)) AND length(period) > 10 AND period < $2
  ORDER BY key_id, period, operation, outcome LIMIT $3`
const addHoursToDays = `INSERT INTO usage (key_id, period, operation, outcome, calls)
  SELECT key_id, substr(period, 1, 10), operation, outcome, sum(calls) FROM (SELECT * ${oldHours})
  GROUP BY 1, 2, 3, 4 ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
const deleteHours = `DELETE FROM usage WHERE (key_id, period, operation, outcome) IN (
    SELECT key_id, period, operation, outcome ${oldHours})
  RETURNING 1`
