/** Writes events and their messages in the transaction of the change. */

import type { PurchaseChange } from "../feed/batch-changes.ts"
import { encodeBase62 } from "../keys/key.ts"
import {
  insertRows,
  queryUnlessEmpty,
  type SqlDatabase,
  type Transaction,
} from "../platform/database/sql.ts"
import { sql } from "../platform/database/statement.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import type { FailedRequest } from "../usage/usage.ts"
import { type Listener, routeEvents } from "./endpoint.ts"
import { type NewEvent, renderData, renderPurchaseData } from "./event.ts"

/** Random, not sequential: a restored database must not repeat an id. */
export const newId = (prefix: "evt" | "msg") =>
  `${prefix}_${encodeBase62(crypto.getRandomValues(new Uint8Array(48))).slice(0, 24)}`

export const isEnabled = sql`disabled_at IS NULL AND removed_at IS NULL`

export const parseTypes = (events: string | null): Listener["events"] =>
  events === null ? null : JSON.parse(events)

type ListenerRow = Omit<Listener, "events"> & Readonly<{ events: string | null }>
type Identified = NewEvent & Readonly<{ id: string }>

/** Does nothing if no endpoint receives the events, or for an idempotency key that exists. */
export async function writeEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const accounts = new Set(events.flatMap(({ account }) => account?.id ?? []))
  // The lock only keeps the endpoints from being deleted with their account.
  const rows = await tx.query<ListenerRow>`
    SELECT id, account_id, events, created_at FROM webhook_endpoints
    WHERE ${isEnabled} AND (account_id IS NULL OR account_id ${tx.among(accounts, "bigint")})
    ORDER BY id ${tx.lock("FOR KEY SHARE")}`
  const listeners = rows.map((row): Listener => ({ ...row, events: parseTypes(row.events) }))
  const identified = events.map((event): Identified => ({ ...event, id: newId("evt") }))
  await writeMessages(tx, routeEvents(identified, listeners))
}

export const timestampOf = (ms: number) => formatTimestamp(new Date(ms))

export async function writeMessages(
  tx: Transaction,
  messages: readonly Readonly<{
    endpointId: string
    event: Omit<Identified, "type"> & { type: string }
  }>[],
): Promise<readonly string[]> {
  const events = [...new Set(messages.map(({ event }) => event))]
  const isKeyed = events.some(({ idempotencyKey }) => idempotencyKey !== undefined)
  const inserted = await insertRows<{ id: string }>(
    tx,
    "webhook_events",
    "id, type, at, username, data, is_encrypted, idempotency_key",
    events.map((event) => ({ isEncrypted: false, ...event, username: event.account?.username })),
    isKeyed ? sql`ON CONFLICT DO NOTHING RETURNING id` : null,
  )
  const ids = isKeyed ? new Set(inserted.map(({ id }) => id)) : null
  const sent = messages.flatMap(({ endpointId, event: { id: eventId, at: createdAt } }) => {
    const state = { state: "waiting", nextAtMs: 0 }
    return (ids?.has(eventId) ?? true)
      ? [{ id: newId("msg"), endpointId, eventId, createdAt, ...state }]
      : []
  })
  const columns = "id, endpoint_id, event_id, created_at, state, next_at_ms"
  await insertRows(tx, "webhook_messages", columns, sent)
  return sent.map(({ id }) => id)
}

type SoldItem = Readonly<{ id: number; name: string; accountId: number; username: string }>

export async function readSoldItems(tx: Transaction, changes: readonly PurchaseChange[]) {
  const ids = new Set(changes.map(({ itemId }) => itemId))
  const rows = await queryUnlessEmpty<SoldItem>(
    tx,
    ids,
    sql`SELECT i.id, i.name, i.account_id, a.username
      FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id ${tx.among(ids, "bigint")}`,
  )
  return new Map(rows.map((item) => [item.id, item]))
}

export const purchaseEventsOf = (
  changes: readonly PurchaseChange[],
  items: ReadonlyMap<number, SoldItem>,
  at: Timestamp,
): readonly NewEvent[] =>
  changes.flatMap((each): NewEvent[] => {
    const { type, itemId, soldAt } = each
    const item = items.get(itemId)
    if (item === undefined) return []
    const account = { id: item.accountId, username: item.username }
    const data = renderPurchaseData(each, item)
    return [{ type, at, account, data, ...(soldAt === undefined ? {} : { soldAt }) }]
  })

type CalledKey = Readonly<{ id: string; name: string; accountId: number; username: string }>

/**
 * Queues events for rejected sites and for requests with inactive keys: one per code or key and day, because a product in
 * a loop would cause an endless number.
 */
export async function writeFailureEvents(
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
