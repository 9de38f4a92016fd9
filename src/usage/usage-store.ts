import type { KeyKind, Operation } from "../contract/operation.ts"
import { chunk } from "../platform/collections.ts"
import {
  deleteRows,
  insertRows,
  joinSql,
  rawSql,
  type Sql,
  type SqlDatabase,
  sql,
  type Transaction,
  tuples,
} from "../platform/database/sql.ts"
import type { Reason } from "../platform/error.ts"
import {
  type DayRange,
  daysOf,
  lastDays,
  lastRange,
  type Timestamp,
  usageDays,
} from "../platform/time.ts"
import { untilNextTurn } from "../platform/timers.ts"
import { type NewEvent, renderData } from "../webhooks/webhook.ts"
import { isEnabled, writeEvents } from "../webhooks/webhook-store.ts"
import {
  type CountStore,
  type Counts,
  daysShown,
  type FailedRequest,
  type FailedRequestStore,
  failedRequestDays,
  failedRequestsMax,
  ipRangeDays,
  ipRangesMax,
  type KeyCount,
  type KeyIpRange,
  type KeyUsage,
  type LoggedRequest,
  type UsageCount,
  type UsageStore,
  type ValidatedSite,
} from "./usage.ts"

/** Limits how long a query blocks the thread on SQLite: about 5 ms for 90 days. */
const keysPerQuery = 50

const firstDay = (at: string, days: number) => lastRange(at, days).from

/** The cast is for PostgreSQL, whose driver returns sums as text. */
const sumOfCalls = sql`CAST(sum(calls) AS bigint)`

/** A list of days uses the index for each key; a range would scan the rows of all keys. */
const isUsage = (db: SqlDatabase, keyIds: readonly string[], days: readonly string[]) =>
  sql`key_id ${db.among(keyIds, "text")} AND day ${db.among(days, "text")}`

/** In two steps: for a join, PostgreSQL would scan the usage of all authors. */
async function listCounts(
  db: SqlDatabase,
  accountId: number,
  range: DayRange,
  keyId: string | null,
): Promise<readonly KeyCount[]> {
  const all = await db.read<{ id: string; name: string; kind: KeyKind }>`
    SELECT id, name, kind FROM api_keys WHERE account_id = ${accountId}`
  const keys = all.filter(({ id }) => keyId === null || id === keyId)
  const days = daysOf(range)
  const counts = chunk(keys, keysPerQuery).map((some) => {
    const ids = some.map(({ id }) => id)
    return db.read<[id: string, day: string, Operation, Reason, calls: number]>(
      tuples`SELECT key_id, day, operation, outcome, calls FROM usage
        WHERE ${isUsage(db, ids, days)}`,
    )
  })
  const keyById = new Map(keys.map((key) => [key.id, key]))
  return (await Promise.all(counts)).flat().flatMap(([keyId, day, operation, outcome, calls]) => {
    const key = keyById.get(keyId)
    if (key === undefined) return []
    return [{ keyId, name: key.name, kind: key.kind, day, operation, outcome, calls }]
  })
}

