import type { Node, NodeStore } from "../domain/node.ts"
import type { SqlDatabase, Value } from "./database.ts"

export const listNodes =
  (db: SqlDatabase): NodeStore["list"] =>
  (since) =>
    db.read<Node>(
      `SELECT id, host, url, version, threads, started_at AS "startedAt",
         last_seen_at AS "lastSeenAt"
       FROM nodes WHERE last_seen_at >= $1 ORDER BY started_at, id`,
      [since],
    )

/** Takes the values of `valuesOfNode`. */
export const putNode = `INSERT INTO nodes (id, host, url, version, threads, started_at, last_seen_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (id) DO UPDATE SET last_seen_at = excluded.last_seen_at`

export const valuesOfNode = (node: Node): readonly Value[] => {
  const { id, host, url, version, threads, startedAt, lastSeenAt } = node
  return [id, host, url, version, threads, startedAt, lastSeenAt]
}

export const removeNode = "DELETE FROM nodes WHERE id = $1"

export const forgetNodes = "DELETE FROM nodes WHERE last_seen_at < $1"
