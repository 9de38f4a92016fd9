import type { SiteStore } from "../../domain/catalogue/sites.ts"
import type { CountStore } from "../../domain/usage/usage.ts"
import { createCounts } from "../sql/usage/counts.ts"
import type { Database } from "./connection/database.ts"

export const sqliteCounts = (db: Database, sites: Pick<SiteStore, "note">): CountStore =>
  createCounts(db, sites, {
    async addRows(tx, { name, columns, onConflict }, rows) {
      const places = columns.map((_, index) => `$${index + 1}`)
      const add = `INSERT INTO ${name} AS kept (${columns}) VALUES (${places}) ${onConflict}`
      for (const row of rows) await tx.query(add, row)
    },
    hoursToDays: [addHoursToDays, deleteHours],
  })

const oldHours = `FROM usage
  WHERE key_id IN (SELECT value FROM json_each($1)) AND length(period) > 10 AND period < $2
  ORDER BY key_id, period, operation, outcome LIMIT $3`
const addHoursToDays = `INSERT INTO usage (key_id, period, operation, outcome, calls)
  SELECT key_id, substr(period, 1, 10), operation, outcome, sum(calls) FROM (SELECT * ${oldHours})
  GROUP BY 1, 2, 3, 4 ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
const deleteHours = `DELETE FROM usage WHERE (key_id, period, operation, outcome) IN (
    SELECT key_id, period, operation, outcome ${oldHours})
  RETURNING 1`
