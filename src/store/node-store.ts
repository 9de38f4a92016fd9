import type { SqlDatabase } from "../platform/database/sql.ts"
import type { Timestamp } from "../platform/time.ts"
import type { NodeStore } from "./node.ts"

export const createNodeStore = (db: SqlDatabase): NodeStore => ({
  put: ({ id, host, url, version, threads, startedAt, lastSeenAt }) =>
    db.write`
      INSERT INTO nodes (id, host, url, version, threads, started_at, last_seen_at)
      VALUES (${id}, ${host}, ${url}, ${version}, ${threads}, ${startedAt}, ${lastSeenAt})
      ON CONFLICT (id) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
  remove: (id) => db.write`DELETE FROM nodes WHERE id = ${id}`,
  list: (since) =>
    db.read`SELECT * FROM nodes WHERE last_seen_at >= ${since} ORDER BY started_at, id`,
  deleteExpired: (before) => db.write`DELETE FROM nodes WHERE last_seen_at < ${before}`,
})

/** Not the maximum of all rows: after a clock was corrected, those from the future stay. */
export async function findNewestTimestamp(db: SqlDatabase): Promise<Timestamp | null> {
  const times = await Promise.all([
    db.findValue<Timestamp>`
      SELECT coalesce(finished_at, started_at) FROM imports ORDER BY id DESC LIMIT 1`,
    db.findValue<Timestamp>`SELECT at FROM audit_events ORDER BY id DESC LIMIT 1`,
  ])
  const known = times.filter((at) => at !== null).toSorted()
  return known.at(-1) ?? null
}
