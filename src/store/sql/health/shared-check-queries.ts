import type { StoreChecks } from "../../../domain/store.ts"
import type { SqlDatabase } from "../sql-database.ts"

export const createSharedChecks = (db: SqlDatabase) =>
  ({
    async findNewestTimestamp() {
      const [row] = await db.readLong<{ newest: string | null }>(
        `SELECT max(at) AS newest FROM (
           SELECT max(started_at) AS at FROM imports UNION ALL
           SELECT max(finished_at) FROM imports UNION ALL
           SELECT max(at) FROM audit_events UNION ALL
           SELECT max(last_seen_at) FROM sessions) AS times`,
      )
      return row?.newest ?? null
    },
    async sampleCodes(count) {
      const rows = await db.readLong<{ code: string }>(
        "SELECT code FROM purchases ORDER BY random() LIMIT $1",
        [count],
      )
      return rows.map(({ code }) => code)
    },
  }) satisfies Partial<StoreChecks>