function createUsageStore(db: SqlDatabase): UsageStore {
  async function listByKeys(keyIds: readonly string[], at: string): Promise<readonly KeyUsage[]> {
    const days = lastDays(at, daysShown)
    const [byDay, seen] = await Promise.all([
      db.read<[keyId: string, day: string, calls: number]>(
        tuples`SELECT key_id, day, ${sumOfCalls} FROM usage
          WHERE ${isUsage(db, keyIds, days)} GROUP BY 1, 2`,
      ),
      db.read<[keyId: string, lastUsedAt: Timestamp, ipRanges: number]>(
        tuples`SELECT id, last_used_at, (
            SELECT count(*) FROM (
              SELECT 1 FROM key_ip_ranges
              WHERE key_id = id AND last_day >= ${firstDay(at, ipRangeDays)} LIMIT ${ipRangesMax}
            ) AS recent)
          FROM api_keys WHERE id ${db.among(keyIds, "text")} AND last_used_at IS NOT NULL`,
      ),
    ])
    const calls = new Map(byDay.map(([keyId, day, sum]) => [`${keyId} ${day}`, sum]))
    return seen.map(([keyId, lastUsedAt, ipRanges]) => {
      const daily = days.map((day) => calls.get(`${keyId} ${day}`) ?? 0)
      return { keyId, lastUsedAt, ipRanges, days: daily }
    })
  }
  return {
    listByKeys,
    findByKey: async (keyId, at) => (await listByKeys([keyId], at))[0] ?? null,
    async listLastUses(keyIds) {
      const rows = await db.read<{ id: string; lastUsedAt: Timestamp }>`
        SELECT id, last_used_at FROM api_keys
        WHERE id ${db.among(keyIds, "text")} AND last_used_at IS NOT NULL`
      return rows.map(({ id, lastUsedAt }) => ({ keyId: id, lastUsedAt }))
    },
    async listBusiest({ from, to }, limit) {
      const rows = await db.readLong<[accountId: number, username: string, calls: number]>(
        tuples`WITH used (key_id, calls) AS (
          SELECT key_id, sum(calls) FROM usage WHERE day BETWEEN ${from} AND ${to} GROUP BY 1)
        SELECT account_id, username, CAST(sum(calls) AS bigint) FROM used
        JOIN api_keys ON api_keys.id = key_id JOIN accounts ON accounts.id = account_id
        WHERE kind <> 'tk' GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT ${limit}`,
      )
      return rows.map(([accountId, username, calls]) => ({ accountId, username, calls }))
    },
    list: (accountId, range, keyId) => listCounts(db, accountId, range, keyId),
    listIpRanges: (keyId, at) =>
      db.read<Omit<KeyIpRange, "keyId">>`
        SELECT ip_range, last_day FROM key_ip_ranges
        WHERE key_id = ${keyId} AND last_day >= ${firstDay(at, ipRangeDays)}
        ORDER BY last_day DESC, ip_range LIMIT ${ipRangesMax}`,
    listOfAll: ({ from, to }) =>
      db.read<Omit<UsageCount, "keyId">>`
        SELECT day, operation, outcome, calls FROM usage_totals
        WHERE day BETWEEN ${from} AND ${to} ORDER BY 1, 2, 3`,
  }
}

function createFailedRequestStore(db: SqlDatabase): FailedRequestStore {
  const newest = sql`ORDER BY last_at DESC, key_id, first_at, operation, reason, ip_range, code`
  const select = (condition: Sql, at: string, rowsMax = failedRequestsMax) => sql`
    SELECT account_id, username, key_id, name, kind, operation, reason, ip_range, code,
      first_at, last_at, calls
    FROM failed_requests JOIN api_keys k ON key_id = k.id JOIN accounts a ON account_id = a.id
    WHERE ${condition} AND day >= ${firstDay(at, failedRequestDays)} ${newest} LIMIT ${rowsMax}`
  return {
    list: (accountId, at) => db.read<LoggedRequest>`${select(sql`account_id = ${accountId}`, at)}`,
    async listOfAll(reasons, at) {
      if (reasons.length === 0) return []
      // The index has the newest requests of a reason together. Frequent errors leave room for rare ones.
      const rowsMax = Math.ceil(failedRequestsMax / reasons.length)
      const each = reasons.map((reason) => {
        const isOfReason = sql`reason = ${reason} AND kind <> 'tk'`
        return sql`SELECT * FROM (${select(isOfReason, at, rowsMax)}) AS part`
      })
      return db.read<LoggedRequest>`
        SELECT * FROM (${joinSql(each, " UNION ALL ")}) AS parts ${newest}`
    },
  }
}

/** Failed requests beyond the limit of an author before the oldest ones are deleted. */
const failedRequestsSlack = 100

/** Rows per statement: on SQLite a statement blocks all requests of the thread. */
const rowsPerStatement = 100
const sitesPerTransaction = 40

const keysPerBatch = 50

/** More rows than a key or an author can have. */
const unlimitedRows = 1_000_000

const usage = "day, key_id, operation, outcome"
const usageTotals = "day, operation, outcome"
const keyIpRanges = "key_id, ip_range"
const failedRequests = "key_id, day, operation, reason, ip_range, code"

/** A key may be deleted before its counts are written. */
const hasKey = sql`AND EXISTS (SELECT 1 FROM api_keys WHERE id = new.key_id)`

function isBeyondLog(accountId: number): Sql {
  const isOfAccount = sql`key_id IN (SELECT id FROM api_keys WHERE account_id = ${accountId})`
  const columns = rawSql(failedRequests)
  return sql`${isOfAccount} AND (${columns}) IN (
    SELECT ${columns} FROM failed_requests WHERE ${isOfAccount}
    ORDER BY last_at DESC, ${columns} LIMIT ${unlimitedRows} OFFSET ${failedRequestsMax})`
}

