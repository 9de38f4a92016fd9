/** Writes events and their messages in the transaction of the change. */
import { type DisabledReason, type Listener, routeEvents } from "../../../domain/events/endpoint.ts"
import { type NewEvent, renderData, renderPurchaseData } from "../../../domain/events/event.ts"
import type { PurchaseChange } from "../../../domain/feed/batch-changes.ts"
import { encodeBase62 } from "../../../domain/keys/api-key.ts"
import type { FailedRequest } from "../../../domain/usage/usage.ts"
import { formatTimestamp, type Timestamp } from "../../../domain/values/time/timestamp.ts"
import {
  insertRows,
  queryUnlessEmpty,
  type SqlDatabase,
  type Transaction,
} from "../sql-database.ts"
import { sql } from "../statement.ts"

/** Random, not sequential: a restored database must not repeat an id. */
export const newId = (prefix: "evt" | "msg") =>
  `${prefix}_${encodeBase62(crypto.getRandomValues(new Uint8Array(48))).slice(0, 24)}`

export const isEnabled = sql`disabled_at IS NULL AND removed_at IS NULL`

export const pendingCount = sql`pending_messages, failing_since_ms`

export const parseTypes = (events: string | null): Listener["events"] =>
  events === null ? null : JSON.parse(events)

type ListenerRow = Omit<Listener, "events"> & Readonly<{ events: string | null }>
type Identified = NewEvent & Readonly<{ id: string }>

/**
 * Does nothing if no endpoint receives the events. Must be the last step of a transaction: after an endpoint only its
 * messages are locked, so that transactions cannot deadlock.
 */
export async function writeEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  const [first] = events
  if (first === undefined) return
  const listeners = await lockListeners(tx, events)
  if (listeners.length === 0) return
  const inserted = (await removeDuplicates(tx, events)).map(
    (event): Identified => ({ ...event, id: newId("evt") }),
  )
  const nowMs = Date.parse(first.at)
  const { messages, full } = routeEvents(inserted, listeners, nowMs)
  await writeMessages(tx, messages)
  for (const id of full) await disable(tx, id, nowMs, "full")
}

/**
 * Locked in the order of ids, so that transactions cannot deadlock. The locks also serialize writers of events with an
 * idempotency key.
 */
export async function lockListeners(tx: Transaction, events: readonly NewEvent[]) {
  const accounts = new Set(events.flatMap(({ account }) => account?.id ?? []))
  const rows = await tx.query<ListenerRow>`
    SELECT id, account_id, events, created_at, ${pendingCount} FROM webhook_endpoints
    WHERE ${isEnabled} AND (account_id IS NULL OR account_id ${tx.among(accounts, "bigint")})
    ORDER BY id ${tx.lock("FOR NO KEY UPDATE")}`
  return rows.map((row): Listener => ({ ...row, events: parseTypes(row.events) }))
}

export const timestampOf = (ms: number) => formatTimestamp(new Date(ms))

export const disable = (tx: Transaction, id: string, nowMs: number, reason: DisabledReason) =>
  tx.query`UPDATE webhook_endpoints
    SET disabled_at = ${timestampOf(nowMs)}, disabled_reason = ${reason}
    WHERE id = ${id} AND disabled_at IS NULL`

async function removeDuplicates(tx: Transaction, events: readonly NewEvent[]) {
  const keys = events.flatMap(({ idempotencyKey }) => idempotencyKey ?? [])
  const rows = await queryUnlessEmpty<Required<Pick<NewEvent, "idempotencyKey">>>(
    tx,
    keys,
    sql`SELECT idempotency_key FROM webhook_events
      WHERE idempotency_key ${tx.among(keys, "text")}`,
  )
  const existing = new Set(rows.map(({ idempotencyKey }) => idempotencyKey))
  return events.filter(({ idempotencyKey: key }) => {
    if (key === undefined) return true
    if (existing.has(key)) return false
    existing.add(key)
    return true
  })
}

export async function writeMessages(
  tx: Transaction,
  messages: readonly Readonly<{
    endpointId: string
    event: Omit<Identified, "type"> & { type: string }
  }>[],
): Promise<readonly string[]> {
  const events = [...new Set(messages.map(({ event }) => event))]
  await insertRows(
    tx,
    "webhook_events",
    "id, type, at, username, data, is_encrypted, idempotency_key",
    events.map((event) => ({ isEncrypted: false, ...event, username: event.account?.username })),
  )
  const sent = messages.map(({ endpointId, event: { id: eventId, at: createdAt } }) => {
    const state = { state: "waiting", nextAtMs: 0 }
    return { id: newId("msg"), endpointId, eventId, createdAt, ...state }
  })
  const columns = "id, endpoint_id, event_id, created_at, state, next_at_ms"
  await insertRows(tx, "webhook_messages", columns, sent)
  await addPending(tx, sent, 1)
  return sent.map(({ id }) => id)
}

export async function addPending(
  tx: Transaction,
  messages: readonly Readonly<{ endpointId: string }>[],
  each: 1 | -1,
): Promise<void> {
  for (const [id, { length }] of Map.groupBy(messages, ({ endpointId }) => endpointId)) {
    await tx.query`UPDATE webhook_endpoints
      SET pending_messages = pending_messages + ${each * length} WHERE id = ${id}`
  }
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
  await db.transaction((tx) => writeEvents(tx, events))
}
