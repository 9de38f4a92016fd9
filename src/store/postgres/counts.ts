import type { SiteStore } from "../../domain/catalogue/sites.ts"
import type { CountStore } from "../../domain/usage/usage.ts"
import type { SqlDatabase } from "../sql/database.ts"
import { type CountTable, createCounts } from "../sql/usage/counts.ts"

export const postgresCounts = (db: SqlDatabase, sites: Pick<SiteStore, "note">): CountStore =>
  createCounts(db, sites, {
    async addRows(tx, table, rows) {
      const records = rows.map((row) =>
        Object.fromEntries(table.columns.map((column, at) => [column, row[at]])),
      )
      await tx.query(addTo(table), [JSON.stringify(records)])
    },
    hoursToDays: [hoursToDays(db.among("$1", "text"))],
  })

const gatherings = { sum: "sum", latest: "max", earliest: "min", either: "bool_or" } as const

/** Sorted by key, so that two nodes that add the same rows cannot deadlock. */
function addTo({ name, key, columns, merged, onConflict }: CountTable): string {
  const values = Object.entries(merged).map(([column, merge]) => `${gatherings[merge]}(${column})`)
  return `INSERT INTO ${name} AS kept (${columns})
    SELECT ${key}, ${values} FROM json_populate_recordset(NULL::${name}, $1::json)
    GROUP BY ${key} ORDER BY ${key} ${onConflict}`
}

const hoursToDays = (amongTexts: string) => `WITH old AS (
    SELECT key_id, period, operation, outcome FROM usage
    WHERE key_id ${amongTexts} AND length(period) > 10 AND period < $2 LIMIT $3
  ), hours AS (
    DELETE FROM usage USING old
    WHERE (usage.key_id, usage.period, usage.operation, usage.outcome)
      = (old.key_id, old.period, old.operation, old.outcome)
    RETURNING usage.key_id, usage.period, usage.operation, usage.outcome, usage.calls
  ), days AS (
    INSERT INTO usage (key_id, period, operation, outcome, calls)
    SELECT key_id, left(period, 10), operation, outcome, sum(calls) FROM hours GROUP BY 1, 2, 3, 4
    ON CONFLICT (key_id, period, operation, outcome)
    DO UPDATE SET calls = usage.calls + excluded.calls
  ) SELECT 1 FROM hours`
