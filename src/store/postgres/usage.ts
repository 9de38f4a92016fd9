import { isRejected } from "../../domain/rejections.ts"
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

/** Sorted by key, so that two nodes that add the same rows cannot deadlock. */
const addCounts = `INSERT INTO usage (key_id, period, operation, outcome, calls)
  SELECT c.key_id, c.period, c.operation, c.outcome, sum(c.calls)
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
    AS c (key_id, period, operation, outcome, calls)
  WHERE EXISTS (SELECT 1 FROM api_keys k WHERE k.id = c.key_id)
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (key_id, period, operation, outcome) DO UPDATE SET calls = usage.calls + excluded.calls`

const addRejections = `INSERT INTO key_rejections (day, key_id, outcome, calls)
  SELECT c.day, c.key_id, c.outcome, sum(c.calls)
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS c (key_id, day, outcome, calls)
    JOIN api_keys k ON k.id = c.key_id AND k.kind <> 'tk'
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (day, key_id, outcome) DO UPDATE SET calls = key_rejections.calls + excluded.calls`

const addSightings = `INSERT INTO key_sightings (key_id, network, last_used_at)
  SELECT s.key_id, s.network, max(s.at COLLATE "C")
  FROM unnest($1::text[], $2::text[], $3::text[]) AS s (key_id, network, at)
  WHERE EXISTS (SELECT 1 FROM api_keys k WHERE k.id = s.key_id)
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (key_id, network)
  DO UPDATE SET last_used_at = greatest(key_sightings.last_used_at, excluded.last_used_at)`

const addNetworkCalls = `INSERT INTO network_calls
    (key_id, network, day, operation, calls, is_estimate)
  SELECT c.key_id, c.network, c.day, c.operation, sum(c.calls), bool_or(c.is_estimate)
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::boolean[])
    AS c (key_id, network, day, operation, calls, is_estimate)
  WHERE EXISTS (SELECT 1 FROM api_keys k WHERE k.id = c.key_id)
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (key_id, network, day, operation)
  DO UPDATE SET calls = network_calls.calls + excluded.calls,
    is_estimate = network_calls.is_estimate OR excluded.is_estimate`

const addItemCalls = `INSERT INTO item_calls (key_id, day, item_id, calls)
  SELECT c.key_id, c.day, c.item_id, sum(c.calls)
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS c (key_id, day, item_id, calls)
  WHERE EXISTS (SELECT 1 FROM api_keys k WHERE k.id = c.key_id)
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (key_id, day, item_id) DO UPDATE SET calls = item_calls.calls + excluded.calls`

/** Sorted as above. A node whose clock is behind changes nothing. */
const noteCodes = `INSERT INTO asked_codes AS kept (code, day)
  SELECT DISTINCT c.code COLLATE "C", $2 FROM unnest($1::text[]) AS c (code)
  WHERE EXISTS (SELECT 1 FROM purchases p WHERE p.code = c.code COLLATE "C")
  ORDER BY 1
  ON CONFLICT (code) DO UPDATE SET day = excluded.day WHERE kept.day < excluded.day`

export function postgresUsage(db: Database): UsageStore {
  return {
    add: (counts, sightings, { networks, items } = { networks: [], items: [] }) =>
      db.transact(async (client) => {
        const uses = counts.filter(({ outcome }) => isUse(outcome))
        await client.query(addCounts, [
          uses.map(({ keyId }) => keyId),
          uses.map(({ hour }) => hour.slice(0, 13)),
          uses.map(({ operation }) => operation),
          uses.map(({ outcome }) => outcome),
          uses.map(({ calls }) => calls),
        ])
        const rejected = counts.filter(({ outcome }) => isRejected(outcome))
        await client.query(addRejections, [
          rejected.map(({ keyId }) => keyId),
          rejected.map(({ hour }) => hour.slice(0, 10)),
          rejected.map(({ outcome }) => outcome),
          rejected.map(({ calls }) => calls),
        ])
        await client.query(addSightings, [
          sightings.map(({ keyId }) => keyId),
          sightings.map(({ network }) => network),
          sightings.map(({ lastUsedAt }) => lastUsedAt),
        ])
        await client.query(addNetworkCalls, [
          networks.map(({ keyId }) => keyId),
          networks.map(({ network }) => network),
          networks.map(({ day }) => day),
          networks.map(({ operation }) => operation),
          networks.map(({ calls }) => calls),
          networks.map(({ isEstimate }) => isEstimate),
        ])
        await client.query(addItemCalls, [
          items.map(({ keyId }) => keyId),
          items.map(({ day }) => day),
          items.map(({ itemId }) => itemId ?? otherItems),
          items.map(({ calls }) => calls),
        ])
      }),
    noteCodes: (codes, day) => db.write(noteCodes, [codes, day]),
    ...usageQueries(db),
    thin: (...batch) => db.transact((client) => thin(client, ...batch)),
  }
}

