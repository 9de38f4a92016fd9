/** Writes events and their messages in the transaction of the change. */
import { encodeBase62 } from "../platform/crypto/base62.ts"
import { insertRows, type Transaction } from "../platform/database/sql.ts"
import { sql } from "../platform/database/statement.ts"
import { formatTimestamp } from "../platform/time.ts"
import { type Listener, routeEvents } from "./endpoint.ts"
import type { NewEvent } from "./event.ts"

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
