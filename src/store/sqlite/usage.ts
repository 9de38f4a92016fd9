import type { Database } from "bun:sqlite"
import type { Reason } from "../../domain/error.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import {
  type KeyUsage,
  lastDays,
  outcomeGroup,
  type UsageDay,
  type UsageStore,
} from "../../domain/usage.ts"
import { read, write } from "./database.ts"

const daysShown = 30
const networkDays = 7

export function sqliteUsage(db: Database): UsageStore {
  // A key may be gone by the time its counts are written: then there is nobody to count for.
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
  const callsByDay = db.query<
    { keyId: string; day: string; outcome: Reason; calls: number },
    [number, string]
  >(
    `SELECT key_id AS "keyId", substr(period, 1, 10) AS day, outcome, sum(calls) AS calls
     FROM usage WHERE key_id IN (${keysOf}) AND period >= ?2 GROUP BY 1, 2, 3`,
  )
  const callsSince = db.query<{ keyId: string; calls: number }, [number, string]>(
    `SELECT key_id AS "keyId", sum(calls) AS calls
     FROM usage WHERE key_id IN (${keysOf}) AND period > ?2 GROUP BY 1`,
  )
  const sightings = db.query<
    { keyId: string; lastUsedAt: string; networks: number },
    [number, string]
  >(
    `SELECT key_id AS "keyId", max(last_used_at) AS "lastUsedAt", sum(last_used_at >= ?2) AS networks
     FROM key_sightings WHERE key_id IN (${keysOf}) GROUP BY 1`,
  )
  return {
    add: (counts, seen) =>
      write(db, () => {
        for (const { hour, ...count } of counts) add.run({ ...count, period: hour.slice(0, 13) })
        for (const sighting of seen) see.run({ ...sighting })
      }),
    listByKey: (accountId, at) =>
      read(() => {
        const days = lastDays(at, daysShown)
        const byDay = callsByDay.all(accountId, days[0] ?? at)
        const lastDay = new Map(
          callsSince
            .all(accountId, before(at, 1).slice(0, 13))
            .map((row) => [row.keyId, row.calls]),
        )
        return sightings
          .all(accountId, before(at, networkDays))
          .map(({ keyId, ...seen }): KeyUsage => {
            const calls = new Map<string, number>()
            for (const row of byDay) {
              if (row.keyId === keyId) calls.set(row.day, (calls.get(row.day) ?? 0) + row.calls)
            }
            const perDay = days.map((day) => calls.get(day) ?? 0)
            const callsLast30Days = perDay.reduce((sum, each) => sum + each, 0)
            return {
              keyId,
              ...seen,
              callsLastDay: lastDay.get(keyId) ?? 0,
              callsLast30Days,
              days: perDay,
            }
          })
      }),
    listByDay: (accountId, at) =>
      read(() => {
        const days = lastDays(at, daysShown)
        const empty = days.map((day): [string, UsageDay] => [
          day,
          { day, ok: 0, refused: 0, failed: 0 },
        ])
        const totals = new Map(empty)
        for (const { day, outcome, calls } of callsByDay.all(accountId, days[0] ?? at)) {
          const total = totals.get(day)
          const group = outcomeGroup(outcome)
          if (total !== undefined) totals.set(day, { ...total, [group]: total[group] + calls })
        }
        return [...totals.values()]
      }),
    thin: (at) => write(db, () => thin(db, at)),
  }
}

const before = (at: string, days: number) =>
  formatTimestamp(new Date(Date.parse(at) - days * 86_400_000))

function thin(db: Database, at: string): void {
  const weekAgo = before(at, 7).slice(0, 10)
  db.query(
    `INSERT INTO usage (key_id, period, operation, outcome, calls)
     SELECT key_id, substr(period, 1, 10), operation, outcome, sum(calls)
     FROM usage WHERE length(period) > 10 AND period < ? GROUP BY 1, 2, 3, 4
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`,
  ).run(weekAgo)
  db.query("DELETE FROM usage WHERE length(period) > 10 AND period < ?").run(weekAgo)
  db.query("DELETE FROM usage WHERE period < ?").run(before(at, 400).slice(0, 10))
  // The newest sighting of a key says when it was last used: that one stays.
  db.query(
    `DELETE FROM key_sightings AS old WHERE last_used_at < ? AND last_used_at <
       (SELECT max(last_used_at) FROM key_sightings WHERE key_id = old.key_id)`,
  ).run(before(at, 30))
}