type Sites = Readonly<{
  recordSeen(at: Timestamp, validated: readonly ValidatedSite[]): Promise<void>
}>

/** All statements sort their rows, so that two nodes that count the same keys cannot deadlock. */
async function addCounts(
  tx: Transaction,
  { calls, lastUses, ipRanges, failures }: Omit<Counts, "sites">,
): Promise<void> {
  const inChunks = async <Row>(
    rows: readonly Row[],
    write: (some: readonly Row[]) => Promise<unknown>,
  ) => {
    for (const some of chunk(rows, rowsPerStatement)) {
      await write(some)
      await untilNextTurn()
    }
  }
  const add = (
    rows: readonly object[],
    [table, key, others]: readonly [table: string, key: string, others: string],
    condition: Sql,
    update: Sql,
  ) =>
    inChunks(rows, (some) => {
      const rest = sql`${condition} ORDER BY ${rawSql(key)}
        ON CONFLICT (${rawSql(key)}) DO UPDATE SET ${update}`
      return insertRows(tx, table, `${key}, ${others}`, some, rest)
    })
  const addCalls = sql`calls = usage.calls + excluded.calls`
  await add(calls, ["usage", usage, "calls"], sql``, addCalls)
  await inChunks(
    calls,
    (some) => tx.query`
      INSERT INTO usage_totals (${rawSql(usageTotals)}, calls)
      SELECT day, operation, outcome, CAST(sum(calls) AS bigint)
      FROM ${tx.rowsFor("usage", `${usage}, calls`, some)}
      WHERE EXISTS (SELECT 1 FROM api_keys WHERE id = new.key_id AND kind <> 'tk')
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (${rawSql(usageTotals)})
      DO UPDATE SET calls = usage_totals.calls + excluded.calls`,
  )
  await inChunks(
    lastUses.map(({ keyId, lastUsedAt }) => ({ id: keyId, lastUsedAt })),
    (some) => tx.query`
      WITH used (id, at) AS (
        SELECT k.id, new.last_used_at
        FROM ${tx.rowsFor("api_keys", "id, last_used_at", some)} CROSS JOIN api_keys k
        WHERE k.id = new.id AND coalesce(k.last_used_at, '') < new.last_used_at
        ORDER BY k.id ${tx.lock("FOR NO KEY UPDATE OF k")})
      UPDATE api_keys SET last_used_at = used.at FROM used WHERE api_keys.id = used.id`,
  )
  const moveDay = sql`last_day = excluded.last_day
    WHERE key_ip_ranges.last_day < excluded.last_day`
  await add(ipRanges, ["key_ip_ranges", keyIpRanges, "last_day"], hasKey, moveDay)
  await add(
    failures.map((failure) => ({ ...failure, day: failure.firstAt.slice(0, 10) })),
    ["failed_requests", failedRequests, "first_at, last_at, calls"],
    hasKey,
    sql`calls = failed_requests.calls + excluded.calls,
      first_at = CASE WHEN failed_requests.first_at > excluded.first_at
        THEN excluded.first_at ELSE failed_requests.first_at END,
      last_at = CASE WHEN failed_requests.last_at < excluded.last_at
        THEN excluded.last_at ELSE failed_requests.last_at END`,
  )
}

