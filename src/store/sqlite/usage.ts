import type { KeyKind } from "../../domain/api-key.ts"
import { isRejected } from "../../domain/rejections.ts"
import type { Timestamp } from "../../domain/timestamp.ts"
import { isUse, type UsageStore } from "../../domain/usage.ts"
import { otherItems, usageQueries } from "../usage.ts"
import {
  keysEachBatch,
  oldestDay,
  oldestHour,
  oldestItemDay,
  oldestNetworkDay,
  oldestSighting,
} from "../usage-retention.ts"
import type { Client, Database } from "./database.ts"
import { rowidsOf } from "./purchase-rowids.ts"

export function sqliteUsage(db: Database): UsageStore {
  return {
    add: (counts, sightings, { networks, items } = { networks: [], items: [] }) =>
      db.transactUnsynced((client) => {
        const all = [counts, sightings, networks, items].flat()
        const kinds = readKinds(client, new Set(all.map(({ keyId }) => keyId)))
        // A key may be deleted before its counts are written.
        const isKept = ({ keyId }: Readonly<{ keyId: string }>) => kinds.has(keyId)
        const addCount = db.prepare(addCountSql)
        const addRejection = db.prepare(addRejectionSql)
        for (const { keyId, hour, operation, outcome, calls } of counts.filter(isKept)) {
          if (isUse(outcome)) addCount.run(keyId, hour.slice(0, 13), operation, outcome, calls)
          if (isRejected(outcome) && kinds.get(keyId) !== "tk") {
            addRejection.run(hour.slice(0, 10), keyId, outcome, calls)
          }
        }
        const addSighting = db.prepare(addSightingSql)
        for (const { keyId, network, lastUsedAt } of sightings.filter(isKept)) {
          addSighting.run(keyId, network, lastUsedAt)
        }
        const addNetworkCalls = db.prepare(addNetworkCallsSql)
        for (const each of networks.filter(isKept)) {
          const { keyId, network, day, operation, calls, isEstimate } = each
          addNetworkCalls.run(keyId, network, day, operation, calls, isEstimate ? 1 : 0)
        }
        const addItemCalls = db.prepare(addItemCallsSql)
        for (const { keyId, day, itemId, calls } of items.filter(isKept)) {
          addItemCalls.run(keyId, day, itemId ?? otherItems, calls)
        }
      }),
    noteCodes: (codes, day) =>
      db.transactUnsynced(() => {
        const note = db.prepare(noteCode)
        for (const code of codes) {
          const { first, last } = rowidsOf(code)
          note.run(first, last, code, day)
        }
      }),
    ...usageQueries(db),
    thin: (...batch) => db.transactUnsynced((client) => thin(client, ...batch)),
  }
}

function readKinds({ query }: Client, ids: ReadonlySet<string>): ReadonlyMap<string, KeyKind> {
  const kept = query<{ id: string; kind: KeyKind }>(
    "SELECT id, kind FROM api_keys WHERE id IN (SELECT value FROM json_each($1))",
    [JSON.stringify([...ids])],
  )
  return new Map(kept.map(({ id, kind }) => [id, kind]))
}

const addCountSql = `INSERT INTO usage (key_id, period, operation, outcome, calls)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
const addRejectionSql = `INSERT INTO key_rejections (day, key_id, outcome, calls)
  VALUES ($1, $2, $3, $4) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
const addSightingSql = `INSERT INTO key_sightings (key_id, network, last_used_at) VALUES ($1, $2, $3)
  ON CONFLICT DO UPDATE SET last_used_at = max(last_used_at, excluded.last_used_at)`
const addNetworkCallsSql = `INSERT INTO network_calls
    (key_id, network, day, operation, calls, is_estimate)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT DO UPDATE SET
    calls = calls + excluded.calls, is_estimate = max(is_estimate, excluded.is_estimate)`
const addItemCallsSql = `INSERT INTO item_calls (key_id, day, item_id, calls)
  VALUES ($1, $2, $3, $4) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
const noteCode = `INSERT INTO asked_codes (place, day)
  SELECT place, $4 FROM purchases WHERE place BETWEEN $1 AND $2 AND code = $3
  ON CONFLICT DO UPDATE SET day = excluded.day WHERE day < excluded.day`

type Hour = Readonly<{
  keyId: string
  period: string
  operation: string
  outcome: string
  calls: number
}>

/** After a batch of `rowsMax` rows, the next one continues with the same keys. */
function thin({ query }: Client, at: Timestamp, after: string, rowsMax: number): string | null {
  const ids = query<{ id: string }>("SELECT id FROM api_keys WHERE id > $1 ORDER BY id LIMIT $2", [
    after,
    keysEachBatch,
  ]).map(({ id }) => id)
  const last = ids.at(-1)
  if (last === undefined) return null
  const keys = JSON.stringify(ids)
  const hours = query<Hour>(takeHours, [keys, oldestHour(at), rowsMax])
  for (const { keyId, period, operation, outcome, calls } of hours) {
    query(addToDay, [keyId, period.slice(0, 10), operation, outcome, calls])
  }
  let rows = hours.length
  rows += query(forgetDays, [keys, oldestDay(at), rowsMax - rows]).length
  rows += query(forgetSightings, [keys, oldestSighting(at), rowsMax - rows]).length
  rows += query(forgetNetworkCalls, [keys, oldestNetworkDay(at), rowsMax - rows]).length
  rows += query(forgetItemCalls, [keys, oldestItemDay(at), rowsMax - rows]).length
  return rows < rowsMax ? last : after
}

const ofKeys = "key_id IN (SELECT value FROM json_each($1))"
const takeHours = `DELETE FROM usage WHERE (key_id, period, operation, outcome) IN (
    SELECT key_id, period, operation, outcome FROM usage
    WHERE ${ofKeys} AND length(period) > 10 AND period < $2 LIMIT $3)
  RETURNING key_id AS "keyId", period, operation, outcome, calls`
const addToDay = `INSERT INTO usage (key_id, period, operation, outcome, calls)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
const forgetDays = `DELETE FROM usage WHERE (key_id, period, operation, outcome) IN (
    SELECT key_id, period, operation, outcome FROM usage
    WHERE ${ofKeys} AND period < $2 LIMIT $3)
  RETURNING 1`
const forgetSightings = `DELETE FROM key_sightings WHERE (key_id, network) IN (
    SELECT key_id, network FROM key_sightings AS old
    WHERE ${ofKeys} AND last_used_at < $2 AND last_used_at <
      (SELECT max(last_used_at) FROM key_sightings WHERE key_id = old.key_id) LIMIT $3)
  RETURNING 1`
const forgetNetworkCalls = `DELETE FROM network_calls WHERE (key_id, network, day, operation) IN (
    SELECT key_id, network, day, operation FROM network_calls WHERE ${ofKeys} AND day < $2 LIMIT $3)
  RETURNING 1`
const forgetItemCalls = `DELETE FROM item_calls WHERE (key_id, day, item_id) IN (
    SELECT key_id, day, item_id FROM item_calls WHERE ${ofKeys} AND day < $2 LIMIT $3)
  RETURNING 1`
