import type { Database, Value } from "./database.ts"

/** Runs a DELETE and returns how many rows it removed. Safe to repeat after a lost connection. */
export async function remove(
  db: Database,
  deletion: string,
  values: readonly Value[],
): Promise<number> {
  const [row] = await db.read<{ rows: number }>(
    `WITH gone AS (${deletion} RETURNING 1) SELECT count(*) AS rows FROM gone`,
    values,
  )
  return row?.rows ?? 0
}
