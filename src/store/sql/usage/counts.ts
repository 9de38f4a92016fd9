/** How counts are written and thinned. A period is an hour, `2026-06-22T23`, or a day, `2026-06-22`. */
import type { SiteStore } from "../../../domain/catalogue/sites.ts"
import type { KeyKind } from "../../../domain/keys/api-key.ts"
import {
  type CountStore,
  type Counts,
  isRejected,
  isUse,
  rejectionDays,
} from "../../../domain/usage/usage.ts"
import { daysBefore } from "../../../domain/values/time/timestamp.ts"
import { ask, forgetRows, type SqlDatabase, type Steps, type Value } from "../database.ts"

/** The columns of a row that is there already change by adding up, or to the larger value. */
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
  either: "kept.@ OR excluded.@",
} as const

/** What differs between the stores. */
type CountWriting = Readonly<{
  /** Rows have the values of the key, then the others. */
  addRows(table: CountTable, rows: readonly (readonly Value[])[]): Steps<void>
  /** That these codes were asked for on this day. */
  noteCodes(codes: readonly string[], day: string): Steps<void>
  /** Of the keys in $1, before the hour $2, at most $3 rows. The last one returns a row for each hour. */
  hoursToDays: readonly string[]
}>

/** The stored id of all items that were not counted apart. No item has it. */
export const otherItems = 0

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
const signInRejections = table("sign_in_rejections", "day, account_id, outcome", {
  sign_ins: "sum",
})
const traffic = table("traffic", "unit, period, kind, operation, detail", { total: "sum" })

const hourOf = (at: string) => at.slice(0, 13)
const dayOf = (at: string) => at.slice(0, 10)

export function createCounts(
  db: SqlDatabase,
  sites: Pick<SiteStore, "note">,
  writing: CountWriting,
): CountStore {
  const { addRows, noteCodes, hoursToDays } = writing
  const forget = (
    { name, key }: CountTable,
    condition: string,
    values: readonly Value[],
    rowsMax: number,
  ) => forgetRows(db, { table: name, id: key, condition }, values, rowsMax)

  /** A key may be deleted before its counts are written. */
  async function readKinds(counts: Counts): Promise<ReadonlyMap<string, KeyKind>> {
    const { calls, sightings, networks, items } = counts
    const ids = new Set([calls, sightings, networks, items].flat().map(({ keyId }) => keyId))
    if (ids.size === 0) return new Map()
    const rows = await db.read<{ id: string; kind: KeyKind }>(
      `SELECT id, kind FROM api_keys WHERE id ${db.among("$1", "text")}`,
      [JSON.stringify([...ids])],
    )
    return new Map(rows.map(({ id, kind }) => [id, kind]))
  }
  async function readAccounts({ signIns }: Counts): Promise<ReadonlyMap<string, number>> {
    if (signIns.length === 0) return new Map()
    const rows = await db.read<{ id: number; username: string }>(
      `SELECT id, username FROM accounts WHERE username ${db.among("$1", "text")}`,
      [JSON.stringify(signIns.map(({ username }) => username))],
    )
    return new Map(rows.map(({ id, username }) => [username, id]))
  }

  return {
    async add(at, given) {
      const counts = { ...nothing, ...given }
      // First, because noting a site again changes nothing, but counting a call again does.
      await sites.note(at, counts.sites)
      const [kinds, accounts] = await Promise.all([readKinds(counts), readAccounts(counts)])
      await db.changeUnsynced(function* () {
        for (const { table, rows } of listAdditions(at, counts, kinds, accounts)) {
          yield* addRows(table, rows)
        }
        yield* noteCodes(counts.codes, dayOf(at))
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
      let rows = await db.changeUnsynced(function* () {
        let hours: readonly unknown[] = []
        const values = [ids, dayOf(daysBefore(at, 7)), rowsMax]
        for (const sql of hoursToDays) hours = yield* ask(sql, values)
        return hours.length
      })
      const isOldSighting = `last_used_at < $2 AND last_used_at <
        (SELECT max(last_used_at) FROM key_sightings WHERE key_id = old.key_id)`
      for (const [table, condition, before] of [
        [usage, "period < $2", dayOf(daysBefore(at, 400))],
        [sightings, isOldSighting, daysBefore(at, 30)],
        [networkCalls, "day < $2", dayOf(daysBefore(at, 7))],
        [itemCalls, "day < $2", dayOf(daysBefore(at, 30))],
      ] as const) {
        const ofKeys = `key_id ${db.among("$1", "text")} AND ${condition}`
        rows += await forget(table, ofKeys, [ids, before], rowsMax - rows)
      }
      return rows < rowsMax ? last.id : after
    },
    async forget(at, rowsMax) {
      const oldestRejection = dayOf(daysBefore(at, rejectionDays - 1))
      let rows = 0
      for (const [table, condition, before] of [
        [keyRejections, "day < $1", oldestRejection],
        [signInRejections, "day < $1", oldestRejection],
        [traffic, "unit = 'hour' AND period < $1", dayOf(daysBefore(at, 7))],
        [traffic, "unit = 'day' AND period < $1", dayOf(daysBefore(at, 400))],
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
  codes: [],
  sites: [],
  signIns: [],
  traffic: [],
}

/** In this order on all nodes, so that two that add the same rows cannot deadlock. */
function listAdditions(
  at: string,
  counts: Counts,
  kinds: ReadonlyMap<string, KeyKind>,
  accounts: ReadonlyMap<string, number>,
): readonly Readonly<{ table: CountTable; rows: readonly (readonly Value[])[] }>[] {
  const isKept = ({ keyId }: Readonly<{ keyId: string }>) => kinds.has(keyId)
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
        .filter(({ keyId, outcome }) => isRejected(outcome) && kinds.get(keyId) !== "tk")
        .map((each) => [dayOf(each.hour), each.keyId, each.outcome, each.calls]),
    },
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
