import type { TrafficStore, TrafficUnit } from "../../domain/traffic.ts"
import { oldestPeriod, periodOf, trafficQueries } from "../traffic.ts"
import type { Database } from "./database.ts"
import { remove } from "./remove.ts"

/** Sorted, so that two nodes that add the same rows cannot deadlock. */
const addCounts = `INSERT INTO traffic (unit, period, kind, operation, detail, total)
  SELECT u.unit, u.period, c.kind, c.operation, c.detail, sum(c.total)
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
      AS c (kind, operation, detail, total),
    (VALUES ('hour', $5), ('day', $6)) AS u (unit, period)
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (unit, period, kind, operation, detail)
  DO UPDATE SET total = traffic.total + excluded.total`

const forgetOld = `DELETE FROM traffic WHERE (unit, period, kind, operation, detail) IN (
    SELECT unit, period, kind, operation, detail FROM traffic
    WHERE unit = $1 AND period < $2 LIMIT $3 FOR UPDATE SKIP LOCKED)`

export function postgresTraffic(db: Database): TrafficStore {
  const forget = (unit: TrafficUnit, at: string, rowsMax: number) =>
    remove(db, forgetOld, [unit, oldestPeriod(at, unit), rowsMax])
  return {
    add: (at, counts) =>
      db.write(addCounts, [
        counts.map(({ kind }) => kind),
        counts.map(({ operation }) => operation),
        counts.map(({ detail }) => detail),
        counts.map(({ count }) => count),
        periodOf(at, "hour"),
        periodOf(at, "day"),
      ]),
    ...trafficQueries(db),
    forget: async (at, rowsMax) =>
      (await forget("hour", at, rowsMax)) + (await forget("day", at, rowsMax)),
  }
}
