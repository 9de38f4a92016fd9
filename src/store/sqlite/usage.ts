import type { Database } from "bun:sqlite"
import { daysBefore, lastDays } from "../../domain/date-arithmetic.ts"
import type { Timestamp } from "../../domain/timestamp.ts"
import {
  type DayCalls,
  daysShown,
  type KeySeen,
  networkDays,
  summariseDays,
  summariseKeys,
  type UsageStore,
} from "../../domain/usage.ts"
import { read, writeUnsynced } from "./database.ts"

export function sqliteUsage(db: Database): UsageStore {
  // Skip keys that were deleted before their counts were written.
  const add = db.query(
    `INSERT INTO usage (key_id, period, operation, outcome, calls)
     SELECT $keyId, $period, $operation, $outcome, $calls WHERE EXISTS (SELECT 1 FROM api_keys WHERE id = $keyId)
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`,
  )
  const see = db.query(
    `INSERT INTO key_sightings (key_id, network, last_used_at)
     SELECT $keyId, $network, $lastUsedAt WHERE EXISTS (SELECT 1 FROM api_keys WHERE id = $keyId)
     ON CONFLICT DO UPDATE SET last_used_at = max(last_used_at, excluded.last_used_at)`,
  )
  const keysOf = "SELECT id FROM api_keys WHERE account_id = ?1"
  const callsByDay = db.query<DayCalls, [number, string]>(
    `SELECT key_id AS "keyId", kind, substr(period, 1, 10) AS day, outcome, sum(calls) AS calls
     FROM api_keys JOIN usage ON key_id = id WHERE account_id = ?1 AND period >= ?2
     GROUP BY 1, 2, 3, 4`,
  )
  const callsSince = db.query<{ keyId: string; calls: number }, [number, string]>(
    `SELECT key_id AS "keyId", sum(calls) AS calls
     FROM usage WHERE key_id IN (${keysOf}) AND period > ?2 GROUP BY 1`,
  )
  const sightings = db.query<KeySeen, [number, string]>(
    `SELECT key_id AS "keyId", max(last_used_at) AS "lastUsedAt", sum(last_used_at >= ?2) AS networks
     FROM key_sightings WHERE key_id IN (${keysOf}) GROUP BY 1`,
  )
  const listDayCalls = (accountId: number, at: string) =>
    callsByDay.all(accountId, lastDays(at, daysShown)[0] ?? at)
  const thin = prepareThinning(db)
  return {
    add: (counts, seen) =>
      writeUnsynced(db, () => {
        for (const { hour, ...count } of counts) add.run({ ...count, period: hour.slice(0, 13) })
        for (const sighting of seen) see.run({ ...sighting })
      }),
    listByKey: (accountId, at) =>
      read(() => {
        const lastDay = callsSince.all(accountId, daysBefore(at, 1).slice(0, 13))
        const calls = new Map(lastDay.map((row) => [row.keyId, row.calls]))
        const seen = sightings.all(accountId, daysBefore(at, networkDays))
        return summariseKeys(at, listDayCalls(accountId, at), calls, seen)
      }),
    listByDay: (accountId, at) => read(() => summariseDays(at, listDayCalls(accountId, at))),
    thin: (...batch) => writeUnsynced(db, () => thin(...batch)),
  }
}

/** Keys looked at in one batch: each has some hundreds of rows. */
const keysEachBatch = 50

type Hour = Readonly<{
  keyId: string
  period: string
  operation: string
  outcome: string
  calls: number
}>

/** The batch runs inside a transaction. One that came to `rowsMax` goes on with the same keys. */
function prepareThinning(db: Database) {
  const listKeys = db.query<{ id: string }, [string, number]>(
    "SELECT id FROM api_keys WHERE id > ? ORDER BY id LIMIT ?",
  )
  const ofKeys = "key_id IN (SELECT value FROM json_each(?1))"
  const takeHours = db.query<Hour, [string, string, number]>(
    `DELETE FROM usage WHERE (key_id, period, operation, outcome) IN (
       SELECT key_id, period, operation, outcome FROM usage
       WHERE ${ofKeys} AND length(period) > 10 AND period < ?2 LIMIT ?3)
     RETURNING key_id AS "keyId", period, operation, outcome, calls`,
  )
  const addToDay = db.query(
    `INSERT INTO usage (key_id, period, operation, outcome, calls)
     VALUES ($keyId, $period, $operation, $outcome, $calls)
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`,
  )
  const forgetDays = db.query(
    `DELETE FROM usage WHERE (key_id, period, operation, outcome) IN (
       SELECT key_id, period, operation, outcome FROM usage
       WHERE ${ofKeys} AND period < ?2 LIMIT ?3)`,
  )
  // The newest sighting of a key says when it was last used: that one stays.
  const forgetSightings = db.query(
    `DELETE FROM key_sightings WHERE (key_id, network) IN (
       SELECT key_id, network FROM key_sightings AS old
       WHERE ${ofKeys} AND last_used_at < ?2 AND last_used_at <
         (SELECT max(last_used_at) FROM key_sightings WHERE key_id = old.key_id) LIMIT ?3)`,
  )
  return (at: Timestamp, after: string, rowsMax: number): string | null => {
    const ids = listKeys.all(after, keysEachBatch).map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return null
    const keys = JSON.stringify(ids)
    const hours = takeHours.all(keys, daysBefore(at, 7).slice(0, 10), rowsMax)
    for (const hour of hours) addToDay.run({ ...hour, period: hour.period.slice(0, 10) })
    let rows = hours.length
    rows += forgetDays.run(keys, daysBefore(at, 400).slice(0, 10), rowsMax - rows).changes
    rows += forgetSightings.run(keys, daysBefore(at, 30), rowsMax - rows).changes
    return rows < rowsMax ? last : after
  }
}