function createCountStore(db: SqlDatabase, sites: Sites): CountStore {
  /** New failed requests per account since the last deletion. */
  const addedFailures = new Map<number, number>()
  async function boundFailures(keyIds: readonly string[]): Promise<void> {
    if (keyIds.length === 0) return
    const keys = await db.read<{ id: string; accountId: number }>`
      SELECT id, account_id FROM api_keys WHERE id ${db.among(new Set(keyIds), "text")}`
    const accountByKey = new Map(keys.map(({ id, accountId }) => [id, accountId]))
    const accounts = keyIds.flatMap((id) => accountByKey.get(id) ?? [])
    for (const [id, { length }] of Map.groupBy(accounts, (id) => id)) {
      // The number is unknown after a start, so the first write deletes.
      const added = (addedFailures.get(id) ?? failedRequestsSlack) + length
      if (added > failedRequestsSlack) {
        await deleteRows(db, "failed_requests", failedRequests, isBeyondLog(id), unlimitedRows)
      }
      addedFailures.set(id, added > failedRequestsSlack ? length : added)
    }
  }

  return {
    async add(at, { calls = [], lastUses = [], ipRanges = [], failures = [], ...counts }) {
      // Written first: a retry may record a site or an event twice without effect, but must not count a request twice.
      for (const some of chunk(counts.sites ?? [], sitesPerTransaction)) {
        await sites.recordSeen(at, some)
        await untilNextTurn()
      }
      await writeFailureEvents(db, at, failures)
      if (calls.length + lastUses.length + ipRanges.length + failures.length === 0) return
      await db.transaction((tx) => addCounts(tx, { calls, lastUses, ipRanges, failures }))
      await boundFailures(failures.map(({ keyId }) => keyId))
    },
    async prune(at, after, rowsMax) {
      const last = await db.findValue<string>`SELECT max(id) FROM (
        SELECT id FROM api_keys WHERE id > ${after} ORDER BY id LIMIT ${keysPerBatch}) AS batch`
      if (last === null) return null
      const isOldFailure = sql`day < ${firstDay(at, failedRequestDays)}`
      const isOldIpRange = sql`(last_day < ${firstDay(at, ipRangeDays)} OR ip_range IN (
        SELECT ip_range FROM key_ip_ranges WHERE key_id = old.key_id
        ORDER BY last_day DESC, ip_range LIMIT ${unlimitedRows} OFFSET ${ipRangesMax}))`
      let rows = 0
      for (const [table, key, condition] of [
        ["key_ip_ranges", keyIpRanges, isOldIpRange],
        ["failed_requests", failedRequests, isOldFailure],
      ] as const) {
        const isOfKeys = sql`key_id > ${after} AND key_id <= ${last} AND ${condition}`
        rows += await deleteRows(db, table, key, isOfKeys, rowsMax - rows)
      }
      return rows < rowsMax ? last : after
    },
    async deleteExpired(at, rowsMax) {
      const isOld = sql`day < ${firstDay(at, usageDays)}`
      await deleteRows(db, "usage_totals", usageTotals, isOld, rowsMax)
      return deleteRows(db, "usage", usage, isOld, rowsMax)
    },
  }
}

type CalledKey = Readonly<{ id: string; name: string; accountId: number; username: string }>

/**
 * Queues events for rejected sites and for requests with inactive keys: one per code or key and day, because a product in
 * a loop would cause an endless number.
 */
async function writeFailureEvents(
  db: SqlDatabase,
  at: Timestamp,
  failures: readonly FailedRequest[],
): Promise<void> {
  const reported = failures.filter(
    ({ reason, rejectedSite }) =>
      rejectedSite !== undefined || reason === "revoked_key" || reason === "expired_key",
  )
  if (reported.length === 0) return
  const keyIds = new Set(reported.map(({ keyId }) => keyId))
  // Only keys whose events are delivered to an endpoint.
  const keys = await db.read<CalledKey>`
    SELECT k.id, k.name, k.account_id, a.username
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
    WHERE k.id ${db.among(keyIds, "text")} AND k.kind <> 'tk' AND EXISTS (
      SELECT 1 FROM webhook_endpoints e
      WHERE ${isEnabled} AND (e.account_id IS NULL OR e.account_id = a.id))`
  if (keys.length === 0) return
  const byId = new Map(keys.map((key) => [key.id, key]))
  const day = at.slice(0, 10)
  const events = reported.flatMap(({ keyId, code, rejectedSite }): NewEvent[] => {
    const key = byId.get(keyId)
    if (key === undefined) return []
    const { id, name, accountId, username } = key
    const account = { id: accountId, username }
    if (rejectedSite === undefined) {
      const type = "key.called_after_stop"
      const data = renderData(type, { key_id: id, name })
      return [{ type, at, account, data, idempotencyKey: `${type} ${day} ${id}` }]
    }
    const type = "site.refused"
    const data = renderData(type, { purchase_code: code, ...rejectedSite })
    return [{ type, at, account, data, idempotencyKey: `${type} ${day} ${code}` }]
  })
  // Sorted, because transactions that insert the same keys in different orders would deadlock.
  const sorted = events.toSorted(({ idempotencyKey: one = "" }, { idempotencyKey: other = "" }) =>
    one.localeCompare(other),
  )
  await db.transaction((tx) => writeEvents(tx, sorted))
}

/** The stores of this room. `pages` is the connection for pages. */
export const createUsageStores = (db: SqlDatabase, pages: SqlDatabase, sites: Sites) => ({
  counts: createCountStore(db, sites),
  usage: createUsageStore(pages),
  failedRequests: createFailedRequestStore(pages),
})
