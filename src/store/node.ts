/** Running servers. Each one writes a heartbeat, so that operators see which versions run where. */

import { hostname } from "node:os"
import type { SqlDatabase } from "../platform/database/sql.ts"
import type { Timestamp } from "../platform/time.ts"

export type Node = Readonly<{
  id: string
  host: string
  url: string
  version: string
  threads: number
  startedAt: Timestamp
  lastSeenAt: Timestamp
}>

export interface NodeStore {
  put(node: Node): Promise<void>
  remove(id: string): Promise<void>
  /** Nodes seen at `since` or later, oldest first. */
  list(since: Timestamp): Promise<readonly Node[]>
  deleteExpired(before: Timestamp): Promise<void>
}

export const heartbeatSeconds = 60
/** A node that missed two heartbeats is gone. */
export const nodeGoneSeconds = 150

/** Returns the URL of the node on this machine that was last seen, or null. */
export function findLocalServerUrl(nodes: readonly Node[]): string | null {
  const own = nodes.filter(({ host }) => host === hostname())
  const [last] = own.toSorted((one, other) => (one.lastSeenAt < other.lastSeenAt ? 1 : -1))
  return last === undefined ? null : toLoopbackUrl(last.url)
}

/** Replaces the wildcard address, to which no request can be sent. */
export const toLoopbackUrl = (url: string) =>
  url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

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
