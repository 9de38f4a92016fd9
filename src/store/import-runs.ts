import type { ImportRun } from "../domain/feed.ts"
import type { SqlDatabase, Value } from "./database.ts"

/** Every push records a run; older ones are deleted. */
const runsKept = 1_000

type Statement = readonly [sql: string, values: readonly Value[]]
type NewRun = Pick<ImportRun, "source" | "startedAt">

/** Records how far a run has come, and returns its id; null begins a run. */
export function recordLine(
  id: number | null,
  { source, startedAt }: NewRun,
  line: number,
): Statement {
  if (id !== null) return ["UPDATE imports SET line = $2 WHERE id = $1 RETURNING id", [id, line]]
  return [
    "INSERT INTO imports (source, line, started_at) VALUES ($1, $2, $3) RETURNING id",
    [source, line, startedAt],
  ]
}

export const finishRun = (id: number, finishedAt: string): Statement => [
  "UPDATE imports SET finished_at = $2 WHERE id = $1",
  [id, finishedAt],
]

export const forgetRunsBefore = (id: number): Statement => [
  "DELETE FROM imports WHERE id <= $1",
  [id - runsKept],
]

export async function findLastRun(db: SqlDatabase, source: string): Promise<ImportRun | null> {
  const [run] = await db.read<ImportRun>(
    `SELECT source, line, started_at AS "startedAt", finished_at AS "finishedAt"
     FROM imports WHERE source = $1 ORDER BY id DESC LIMIT 1`,
    [source],
  )
  return run ?? null
}
