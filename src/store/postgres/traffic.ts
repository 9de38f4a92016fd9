import type { TrafficStore } from "../../domain/traffic.ts"
import { trafficQueries } from "../traffic.ts"
import { oldestDay, oldestHour } from "../usage-retention.ts"
import type { Database } from "./database.ts"

/** Sorted, so that two nodes that add the same rows cannot deadlock. */
const addCounts = `INSERT INTO traffic (period, kind, operation, detail, total)
  SELECT $1, c.kind, c.operation, c.detail, sum(c.total)
  FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[])
    AS c (kind, operation, detail, total)
  GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
  ON CONFLICT (period, kind, operation, detail)
  DO UPDATE SET total = traffic.total + excluded.total`

/** Rows that another node is thinning are left to it. */
const select = "SELECT period, kind, operation, detail FROM traffic WHERE period < $1"
const skip = "ORDER BY 1, 2, 3, 4 LIMIT $2 FOR UPDATE SKIP LOCKED"

const hoursToDays = `WITH hours AS (
    DELETE FROM traffic WHERE (period, kind, operation, detail) IN (
      ${select} AND length(period) > 10 ${skip}
    ) RETURNING period, kind, operation, detail, total
  ), days AS (
    INSERT INTO traffic (period, kind, operation, detail, total)
    SELECT left(period, 10), kind, operation, detail, sum(total) FROM hours
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (period, kind, operation, detail)
    DO UPDATE SET total = traffic.total + excluded.total
  ) SELECT count(*) AS rows FROM hours`

const forgetDays = `WITH gone AS (
    DELETE FROM traffic WHERE (period, kind, operation, detail) IN (${select} ${skip}) RETURNING 1
  ) SELECT count(*) AS rows FROM gone`

export function postgresTraffic(db: Database): TrafficStore {
  return {
    add: (hour, counts) =>
      db.transact(async ({ query }) => {
        await query(addCounts, [
          hour.slice(0, 13),
          counts.map(({ kind }) => kind),
          counts.map(({ operation }) => operation),
          counts.map(({ detail }) => detail),
          counts.map(({ count }) => count),
        ])
      }),
    ...trafficQueries(db),
    thin: (at, rowsMax) =>
      db.transact(async ({ query }) => {
        const [hours] = await query<{ rows: number }>(hoursToDays, [oldestHour(at), rowsMax])
        const [days] = await query<{ rows: number }>(forgetDays, [oldestDay(at), rowsMax])
        return (hours?.rows ?? 0) + (days?.rows ?? 0)
      }),
  }
}
