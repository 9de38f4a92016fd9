/** How counts are written and thinned. A period is an hour, `2026-06-22T23`, or a day, `2026-06-22`. */

import { authorCallDays } from "../../../domain/catalogue/author-search.ts"
import type { SiteStore } from "../../../domain/catalogue/sites.ts"
import type { KeyKind } from "../../../domain/keys/api-key.ts"
import {
  failedCallDays,
  failedCallsMax,
  failureKindOf,
  isUse,
} from "../../../domain/usage/failed-calls.ts"
import {
  type CountStore,
  type Counts,
  isRejected,
  rejectionDays,
  usageDays,
} from "../../../domain/usage/usage.ts"
import { daysBefore, lastRange } from "../../../domain/values/time/timestamp.ts"
import { forgetRows, type SqlDatabase, type Transaction, type Value } from "../database.ts"
import { tellOfFailures } from "../events/failure-events.ts"

/** The columns of a row that is there already change by adding up, or to the larger or smaller value. */
export type CountTable = Readonly<{
  name: string
  key: string
  columns: readonly string[]
  /** The end of an INSERT into this table AS kept. */
  onConflict: string
  merged: Readonly<Record<string, keyof typeof merges>>
}>

/** How a column `@` takes a new value. */
const merges = {
  sum: "kept.@ + excluded.@",
  latest: "CASE WHEN kept.@ < excluded.@ THEN excluded.@ ELSE kept.@ END",
  earliest: "CASE WHEN kept.@ > excluded.@ THEN excluded.@ ELSE kept.@ END",
  either: "kept.@ OR excluded.@",
} as const

type CountWriting = Readonly<{
  /** Rows have the values of the key, then the others. */
  addRows(tx: Transaction, table: CountTable, rows: readonly (readonly Value[])[]): Promise<void>
  /** Of the keys in $1, before the hour $2, at most $3 rows. The last one returns a row for each hour. */
  hoursToDays: readonly string[]
}>

/** The stored id of all items that were not counted apart. No item has it. */
export const otherItems = 0

/** So many failed calls more than allowed may be there until the oldest ones of the author are removed. */
const failedCallsOver = 100

/** Keys looked at in one batch: each has some hundreds of rows. */
const keysEachBatch = 50

function table(name: string, key: string, merged: CountTable["merged"]): CountTable {
  const others = Object.entries(merged)
  const changes = others.map(
    ([column, merge]) => `${column} = ${merges[merge].replaceAll("@", column)}`,
  )
  return {
    name,
    key,
    columns: [...key.split(", "), ...Object.keys(merged)],
    merged,
    onConflict: `ON CONFLICT (${key}) DO UPDATE SET ${changes.join(", ")}`,
  }
}
const usage = table("usage", "key_id, period, operation, outcome", { calls: "sum" })
const keyRejections = table("key_rejections", "day, key_id, outcome", { calls: "sum" })
const sightings = table("key_sightings", "key_id, network", { last_used_at: "latest" })
const networkCalls = table("network_calls", "key_id, network, day, operation", {
  calls: "sum",
  is_estimate: "either",
})
const itemCalls = table("item_calls", "key_id, day, item_id", { calls: "sum" })
const failedCalls = table("failed_calls", "key_id, day, operation, reason, network, code", {
  first_at: "earliest",
  last_at: "latest",
  calls: "sum",
})
const authorCalls = table("author_calls", "account_id, day", {
  calls: "sum",
  errors: "sum",
  last_used_at: "latest",
})
const signInRejections = table("sign_in_rejections", "day, account_id, outcome", {
  sign_ins: "sum",
})
const traffic = table("traffic", "unit, period, kind, operation, detail", { total: "sum" })

const ofAccount = "key_id IN (SELECT id FROM api_keys WHERE account_id = $1)"
/** More than an author can have between two removals. */
const farBeyond = 1_000_000
const isBeyondLog = `${ofAccount} AND (${failedCalls.key}) IN (
  SELECT ${failedCalls.key} FROM failed_calls WHERE ${ofAccount}
  ORDER BY last_at DESC, ${failedCalls.key} LIMIT ${farBeyond} OFFSET ${failedCallsMax})`

type CountedKey = Readonly<{ id: string; kind: KeyKind; accountId: number }>
type KeysById = ReadonlyMap<string, CountedKey>

const hourOf = (at: string) => at.slice(0, 13)
const dayOf = (at: string) => at.slice(0, 10)

