/** How counts are written and removed. */
import type { SiteStore } from "../../../domain/catalogue/sites.ts"
import { failedCallDays, failedCallsMax } from "../../../domain/usage/failed-calls.ts"
import {
  type CountStore,
  networkDays,
  networksMax,
  usageDays,
} from "../../../domain/usage/usage.ts"
import { divide } from "../../../domain/values/divide.ts"
import { lastRange } from "../../../domain/values/time/timestamp.ts"
import { untilNextTurn } from "../../../domain/values/work-queue.ts"
import { forgetRows, type SqlDatabase, type Value } from "../database.ts"
import { tellOfFailures } from "../events/failure-events.ts"
import { run } from "../feed/rows.ts"

/** So many failed calls more than allowed may be there until the oldest ones of the author are removed. */
const failedCallsOver = 100

/** Rows of one statement. An embedded store answers no request in the meantime: 3,000 keys at once would take 40 ms. */
const rowsAtOnce = 100
/** Sites of one transaction: each takes about 40 µs. */
const sitesAtOnce = 40

/** Keys looked at in one batch: each has some hundreds of rows. */
const keysEachBatch = 50

/** More rows than a key or an author can have. */
const farBeyond = 1_000_000

/** The primary keys. */
const usage = "day, key_id, operation, outcome"
const keyNetworks = "key_id, network"
const failedCalls = "key_id, day, operation, reason, network, code"

/** A key may be deleted before its counts are written. */
const ofKnownKey = 'EXISTS (SELECT 1 FROM api_keys WHERE id = new."keyId")'

const ofAccount = "key_id IN (SELECT id FROM api_keys WHERE account_id = $1)"
const isBeyondLog = `${ofAccount} AND (${failedCalls}) IN (
  SELECT ${failedCalls} FROM failed_calls WHERE ${ofAccount}
  ORDER BY last_at DESC, ${failedCalls} LIMIT ${farBeyond} OFFSET ${failedCallsMax})`

const isOldNetwork = `(last_day < $2 OR network IN (
  SELECT network FROM key_networks WHERE key_id = old.key_id
  ORDER BY last_day DESC, network LIMIT ${farBeyond} OFFSET ${networksMax}))`

export function createCounts(db: SqlDatabase, sites: Pick<SiteStore, "note">): CountStore {
  const forget = (
    [table, id]: readonly [string, string],
    condition: string,
    values: readonly Value[],
    rowsMax: number,
  ) => forgetRows(db, { table, id, condition }, values, rowsMax)

  /** Failed calls of each account since its oldest ones were removed. */
  const addedFailures = new Map<number, number>()
  async function boundFailures(keyIds: readonly string[]): Promise<void> {
    if (keyIds.length === 0) return
    const keys = await db.read<{ id: string; accountId: number }>(
      `SELECT id, account_id AS "accountId" FROM api_keys WHERE id ${db.among("$1", "text")}`,
      [JSON.stringify([...new Set(keyIds)])],
    )
    const accountOf = new Map(keys.map(({ id, accountId }) => [id, accountId]))
    const accounts = keyIds.flatMap((id) => accountOf.get(id) ?? [])
    for (const [id, { length }] of Map.groupBy(accounts, (id) => id)) {
      // After a start nobody knows how many there are.
      const added = (addedFailures.get(id) ?? failedCallsOver) + length
      if (added > failedCallsOver) {
        await forget(["failed_calls", failedCalls], isBeyondLog, [id], farBeyond)
      }
      addedFailures.set(id, added > failedCallsOver ? length : added)
    }
  }

  return {
    async add(at, { calls = [], lastUses = [], networks = [], sites: seen = [], failures = [] }) {
      // First, because recording a site or an event again changes nothing, but counting a call again does.
      for (const some of divide(seen, sitesAtOnce)) {
        await sites.note(at, some)
        await untilNextTurn()
      }
      await tellOfFailures(db, at, failures)
      if (calls.length + lastUses.length + networks.length + failures.length === 0) return
      await db.transaction(async (tx) => {
        const add = async (rows: readonly object[], sql: string) => {
          for (const some of divide(rows, rowsAtOnce)) {
            await run(tx, some, sql)
            await untilNextTurn()
          }
        }
        // All statements order their rows, so that two nodes that count the same keys cannot deadlock.
        await add(
          calls,
          `INSERT INTO usage AS kept (${usage}, calls)
           SELECT day, "keyId", operation, outcome, calls
           FROM ${tx.rows('"keyId" text, day text, operation text, outcome text, calls bigint')}
           WHERE true ORDER BY 1, 2, 3, 4
           ON CONFLICT (${usage}) DO UPDATE SET calls = kept.calls + excluded.calls`,
        )
        await add(
          lastUses,
          `UPDATE api_keys SET last_used_at = used.at FROM (
             SELECT k.id, new."lastUsedAt" AS at
             FROM ${tx.rows('"keyId" text, "lastUsedAt" text')} CROSS JOIN api_keys k
             WHERE k.id = new."keyId" AND coalesce(k.last_used_at, '') < new."lastUsedAt"
             ORDER BY k.id ${tx.lock("FOR NO KEY UPDATE OF k")}
           ) AS used WHERE api_keys.id = used.id`,
        )
        await add(
          networks,
          `INSERT INTO key_networks AS kept (${keyNetworks}, last_day)
           SELECT "keyId", network, "lastDay"
           FROM ${tx.rows('"keyId" text, network text, "lastDay" text')}
           WHERE ${ofKnownKey} ORDER BY 1, 2
           ON CONFLICT (${keyNetworks}) DO UPDATE SET last_day = excluded.last_day
           WHERE kept.last_day < excluded.last_day`,
        )
        await add(
          failures,
          `INSERT INTO failed_calls AS kept (${failedCalls}, first_at, last_at, calls)
           SELECT "keyId", substr("firstAt", 1, 10), operation, reason, network, code, "firstAt", "lastAt", calls
           FROM ${tx.rows(
             `"keyId" text, operation text, reason text, network text, code text,
              "firstAt" text, "lastAt" text, calls bigint`,
           )}
           WHERE ${ofKnownKey} ORDER BY 1, 2, 3, 4, 5, 6
           ON CONFLICT (${failedCalls}) DO UPDATE SET calls = kept.calls + excluded.calls,
             first_at = CASE WHEN kept.first_at > excluded.first_at THEN excluded.first_at ELSE kept.first_at END,
             last_at = CASE WHEN kept.last_at < excluded.last_at THEN excluded.last_at ELSE kept.last_at END`,
        )
      })
      await boundFailures(failures.map(({ keyId }) => keyId))
    },
    async thin(at, after, rowsMax) {
      const keys = await db.read<{ id: string }>(
        "SELECT id FROM api_keys WHERE id > $1 ORDER BY id LIMIT $2",
        [after, keysEachBatch],
      )
      const last = keys.at(-1)
      if (last === undefined) return null
      const ids = JSON.stringify(keys.map(({ id }) => id))
      let rows = 0
      for (const [table, condition, days] of [
        [["key_networks", keyNetworks], isOldNetwork, networkDays],
        [["failed_calls", failedCalls], "day < $2", failedCallDays],
      ] as const) {
        const ofKeys = `key_id ${db.among("$1", "text")} AND ${condition}`
        rows += await forget(table, ofKeys, [ids, lastRange(at, days).from], rowsMax - rows)
      }
      return rows < rowsMax ? last.id : after
    },
    forget: (at, rowsMax) =>
      forget(["usage", usage], "day < $1", [lastRange(at, usageDays).from], rowsMax),
  }
}
