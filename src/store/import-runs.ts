import type { ImportRun } from "../domain/feed.ts"
import type { SqlDatabase } from "./database.ts"

/** Every push records a run; older ones are deleted. */
export const runsKept = 1_000

export async function findLastRun(db: SqlDatabase, source: string): Promise<ImportRun | null> {
  const [run] = await db.read<ImportRun>(
    `SELECT source, line, started_at AS "startedAt", finished_at AS "finishedAt"
     FROM imports WHERE source = $1 ORDER BY id DESC LIMIT 1`,
    [source],
  )
  return run ?? null
}
