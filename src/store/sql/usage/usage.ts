import type { KeyKind } from "../../../domain/keys/api-key.ts"
import {
  type FailedCallStore,
  failedCallDays,
  failedCallsMax,
  type LoggedCall,
} from "../../../domain/usage/failed-calls.ts"
import {
  type DayCalls,
  daysShown,
  failureOutcomes,
  type ItemUse,
  type KeyDayCalls,
  type KeyLastUse,
  type KeySeen,
  type KeyUsage,
  type NetworkRow,
  networkDays,
  type OperationDayCalls,
  type PeriodRequests,
  type RejectedAccount,
  type RejectedKey,
  type RejectionStore,
  summariseDays,
  summariseKeys,
  summariseNetworks,
  summariseOperations,
  type TrafficCount,
  type TrafficStore,
  type TrafficUnit,
  type UsageGrouping,
  type UsageStore,
  type UsageTotal,
  type ValidItems,
} from "../../../domain/usage/usage.ts"
import { divide } from "../../../domain/values/divide.ts"
import { dayAfter, daysBefore, lastDays, lastRange } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase, Value } from "../database.ts"
import { otherItems } from "./counts.ts"

/** Reading the calls of so many for 90 days takes about 5 ms. */
const keysAtOnce = 50

type ItemRow = ItemUse & Readonly<{ total: number }>

const firstDay = (at: string) => lastRange(at, daysShown).from

const firstDayOfWeek = (at: string) => lastRange(at, failedCallDays).from

function sumItems(rows: readonly ItemRow[]): ValidItems {
  const items = rows
    .filter(({ itemId }) => itemId !== otherItems)
    .map(({ itemId, calls }) => ({ itemId, calls }))
  const listed = items.reduce((sum, { calls }) => sum + calls, 0)
  return { items, otherItemCalls: (rows[0]?.total ?? 0) - listed }
}

/** The cast is for PostgreSQL, which sums to a type that its driver gives as text. */
export function createUsage(db: SqlDatabase): UsageStore {
  // Grouped once: a key may have ten thousand items on each of 30 days.
  const listItemRows = (condition: string, values: readonly Value[]) =>
    db.read<ItemRow>(
      `SELECT item_id AS "itemId", CAST(sum(calls) AS bigint) AS calls,
         CAST(sum(sum(calls)) OVER () AS bigint) AS total
       FROM item_calls WHERE ${condition} AND day >= $2
       GROUP BY 1 ORDER BY item_id = ${otherItems}, 2 DESC, 1 LIMIT $3`,
      values,
    )
  const ofKeys = `key_id ${db.among("$1", "text")}`
  /**
   * Reads the calls of all keys of an author but test keys, some keys at a time. Not joined with the keys: PostgreSQL
   * would read the calls of all authors.
   */
  async function readOfKeys<Row>(
    accountId: number,
    select: string,
    values: readonly Value[],
  ): Promise<readonly Row[]> {
    const keys = await db.read<{ id: string }>(
      "SELECT id FROM api_keys WHERE account_id = $1 AND kind <> 'tk'",
      [accountId],
    )
    const ids = keys.map(({ id }) => id)
    const pieces = divide(ids, keysAtOnce).map((some) =>
      db.read<Row>(select, [JSON.stringify(some), ...values]),
    )
    return (await Promise.all(pieces)).flat()
  }
  async function listByKeys(keyIds: readonly string[], at: string): Promise<readonly KeyUsage[]> {
    const ids = JSON.stringify(keyIds)
    const [byDay, lastDay, seen] = await Promise.all([
      db.read<KeyDayCalls>(
        `SELECT key_id AS "keyId", substr(period, 1, 10) AS day, CAST(sum(calls) AS bigint) AS calls
         FROM usage WHERE ${ofKeys} AND period >= $2 AND period < $3 GROUP BY 1, 2`,
        [ids, firstDay(at), dayAfter(at.slice(0, 10))],
      ),
      db.read<{ keyId: string; calls: number }>(
        `SELECT key_id AS "keyId", CAST(sum(calls) AS bigint) AS calls
         FROM usage WHERE ${ofKeys} AND period > $2 GROUP BY 1`,
        [ids, daysBefore(at, 1).slice(0, 13)],
      ),
      db.read<KeySeen>(
        `SELECT key_id AS "keyId", max(last_used_at) AS "lastUsedAt",
           count(*) FILTER (WHERE last_used_at >= $2) AS networks
         FROM key_sightings WHERE ${ofKeys} GROUP BY 1`,
        [ids, daysBefore(at, networkDays)],
      ),
    ])
    const calls = new Map(lastDay.map((row) => [row.keyId, row.calls]))
    return summariseKeys(at, byDay, calls, seen)
  }
  return {
    listByKeys,
    async findByKey(keyId, at) {
      const [usage = null] = await listByKeys([keyId], at)
      return usage
    },
    listLastUses: (keyIds) =>
      db.read<KeyLastUse>(
        `SELECT key_id AS "keyId", max(last_used_at) AS "lastUsedAt"
         FROM key_sightings WHERE ${ofKeys} GROUP BY 1`,
        [JSON.stringify(keyIds)],
      ),
    async readDetails(keyId, range, at, rowsMax) {
      const weekAgo = daysBefore(at, networkDays)
      const [calls, networks, itemRows] = await Promise.all([
        db.read<OperationDayCalls>(
          `SELECT substr(period, 1, 10) AS day, operation, outcome,
             CAST(sum(calls) AS bigint) AS calls
           FROM usage WHERE key_id = $1 AND period >= $2 AND period < $3 GROUP BY 1, 2, 3`,
          [keyId, range.from, dayAfter(range.to)],
        ),
        // The week begins within a day; all calls of that day count.
        db.read<NetworkRow>(
          `SELECT s.network, s.last_used_at AS "lastUsedAt", c.operation,
             CAST(sum(c.calls) AS bigint) AS calls,
             count(*) FILTER (WHERE c.is_estimate) AS estimates
           FROM (
             SELECT network, last_used_at FROM key_sightings
             WHERE key_id = $1 AND last_used_at >= $2
             ORDER BY last_used_at DESC, network LIMIT $3
           ) s LEFT JOIN network_calls c
             ON c.key_id = $1 AND c.network = s.network AND c.day >= substr($2, 1, 10)
           GROUP BY 1, 2, 3 ORDER BY 2 DESC, 1, 3`,
          [keyId, weekAgo, rowsMax],
        ),
        listItemRows("key_id = $1", [keyId, firstDay(at), rowsMax]),
      ])
      return {
        days: summariseDays(range, calls),
        operations: summariseOperations(calls),
        networks: summariseNetworks(networks),
        ...sumItems(itemRows),
      }
    },
    async listByDay(accountId, range) {
      const calls = await readOfKeys<DayCalls>(
        accountId,
        `SELECT substr(period, 1, 10) AS day, outcome, CAST(sum(calls) AS bigint) AS calls
         FROM usage WHERE ${ofKeys} AND period >= $2 AND period < $3 GROUP BY 1, 2`,
        [range.from, dayAfter(range.to)],
      )
      return summariseDays(range, calls)
    },
    async countValidCodes(accountId, at) {
      const sums = await readOfKeys<{ calls: number | null }>(
        accountId,
        `SELECT CAST(sum(calls) AS bigint) AS calls FROM usage
         WHERE ${ofKeys} AND period >= $2 AND operation = 'validate_purchase' AND outcome = 'ok'`,
        [firstDayOfWeek(at)],
      )
      return sums.reduce((all, { calls }) => all + (calls ?? 0), 0)
    },
    listValidItems: async (accountId, at, rowsMax) =>
      sumItems(
        await listItemRows("key_id IN (SELECT id FROM api_keys WHERE account_id = $1)", [
          accountId,
          firstDayOfWeek(at),
          rowsMax,
        ]),
      ),
    async listTotals(by, since, limit) {
      const rows = await db.readLong<TotalRow>(selectTotals(by), [
        since.slice(0, 13),
        since.slice(0, 10),
        limit,
      ])
      return rows.map(toTotal)
    },
  }
}

