import type { PeriodRequests, TrafficCount, TrafficStore } from "../domain/traffic.ts"
import type { SqlDatabase } from "./database.ts"

/** From the hour `$1` on, or its day `$2` where hours have become days. */
const isSince = "period >= $2 AND (period >= $1 OR period = $2)"

/** The cast is for PostgreSQL, which sums to a type that its driver gives as text. */
export function trafficQueries(db: SqlDatabase): Pick<TrafficStore, "listTotals" | "listRequests"> {
  return {
    listTotals: (since) =>
      db.read<TrafficCount>(
        `SELECT kind, operation, detail, CAST(sum(total) AS bigint) AS count
         FROM traffic WHERE ${isSince} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
        [since.slice(0, 13), since.slice(0, 10)],
      ),
    listRequests: (since, by) =>
      db.read<PeriodRequests>(
        `SELECT substr(period, 1, ${by === "hour" ? 13 : 10}) AS period, operation,
           detail AS reason, CAST(sum(total) AS bigint) AS count
         FROM traffic WHERE ${isSince} AND kind = 'request' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
        [since.slice(0, 13), since.slice(0, 10)],
      ),
  }
}
