import type { Value } from "../database.ts"
import type { Database } from "./database.ts"

/** Runs a DELETE of rows that may come back after a power cut, and returns how many it removed. */
export const remove = (db: Database, deletion: string, values: readonly Value[]) =>
  db.transactUnsynced(({ query }) => query(`${deletion} RETURNING 1`, values).length)