const failed = failureOutcomes.map((outcome) => `'${outcome}'`).join(", ")
const noKey = "NULL AS username, NULL AS kind, NULL AS name"
const aKey = "a.username, k.kind, k.name"

/** How each grouping is summed up: first within a key, then over all keys. */
const groupings: Readonly<
  Record<UsageGrouping, Readonly<{ group: string; key: string; withinKey: string }>>
> = {
  key: { group: "k.id", key: aKey, withinKey: "" },
  account: { group: "a.username", key: noKey, withinKey: "" },
  operation: { group: "c.operation", key: noKey, withinKey: ", u.operation" },
  reason: { group: "c.outcome", key: noKey, withinKey: ", u.outcome" },
}

/**
 * CROSS: SQLite then begins with the keys and searches the primary key of `usage`, instead of reading 400
 * days of all keys. The first condition on the period is the range of that search. Joining before summing
 * up takes three times as long.
 */
function selectTotals(by: UsageGrouping): string {
  const { group, key, withinKey } = groupings[by]
  return `SELECT ${group} AS "group", k.kind = 'tk' AS "isTest", ${key},
      CAST(sum(c.calls) AS bigint) AS calls, CAST(sum(c.ok) AS bigint) AS ok,
      CAST(sum(c.failed) AS bigint) AS failed
    FROM (
      SELECT o.id AS key_id${withinKey}, sum(u.calls) AS calls,
        sum(CASE WHEN u.outcome = 'ok' THEN u.calls ELSE 0 END) AS ok,
        sum(CASE WHEN u.outcome IN (${failed}) THEN u.calls ELSE 0 END) AS failed
      FROM api_keys o CROSS JOIN usage u
      WHERE u.key_id = o.id AND u.period >= $2 AND (u.period >= $1 OR u.period = $2)
      GROUP BY o.id${withinKey}
    ) c JOIN api_keys k ON k.id = c.key_id JOIN accounts a ON a.id = k.account_id
    GROUP BY 1, 2, 3, 4, 5 ORDER BY calls DESC, 1, 2 LIMIT $3`
}

