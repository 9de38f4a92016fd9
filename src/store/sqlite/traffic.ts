import type { TrafficStore, TrafficUnit } from "../../domain/traffic.ts"
import { oldestPeriod, periodOf, trafficQueries } from "../traffic.ts"
import type { Database } from "./database.ts"

const units: readonly TrafficUnit[] = ["hour", "day"]

export function sqliteTraffic(db: Database): TrafficStore {
  return {
    add: (at, counts) =>
      db.transactUnsynced(() => {
        const add = db.prepare(addCount)
        for (const { kind, operation, detail, count } of counts) {
          for (const unit of units) {
            add.run(unit, periodOf(at, unit), kind, operation, detail, count)
          }
        }
      }),
    ...trafficQueries(db),
    forget: (at, rowsMax) =>
      db.transactUnsynced(({ query }) =>
        units.reduce(
          (rows, unit) => rows + query(forgetOld, [unit, oldestPeriod(at, unit), rowsMax]).length,
          0,
        ),
      ),
  }
}

const addCount = `INSERT INTO traffic (unit, period, kind, operation, detail, total)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO UPDATE SET total = total + excluded.total`
const forgetOld = `DELETE FROM traffic WHERE (unit, period, kind, operation, detail) IN (
    SELECT unit, period, kind, operation, detail FROM traffic
    WHERE unit = $1 AND period < $2 LIMIT $3)
  RETURNING 1`
