import type { NodeStore } from "../../domain/health/node.ts"
import type { StoreChecks } from "../../domain/store.ts"
import type { SqlDatabase } from "./sql-database.ts"

export const createNodeStore = (db: SqlDatabase): NodeStore => ({
  put: ({ id, host, url, version, threads, startedAt, lastSeenAt }) =>
    db.write(
      `INSERT INTO nodes (id, host, url, version, threads, started_at, last_seen_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (id) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
      [id, host, url, version, threads, startedAt, lastSeenAt],
    ),
  remove: (id) => db.write("DELETE FROM nodes WHERE id = $1", [id]),
  list: (since) =>
    db.read(
      `SELECT id, host, url, version, threads, started_at, last_seen_at
       FROM nodes WHERE last_seen_at >= $1 ORDER BY started_at, id`,
      [since],
    ),
  deleteExpired: (before) => db.write("DELETE FROM nodes WHERE last_seen_at < $1", [before]),
})

export const createSharedChecks = (db: SqlDatabase) =>
  ({
    async findNewestTimestamp() {
      const [row] = await db.readLong<{ newest: string | null }>(
        // Not the maximum of all rows: after a clock was corrected, those from the future stay.
        `SELECT max(at) AS newest FROM (
           SELECT coalesce(finished_at, started_at) AS at FROM imports
             WHERE id = (SELECT max(id) FROM imports) UNION ALL
           SELECT at FROM audit_events WHERE id = (SELECT max(id) FROM audit_events)) AS times`,
      )
      return row?.newest ?? null
    },
    async sampleCodes(count) {
      const select = "SELECT code FROM purchases ORDER BY random() LIMIT $1"
      return (await db.readLong<{ code: string }>(select, [count])).map(({ code }) => code)
    },
  }) satisfies Partial<StoreChecks>