type TotalRow = Readonly<{
  group: string
  isTest: boolean
  username: string
  kind: KeyKind | null
  name: string
  calls: number
  ok: number
  failed: number
}>

const toTotal = ({ username, kind, name, calls, ok, failed, ...total }: TotalRow): UsageTotal => ({
  ...total,
  key: kind === null ? null : { username, kind, name },
  ok,
  refused: calls - ok - failed,
  failed,
})

/** More keys than are deleted in two days: their rejections are still there. */
const deletedMax = 100

type KeyRow = Omit<RejectedKey, "reasons">
type ReasonRow = Readonly<{ keyId: string; reason: string; calls: number }>

/** The casts are for PostgreSQL, which sums to a type that its driver gives as text. */
export function createRejections(db: SqlDatabase): RejectionStore {
  return {
    async listKeys(at, count, limit) {
      const days = lastDays(at, count)
      const keys = await db.read<KeyRow>(
        `SELECT k.id AS "keyId", a.id AS "accountId", a.username, k.kind, k.name, CAST(r.calls AS bigint) AS calls
         FROM (
           SELECT key_id, sum(calls) AS calls FROM key_rejections WHERE day >= $1
           GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT $3
         ) r JOIN api_keys k ON k.id = r.key_id JOIN accounts a ON a.id = k.account_id
         ORDER BY r.calls DESC, k.id LIMIT $2`,
        [lastRange(at, count).from, limit, limit + deletedMax],
      )
      if (keys.length === 0) return []
      // The days are named, so that each key is searched for instead of read past.
      const first = days.length + 1
      const reasons = await db.read<ReasonRow>(
        `SELECT key_id AS "keyId", outcome AS reason, CAST(sum(calls) AS bigint) AS calls
         FROM key_rejections WHERE day IN (${days.map((_, index) => `$${index + 1}`).join(", ")})
           AND key_id IN (${keys.map((_, index) => `$${index + first}`).join(", ")})
         GROUP BY 1, 2 ORDER BY 3 DESC, 2`,
        [...days, ...keys.map(({ keyId }) => keyId)],
      )
      const byKey = Map.groupBy(reasons, ({ keyId }) => keyId)
      return keys.map((key) => ({
        ...key,
        reasons: (byKey.get(key.keyId) ?? []).map(({ reason, calls }) => ({ reason, calls })),
      }))
    },
    listAccounts: (at, count, limit) =>
      db.read<RejectedAccount>(
        `SELECT a.id AS "accountId", a.username, CAST(r.wrong AS bigint) AS wrong, CAST(r.throttled AS bigint) AS throttled
         FROM (
           SELECT account_id,
             sum(CASE outcome WHEN 'wrong' THEN sign_ins ELSE 0 END) AS wrong,
             sum(CASE outcome WHEN 'throttled' THEN sign_ins ELSE 0 END) AS throttled
           FROM sign_in_rejections WHERE day >= $1 GROUP BY 1
         ) r JOIN accounts a ON a.id = r.account_id
         ORDER BY r.wrong + r.throttled DESC, a.username LIMIT $2`,
        [lastRange(at, count).from, limit],
      ),
  }
}

const lengthOf = { hour: "2026-06-22T23".length, day: "2026-06-22".length } as const

const periodOf = (at: string, unit: TrafficUnit) => at.slice(0, lengthOf[unit])

/** The cast is for PostgreSQL, which sums to a type that its driver gives as text. */
export function createTraffic(db: SqlDatabase): TrafficStore {
  return {
    listTotals: (since, until, by) =>
      db.read<TrafficCount>(
        `SELECT kind, operation, detail, CAST(sum(total) AS bigint) AS count
         FROM traffic WHERE unit = $1 AND period BETWEEN $2 AND $3
         GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
        [by, periodOf(since, by), periodOf(until, by)],
      ),
    listRequests: (operations, since, until, by) =>
      db.read<PeriodRequests>(
        `SELECT period, detail AS reason, CAST(sum(total) AS bigint) AS count FROM traffic
         WHERE unit = $1 AND period BETWEEN $2 AND $3 AND kind = 'request'
           AND operation ${db.among("$4", "text")}
         GROUP BY 1, 2 ORDER BY 1, 2`,
        [by, periodOf(since, by), periodOf(until, by), JSON.stringify(operations)],
      ),
  }
}

export const createFailedCalls = (db: SqlDatabase): FailedCallStore => ({
  list: (accountId, at) =>
    db.read<LoggedCall>(
      `SELECT key_id AS "keyId", name AS "keyName", kind AS "keyKind", operation, reason, network, code,
         first_at AS "firstAt", last_at AS "lastAt", calls
       FROM api_keys JOIN failed_calls ON key_id = id WHERE account_id = $1 AND day >= $2
       ORDER BY last_at DESC, key_id, day, operation, reason, network, code LIMIT $3`,
      [accountId, firstDayOfWeek(at), failedCallsMax],
    ),
})