export function createCounts(
  db: SqlDatabase,
  sites: Pick<SiteStore, "note">,
  writing: CountWriting,
): CountStore {
  const { addRows, hoursToDays } = writing
  const forget = (
    { name, key }: CountTable,
    condition: string,
    values: readonly Value[],
    rowsMax: number,
  ) => forgetRows(db, { table: name, id: key, condition }, values, rowsMax)

  /** A key may be deleted before its counts are written. */
  async function readKeys(counts: Counts): Promise<KeysById> {
    const { calls, sightings, networks, items, failures } = counts
    const ofKeys = [calls, sightings, networks, items, failures].flat()
    const ids = new Set(ofKeys.map(({ keyId }) => keyId))
    if (ids.size === 0) return new Map()
    const rows = await db.read<CountedKey>(
      `SELECT id, kind, account_id AS "accountId" FROM api_keys WHERE id ${db.among("$1", "text")}`,
      [JSON.stringify([...ids])],
    )
    return new Map(rows.map((key) => [key.id, key]))
  }
  async function readAccounts({ signIns }: Counts): Promise<ReadonlyMap<string, number>> {
    if (signIns.length === 0) return new Map()
    const rows = await db.read<{ id: number; username: string }>(
      `SELECT id, username FROM accounts WHERE username ${db.among("$1", "text")}`,
      [JSON.stringify(signIns.map(({ username }) => username))],
    )
    return new Map(rows.map(({ id, username }) => [username, id]))
  }

  /** The accounts of these keys that have too many failed calls. */
  const listLongLogs = (keyIds: string) =>
    db.read<{ id: number }>(
      `SELECT account_id AS id FROM api_keys JOIN failed_calls ON key_id = api_keys.id
       WHERE account_id IN (SELECT account_id FROM api_keys WHERE id ${db.among("$1", "text")})
       GROUP BY 1 HAVING count(*) > ${failedCallsMax}`,
      [keyIds],
    )
  /** Failed calls of each account since its oldest ones were removed. */
  const addedFailures = new Map<number, number>()
  async function boundFailures({ failures }: Counts, keys: KeysById): Promise<void> {
    const ids = failures.flatMap(({ keyId }) => keys.get(keyId)?.accountId ?? [])
    for (const [id, { length }] of Map.groupBy(ids, (id) => id)) {
      // After a start nobody knows how many there are.
      const added = (addedFailures.get(id) ?? failedCallsOver) + length
      if (added > failedCallsOver) await forget(failedCalls, isBeyondLog, [id], farBeyond)
      addedFailures.set(id, added > failedCallsOver ? length : added)
    }
  }

  return {
    async add(at, given) {
      const counts = { ...nothing, ...given }
      // First, because noting a site or telling an event again changes nothing, but counting a call again does.
      await sites.note(at, counts.sites)
      await tellOfFailures(db, at, counts.failures)
      const [keys, accounts] = await Promise.all([readKeys(counts), readAccounts(counts)])
      await boundFailures(counts, keys)
      await db.transaction(async (tx) => {
        for (const { table, rows } of listAdditions(at, counts, keys, accounts)) {
          await addRows(tx, table, rows)
        }
      })
    },
    async thin(at, after, rowsMax) {
      const keys = await db.read<{ id: string }>(
        "SELECT id FROM api_keys WHERE id > $1 ORDER BY id LIMIT $2",
        [after, keysEachBatch],
      )
      const last = keys.at(-1)
      if (last === undefined) return null
      const ids = JSON.stringify(keys.map(({ id }) => id))
      let rows = await db.transaction(async (tx) => {
        let hours: readonly unknown[] = []
        const values = [ids, dayOf(daysBefore(at, 7)), rowsMax]
        for (const sql of hoursToDays) hours = await tx.query(sql, values)
        return hours.length
      })
      const isOldSighting = `last_used_at < $2 AND last_used_at <
        (SELECT max(last_used_at) FROM key_sightings WHERE key_id = old.key_id)`
      for (const [table, condition, before] of [
        [usage, "period < $2", dayOf(daysBefore(at, usageDays))],
        [sightings, isOldSighting, daysBefore(at, 30)],
        [networkCalls, "day < $2", dayOf(daysBefore(at, 7))],
        [itemCalls, "day < $2", dayOf(daysBefore(at, 30))],
        [failedCalls, "day < $2", dayOf(daysBefore(at, failedCallDays))],
      ] as const) {
        const ofKeys = `key_id ${db.among("$1", "text")} AND ${condition}`
        rows += await forget(table, ofKeys, [ids, before], rowsMax - rows)
      }
      const isOldDay = `day < $2 AND day < (SELECT max(day) FROM author_calls WHERE account_id = old.account_id)`
      const ofAccounts = `account_id IN (SELECT account_id FROM api_keys WHERE id ${db.among("$1", "text")})`
      const firstDay = lastRange(at, authorCallDays).from
      rows += await forget(
        authorCalls,
        `${ofAccounts} AND ${isOldDay}`,
        [ids, firstDay],
        rowsMax - rows,
      )
      for (const { id } of await listLongLogs(ids)) {
        rows += await forget(failedCalls, isBeyondLog, [id], rowsMax - rows)
      }
      return rows < rowsMax ? last.id : after
    },
    async forget(at, rowsMax) {
      const oldestRejection = lastRange(at, rejectionDays).from
      let rows = 0
      for (const [table, condition, before] of [
        [keyRejections, "day < $1", oldestRejection],
        [signInRejections, "day < $1", oldestRejection],
        [traffic, "unit = 'hour' AND period < $1", dayOf(daysBefore(at, 7))],
        [traffic, "unit = 'day' AND period < $1", dayOf(daysBefore(at, usageDays))],
      ] as const) {
        rows += await forget(table, condition, [before], rowsMax)
      }
      return rows
    },
  }
}