/** After a batch of `rowsMax` rows, the next one continues with the same keys. */
async function thin(
  client: Client,
  at: string,
  after: string,
  rowsMax: number,
): Promise<string | null> {
  const keys = await client.query<{ id: string }>(
    "SELECT id FROM api_keys WHERE id > $1 ORDER BY id LIMIT $2",
    [after, keysEachBatch],
  )
  const ids = keys.map(({ id }) => id)
  const last = ids.at(-1)
  if (last === undefined) return null
  let rows = 0
  const steps = [
    [hoursToDays, oldestHour(at)],
    [forgetDays, oldestDay(at)],
    [forgetSightings, oldestSighting(at)],
    [forgetNetworkCalls, oldestNetworkDay(at)],
    [forgetItemCalls, oldestItemDay(at)],
  ] as const
  for (const [statement, before] of steps) {
    const [done] = await client.query<{ rows: number }>(statement, [ids, before, rowsMax - rows])
    rows += done?.rows ?? 0
  }
  return rows < rowsMax ? last : after
}

const hoursToDays = `WITH old AS (
    SELECT key_id, period, operation, outcome FROM usage
    WHERE key_id = ANY ($1) AND length(period) > 10 AND period < $2 LIMIT $3
  ), hours AS (
    DELETE FROM usage USING old
    WHERE (usage.key_id, usage.period, usage.operation, usage.outcome)
      = (old.key_id, old.period, old.operation, old.outcome)
    RETURNING usage.key_id, usage.period, usage.operation, usage.outcome, usage.calls
  ), days AS (
    INSERT INTO usage (key_id, period, operation, outcome, calls)
    SELECT key_id, left(period, 10), operation, outcome, sum(calls) FROM hours GROUP BY 1, 2, 3, 4
    ON CONFLICT (key_id, period, operation, outcome)
    DO UPDATE SET calls = usage.calls + excluded.calls
  ) SELECT count(*) AS rows FROM hours`

const forgetDays = `WITH gone AS (
    DELETE FROM usage WHERE (key_id, period, operation, outcome) IN (
      SELECT key_id, period, operation, outcome FROM usage
      WHERE key_id = ANY ($1) AND period < $2 LIMIT $3
    ) RETURNING 1
  ) SELECT count(*) AS rows FROM gone`

const forgetSightings = `WITH gone AS (
    DELETE FROM key_sightings WHERE (key_id, network) IN (
      SELECT key_id, network FROM key_sightings old
      WHERE key_id = ANY ($1) AND last_used_at < $2 AND last_used_at <
        (SELECT max(last_used_at) FROM key_sightings WHERE key_id = old.key_id) LIMIT $3
    ) RETURNING 1
  ) SELECT count(*) AS rows FROM gone`

const forgetNetworkCalls = `WITH gone AS (
    DELETE FROM network_calls WHERE (key_id, network, day, operation) IN (
      SELECT key_id, network, day, operation FROM network_calls
      WHERE key_id = ANY ($1) AND day < $2 LIMIT $3
    ) RETURNING 1
  ) SELECT count(*) AS rows FROM gone`

const forgetItemCalls = `WITH gone AS (
    DELETE FROM item_calls WHERE (key_id, day, item_id) IN (
      SELECT key_id, day, item_id FROM item_calls WHERE key_id = ANY ($1) AND day < $2 LIMIT $3
    ) RETURNING 1
  ) SELECT count(*) AS rows FROM gone`
