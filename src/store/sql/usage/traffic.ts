import type {
  PeriodRequests,
  TrafficCount,
  TrafficStore,
  TrafficUnit,
} from "../../../domain/usage/usage.ts"
import type { SqlDatabase } from "../database.ts"

const lengthOf = { hour: "2026-06-22T23".length, day: "2026-06-22".length } as const

/** The name of the hour or the day of a moment. */
const periodOf = (at: string, unit: TrafficUnit) => at.slice(0, lengthOf[unit])

/** The cast is for PostgreSQL, which sums to a type that its driver gives as text. */
export function createTraffic(db: SqlDatabase): TrafficStore {
  return {
    listTotals: (since, by) =>
      db.read<TrafficCount>(
        `SELECT kind, operation, detail, CAST(sum(total) AS bigint) AS count
         FROM traffic WHERE unit = $1 AND period >= $2 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
        [by, periodOf(since, by)],
      ),
    listRequests: (since, by) =>
      db.read<PeriodRequests>(
        `SELECT period, operation, detail AS reason, total AS count FROM traffic
         WHERE unit = $1 AND period >= $2 AND kind = 'request' ORDER BY 1, 2, 3`,
        [by, periodOf(since, by)],
      ),
  }
}