const nothing: Counts = {
  calls: [],
  sightings: [],
  networks: [],
  items: [],
  sites: [],
  failures: [],
  signIns: [],
  traffic: [],
}

/** In this order on all nodes, so that two that add the same rows cannot deadlock. */
function listAdditions(
  at: string,
  counts: Counts,
  keys: KeysById,
  accounts: ReadonlyMap<string, number>,
): readonly Readonly<{ table: CountTable; rows: readonly (readonly Value[])[] }>[] {
  const isKept = ({ keyId }: Readonly<{ keyId: string }>) => keys.has(keyId)
  const calls = counts.calls.filter(isKept)
  const additions = [
    {
      table: usage,
      rows: calls
        .filter(({ outcome }) => isUse(outcome))
        .map((each) => [each.keyId, hourOf(each.hour), each.operation, each.outcome, each.calls]),
    },
    {
      table: keyRejections,
      rows: calls
        .filter(({ keyId, outcome }) => isRejected(outcome) && keys.get(keyId)?.kind !== "tk")
        .map((each) => [dayOf(each.hour), each.keyId, each.outcome, each.calls]),
    },
    { table: authorCalls, rows: calls.flatMap((each) => toAuthorCalls(each, keys)) },
    {
      table: sightings,
      rows: counts.sightings
        .filter(isKept)
        .map(({ keyId, network, lastUsedAt }) => [keyId, network, lastUsedAt]),
    },
    {
      table: networkCalls,
      rows: counts.networks
        .filter(isKept)
        .map(({ keyId, network, day, operation, calls, isEstimate }) => [
          ...[keyId, network, day, operation],
          ...[calls, isEstimate],
        ]),
    },
    {
      table: itemCalls,
      rows: counts.items
        .filter(isKept)
        .map(({ keyId, day, itemId, calls }) => [keyId, day, itemId ?? otherItems, calls]),
    },
    {
      table: failedCalls,
      rows: counts.failures
        .filter(isKept)
        .map(({ keyId, operation, reason, network, code, firstAt, lastAt, calls }) => [
          ...[keyId, dayOf(firstAt), operation, reason, network, code],
          ...[firstAt, lastAt, calls],
        ]),
    },
    {
      table: signInRejections,
      rows: counts.signIns.flatMap(({ username, outcome, signIns }) => {
        const id = accounts.get(username)
        return id === undefined ? [] : [[dayOf(at), id, outcome, signIns]]
      }),
    },
    {
      table: traffic,
      rows: counts.traffic.flatMap(({ kind, operation, detail, count }) => [
        ["hour", hourOf(at), kind, operation, detail, count],
        ["day", dayOf(at), kind, operation, detail, count],
      ]),
    },
  ]
  return additions.filter(({ rows }) => rows.length > 0)
}

function toAuthorCalls(
  { keyId, hour, outcome, calls }: Counts["calls"][number],
  keys: KeysById,
): readonly (readonly Value[])[] {
  const key = keys.get(keyId)
  if (key === undefined || !isUse(outcome)) return []
  const counted = key.kind === "tk" ? 0 : calls
  const isError = outcome !== "ok" && failureKindOf(outcome) === "errors"
  return [[key.accountId, dayOf(hour), counted, isError ? counted : 0, `${hourOf(hour)}:00:00Z`]]
}
