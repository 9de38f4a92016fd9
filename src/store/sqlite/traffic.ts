import type { Timestamp } from "../../domain/timestamp.ts"
import type { TrafficCount, TrafficStore } from "../../domain/traffic.ts"
import { trafficQueries } from "../traffic.ts"
import { oldestDay, oldestHour } from "../usage-retention.ts"
import type { Client, Database } from "./database.ts"

export function sqliteTraffic(db: Database): TrafficStore {
  return {
    add: (hour, counts) =>
      db.transactUnsynced((client) => {
        for (const count of counts) addTo(client, hour.slice(0, 13), count)
      }),
    ...trafficQueries(db),
    thin: (at, rowsMax) => db.transactUnsynced((client) => thin(client, at, rowsMax)),
  }
}

function addTo(
  { query }: Client,
  period: string,
  { kind, operation, detail, count }: TrafficCount,
) {
  query(
    `INSERT INTO traffic VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO UPDATE SET total = total + excluded.total`,
    [period, kind, operation, detail, count],
  )
}

type Hour = TrafficCount & Readonly<{ period: string }>

function thin(client: Client, at: Timestamp, rowsMax: number): number {
  const hours = client.query<Hour>(
    `DELETE FROM traffic WHERE (period, kind, operation, detail) IN (
       SELECT period, kind, operation, detail FROM traffic
       WHERE period < $1 AND length(period) > 10 LIMIT $2)
     RETURNING period, kind, operation, detail, total AS count`,
    [oldestHour(at), rowsMax],
  )
  for (const hour of hours) addTo(client, hour.period.slice(0, 10), hour)
  const days = client.query(
    `DELETE FROM traffic WHERE (period, kind, operation, detail) IN (
       SELECT period, kind, operation, detail FROM traffic WHERE period < $1 LIMIT $2)
     RETURNING 1`,
    [oldestDay(at), rowsMax],
  )
  return hours.length + days.length
}
