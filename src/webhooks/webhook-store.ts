import { encodeBase62 } from "../platform/crypto/cipher.ts"
import {
  allOf,
  deleteRows,
  insertRows,
  type Sql,
  type SqlDatabase,
  sql,
  type Transaction,
  tuples,
} from "../platform/database/sql.ts"
import { daysBefore, formatTimestamp, secondsBefore, type Timestamp } from "../platform/time.ts"
import {
  type Attempt,
  attemptsMax,
  type Delivery,
  type DeliveryState,
  deliveriesMax,
  dueOfEndpointMax,
  filteredMax,
  type LeasedMessage,
  type MessageStore,
  type PreviousAttempts,
  type RecordedAttempt,
  testEventsMax,
} from "./delivery.ts"
import {
  type DisabledReason,
  type Endpoint,
  type EndpointOwner,
  type EndpointStore,
  endpointsMax,
  findItemId,
  type ListedEndpoint,
  type Listener,
  type NewEvent,
  type PendingCount,
  renderData,
  routeEvents,
  type StoredEvent,
  testEventType,
  withItem,
} from "./webhook.ts"

type AttemptRow = Omit<Attempt, "problem"> & Readonly<{ problem: string | null; atMs: number }>

type DeliveryRow = Omit<Delivery, "nextAt" | "last"> &
  Omit<AttemptRow, "atMs"> &
  Readonly<{ nextAtMs: number; atMs: number | null }>

const attemptColumns = sql`t.status, t.problem, t.response, t.duration_ms, t.at_ms`

const selectDeliveries = (messages: Sql, columns = sql``) => sql`
  SELECT m.id, m.endpoint_id, v.type, m.created_at, m.state, m.attempts, m.next_at_ms, ${attemptColumns}${columns}
  FROM ${messages} m JOIN webhook_events v ON v.id = m.event_id
    LEFT JOIN webhook_attempts t ON t.message_id = m.id AND t.ordinal = m.attempts`

const stateConditions: Readonly<Record<DeliveryState, Sql>> = {
  pending: sql`m.state = 'waiting' AND m.attempts = 0`,
  retrying: sql`m.state = 'waiting' AND m.attempts > 0`,
  delivered: sql`m.state = 'delivered'`,
  failed: sql`m.state = 'failed'`,
}

const eventColumns = sql`v.type, v.at, v.username, v.data, v.is_encrypted`

const fromPending = sql`FROM webhook_messages m WHERE m.endpoint_id = e.id AND m.state = 'waiting'`

/** Whether the author of an endpoint `e` is suspended. Without EXISTS, for which PostgreSQL may scan all accounts. */
const isSuspended = sql`coalesce((SELECT a.is_suspended FROM accounts a WHERE a.id = e.account_id), false)`

const dueEndpointsMax = 1_000

type SentEvent = StoredEvent & Readonly<{ accountId: EndpointOwner }>

type LeasedRow = SentEvent &
  Readonly<{
    id: string
    attempts: number
    endpointId: string
    url: string
    encrypted: Uint8Array
    oldEncrypted: Uint8Array | null
    oldUntil: Timestamp | null
  }>

const createMessageStore = (db: SqlDatabase): MessageStore => ({
  list: (...query) => listDeliveries(db, ...query),
  async find(id) {
    const select = selectDeliveries(sql`webhook_messages`, sql`, ${eventColumns}, e.account_id`)
    const rows = await db.read<DeliveryRow & SentEvent>`
      ${select} JOIN webhook_endpoints e ON e.id = m.endpoint_id WHERE m.id = ${id}`
    const [found] = await withCurrentItems(db, rows)
    if (found === undefined) return null
    const { accountId: _, at, username, data, isEncrypted, ...row } = found
    const attempts = await db.read<AttemptRow>`
      SELECT ${attemptColumns} FROM webhook_attempts t WHERE t.message_id = ${id}
      ORDER BY t.ordinal DESC`
    const event = { type: row.type, at, username, data, isEncrypted }
    return { delivery: toDelivery(row), event, attempts: attempts.map(toAttempt) }
  },
  redeliver: (id, nowMs) =>
    db.hasWritten`UPDATE webhook_messages SET state = 'waiting', next_at_ms = ${nowMs}
      WHERE id = ${id} RETURNING id`,
  insertTest: (endpointId, at) =>
    db.transaction(async (tx) => {
      if (await isTestLimited(tx, endpointId, at)) return "limited"
      const found = await tx.query`SELECT 1 FROM webhook_endpoints
        WHERE id = ${endpointId} AND removed_at IS NULL ${tx.lock("FOR KEY SHARE")}`
      if (found.length === 0) return null
      const data = renderData(testEventType, { endpoint_id: endpointId })
      const event = { id: newId("evt"), type: testEventType, at, account: null, data }
      const [messageId] = await writeMessages(tx, [{ endpointId, event }])
      return messageId === undefined ? null : { messageId }
    }),
  enqueue: (event) => db.transaction((tx) => writeEvents(tx, [event])),
  hasPending: () =>
    // ORDER BY makes the planner use the index instead of scanning the table.
    db.hasRow`SELECT 1 FROM webhook_messages WHERE state = 'waiting'
      ORDER BY endpoint_id, next_at_ms LIMIT 1`,
  listDue: (nowMs, isWithFailing) => listDue(db, nowMs, isWithFailing),
  lease: (ids, nowMs, untilMs) => leaseMessages(db, ids, nowMs, untilMs),
  completeAttempt: (...attempt) => completeAttempt(db, ...attempt),
  failPending: (endpointId, rowsMax) =>
    db.transaction(async (tx) => {
      const rows = await tx.query`
        UPDATE webhook_messages SET state = 'failed' WHERE id IN (
          SELECT id FROM webhook_messages WHERE endpoint_id = ${endpointId} AND state = 'waiting'
          LIMIT ${rowsMax})
        RETURNING 1`
      return rows.length
    }),
  countPending: () =>
    db.readLong<PendingCount>`
      WITH m (endpoint_id, pending_messages) AS (
        SELECT endpoint_id, count(*) FROM webhook_messages WHERE state = 'waiting' GROUP BY 1)
      SELECT m.endpoint_id, ${isSuspended} AS is_suspended, m.pending_messages, e.failing_since_ms
      FROM m JOIN webhook_endpoints e ON e.id = m.endpoint_id
      WHERE ${isEnabled} ORDER BY m.endpoint_id`,
  async prune(afterId, rowsMax) {
    const id = await db.findValue<string>`SELECT id FROM webhook_endpoints
      WHERE id > ${afterId} ORDER BY id LIMIT 1`
    if (id === null) return null
    const removed = await db.transaction((tx) => removeOldDeliveries(tx, id, rowsMax))
    return removed < rowsMax ? id : afterId
  },
  deleteExpired: (before, rowsMax) => deleteExpired(db, before, rowsMax),
})

async function listDeliveries(
  db: SqlDatabase,
  ...[endpointId, before, rowsMax, filter]: Parameters<MessageStore["list"]>
): Promise<readonly Delivery[]> {
  const isBefore =
    before &&
    sql`(created_at, id) <
      (SELECT created_at, id FROM webhook_messages WHERE id = ${before})`
  const newest = sql`(SELECT * FROM webhook_messages
    WHERE ${allOf([sql`endpoint_id = ${endpointId}`, isBefore || null])}
    ORDER BY created_at DESC, id DESC LIMIT ${filteredMax})`
  const { state, type } = filter ?? {}
  const conditions = [type ? sql`v.type = ${type}` : null, state ? stateConditions[state] : null]
  const rows = await db.read<DeliveryRow>`${selectDeliveries(newest)} WHERE ${allOf(conditions)}
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${rowsMax}`
  return rows.map(toDelivery)
}

async function listDue(db: SqlDatabase, nowMs: number, isWithFailing: boolean) {
  const rows = await db.read<
    [id: string, accountId: EndpointOwner, failingSinceMs: number | null, messageIds: string]
  >(
    tuples`SELECT e.id, e.account_id, e.failing_since_ms, (
        SELECT string_agg(d.id, ' ') FROM (
          SELECT m.id ${fromPending} AND m.next_at_ms <= ${nowMs}
          ORDER BY m.next_at_ms LIMIT ${dueOfEndpointMax}) d)
      FROM webhook_endpoints e WHERE ${isEnabled} AND NOT ${isSuspended}
        ${isWithFailing ? sql`` : sql`AND e.failing_since_ms IS NULL`}
        AND (SELECT m.next_at_ms ${fromPending} ORDER BY m.next_at_ms LIMIT 1) <= ${nowMs}
      ORDER BY e.attempted_at_ms, e.id LIMIT ${dueEndpointsMax}`,
  )
  return rows.map(([id, accountId, failingSinceMs, ids]) => ({
    ...{ id, accountId, isFailing: failingSinceMs !== null },
    messageIds: ids.split(" "),
  }))
}

async function leaseMessages(
  db: SqlDatabase,
  ids: readonly string[],
  nowMs: number,
  untilMs: number,
): Promise<readonly LeasedMessage[]> {
  const rows = await db.transaction(async (tx) => {
    const leased = await tx.query<{ id: string }>`
      UPDATE webhook_messages SET next_at_ms = ${untilMs} WHERE id IN (
        SELECT id FROM webhook_messages
        WHERE id ${db.among(ids, "text")} AND state = 'waiting' AND next_at_ms <= ${nowMs}
        ${db.lock("FOR UPDATE SKIP LOCKED")}) RETURNING id`
    if (leased.length === 0) return []
    const leasedIds = leased.map(({ id }) => id)
    // `isEnabled` is a column, not a condition: without statistics PostgreSQL would start with a scan of all endpoints.
    return await tx.query<LeasedRow & { isEndpointEnabled: boolean }>`
      SELECT ${isEnabled} AS is_endpoint_enabled, m.id, m.attempts, m.endpoint_id,
        e.account_id, e.url, e.encrypted, e.old_encrypted, e.old_until, ${eventColumns}
      FROM webhook_messages m JOIN webhook_endpoints e ON e.id = m.endpoint_id
        JOIN webhook_events v ON v.id = m.event_id
      WHERE m.id ${db.among(leasedIds, "text")}`
  })
  const sent = rows.flatMap(({ isEndpointEnabled, ...row }) => (isEndpointEnabled ? [row] : []))
  const current = await withCurrentItems(db, sent)
  return current.map(({ id, attempts, endpointId, oldEncrypted, oldUntil, ...rest }) => {
    const { accountId, url, encrypted, ...event } = rest
    const oldSecret = toOldSecret(oldEncrypted, oldUntil)
    const endpoint = { id: endpointId, accountId, url, encrypted, oldSecret }
    return { id, leasedUntilMs: untilMs, attempts, endpoint, event }
  })
}

/** A message whose attempt was not recorded, because of a crash, is sent again. */
const completeAttempt = (
  db: SqlDatabase,
  ...[{ id, leasedUntilMs, endpoint }, attempt, nowMs, decide]: Parameters<
    MessageStore["completeAttempt"]
  >
) =>
  db.transaction(async ({ query }) => {
    const [earlier] = await query<PreviousAttempts>`
      SELECT failing_since_ms, attempted_at_ms FROM webhook_endpoints
      WHERE id = ${endpoint.id} AND removed_at IS NULL`
    if (earlier === undefined) return
    const { state, nextAtMs, failingSinceMs, disabled } = decide(earlier)
    // Once a second, because attempts that end together would wait for the lock of the row. Endpoints are locked before
    // their messages, so that transactions cannot deadlock.
    await query`
      UPDATE webhook_endpoints SET attempted_at_ms = ${nowMs}, failing_since_ms = ${failingSinceMs},
        disabled_at = coalesce(disabled_at, ${disabled && formatMs(nowMs)}),
        disabled_reason = coalesce(disabled_reason, ${disabled})
      WHERE id = ${endpoint.id} AND (attempted_at_ms <= ${nowMs - 1_000}
        OR failing_since_ms IS DISTINCT FROM ${failingSinceMs} OR ${disabled !== null})`
    const [updated] = await query<{ attempts: number }>`
      UPDATE webhook_messages
      SET state = ${state}, next_at_ms = ${nextAtMs ?? 0}, attempts = attempts + 1
      WHERE id = ${id} AND state = 'waiting' AND next_at_ms = ${leasedUntilMs} RETURNING attempts`
    if (updated === undefined) return
    const { attempts } = updated
    const { status, problem, response, durationMs } = attempt
    await query`
      INSERT INTO webhook_attempts
        (message_id, ordinal, at_ms, status, problem, duration_ms, response)
      VALUES (${id}, ${attempts}, ${nowMs}, ${status}, ${problem && JSON.stringify(problem)},
        ${durationMs}, ${response})`
    await query`DELETE FROM webhook_attempts
      WHERE message_id = ${id} AND ordinal <= ${attempts - attemptsMax}`
  })

async function deleteExpired(db: SqlDatabase, before: Timestamp, rowsMax: number) {
  const deleteIn = (table: string, condition: Sql) =>
    deleteRows(db, table, "id", condition, rowsMax)
  const old = await deleteIn("webhook_messages", sql`created_at < ${before}`)
  const isOfRemoved = sql`endpoint_id IN
    (SELECT id FROM webhook_endpoints WHERE removed_at IS NOT NULL)`
  const orphans = await deleteIn("webhook_messages", isOfRemoved)
  const isEmpty = sql`removed_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM webhook_messages m WHERE m.endpoint_id = old.id)`
  const endpoints = await deleteIn("webhook_endpoints", isEmpty)
  // Events are deleted a day after their messages, which reference them.
  const events = await deleteIn("webhook_events", sql`at < ${daysBefore(before, 1)}`)
  return Math.max(old, orphans, endpoints, events)
}

/** Endpoints of authors receive only items of the author, because an item may have moved to another author. */
async function withCurrentItems<Event extends SentEvent>(
  db: SqlDatabase,
  events: readonly Event[],
): Promise<readonly Event[]> {
  const ids = new Set(events.flatMap((event) => findItemId(event) ?? []))
  if (ids.size === 0) return events
  const rows = await db.read<{ id: number; accountId: number; body: string }>`
    SELECT id, account_id, body FROM items WHERE id ${db.among(ids, "bigint")}`
  const items = new Map(rows.map((item) => [item.id, item]))
  return events.map((event) => {
    const item = items.get(findItemId(event) ?? 0)
    const isSent =
      item !== undefined && (event.accountId === null || event.accountId === item.accountId)
    return isSent ? { ...event, data: withItem(event.data, item.body) } : event
  })
}

/** Locks the row of the author, so that concurrent test events are counted. Operators have no limit. */
async function isTestLimited(tx: Transaction, endpointId: string, at: Timestamp): Promise<boolean> {
  const [owner] = await tx.query<{ id: number }>`SELECT id FROM accounts
    WHERE id = (SELECT account_id FROM webhook_endpoints WHERE id = ${endpointId})
    ${tx.lock("FOR NO KEY UPDATE")}`
  if (owner === undefined) return false
  const sent = await tx.query`
    SELECT 1 FROM webhook_endpoints e JOIN webhook_messages m ON m.endpoint_id = e.id
      JOIN webhook_events v ON v.id = m.event_id
    WHERE e.account_id = ${owner.id} AND m.created_at > ${secondsBefore(new Date(at), 60)}
      AND v.type = ${testEventType} LIMIT ${testEventsMax}`
  return sent.length >= testEventsMax
}

/** Also deletes events without messages, except those with an idempotency key, which must not be created again. */
async function removeOldDeliveries(tx: Transaction, endpointId: string, rowsMax: number) {
  const removed = await tx.query<{ eventId: string; createdAt: Timestamp }>`
    DELETE FROM webhook_messages WHERE id IN (
      SELECT id FROM webhook_messages
      WHERE endpoint_id = ${endpointId} AND state <> 'waiting' AND (created_at, id) < (
        SELECT created_at, id FROM webhook_messages WHERE endpoint_id = ${endpointId}
        ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ${deliveriesMax - 1})
      LIMIT ${rowsMax})
    RETURNING event_id, created_at`
  if (removed.length === 0) return 0
  const eventIds = removed.map(({ eventId }) => eventId)
  const times = new Set(removed.map(({ createdAt }) => createdAt))
  // Messages have the creation time of their event and an index on it, but no index on the event.
  await tx.query`
    DELETE FROM webhook_events
    WHERE id ${tx.among(eventIds, "text")} AND idempotency_key IS NULL AND id NOT IN (
      SELECT event_id FROM webhook_messages WHERE created_at ${tx.among(times, "text")})`
  return removed.length
}

const toAttempt = ({ atMs, problem, ...attempt }: AttemptRow): RecordedAttempt => ({
  ...attempt,
  problem: problem === null ? null : JSON.parse(problem),
  at: formatMs(atMs),
})

function toDelivery(row: DeliveryRow): Delivery {
  const { nextAtMs, atMs, status, problem, response, durationMs, ...delivery } = row
  const last = { status, problem, response, durationMs }
  return {
    ...delivery,
    nextAt: delivery.state === "waiting" ? formatMs(nextAtMs) : null,
    last: atMs === null ? null : toAttempt({ ...last, atMs }),
  }
}

/** Random, not sequential: a restored database must not repeat an id. */
const newId = (prefix: "evt" | "msg") =>
  `${prefix}_${encodeBase62(crypto.getRandomValues(new Uint8Array(48))).slice(0, 24)}`

export const isEnabled = sql`disabled_at IS NULL AND removed_at IS NULL`

const parseTypes = (events: string | null): Listener["events"] =>
  events === null ? null : JSON.parse(events)

type ListenerRow = Omit<Listener, "events"> & Readonly<{ events: string | null }>
type Identified = NewEvent & Readonly<{ id: string }>

/** In the transaction of the change. Does nothing if no endpoint receives the events, or for an idempotency key that exists. */
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

const formatMs = (ms: number) => formatTimestamp(new Date(ms))

async function writeMessages(
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

const toOldSecret = (encrypted: Uint8Array | null, until: Timestamp | null) =>
  encrypted === null || until === null ? null : { encrypted, until }

type Row = Omit<
  ListedEndpoint,
  "events" | "disabled" | "oldSecret" | "failingSince" | "attemptedAt"
> &
  Readonly<{
    events: string | null
    disabledAt: Timestamp | null
    disabledReason: DisabledReason | null
    oldEncrypted: Uint8Array | null
    oldUntil: Timestamp | null
    failingSinceMs: number | null
    attemptedAtMs: number
  }>

const selectEndpoints = (rest: Sql) => sql`
  SELECT e.id, e.account_id, e.url, e.events, e.created_at, e.encrypted, e.old_encrypted, e.old_until,
    e.disabled_at, e.disabled_reason, e.failing_since_ms, e.attempted_at_ms, a.username, (
      SELECT count(*) FROM webhook_messages WHERE endpoint_id = e.id AND state = 'waiting'
    ) AS pending_messages
  FROM webhook_endpoints e LEFT JOIN accounts a ON a.id = e.account_id WHERE e.removed_at IS NULL ${rest}`

const isOwnedBy = (owner: EndpointOwner) => sql`coalesce(account_id, 0) = ${owner ?? 0}`

export function createEndpointStore(db: SqlDatabase): EndpointStore {
  const update = (id: string, changes: Sql) =>
    db.hasWritten`UPDATE webhook_endpoints SET ${changes} WHERE id = ${id} AND removed_at IS NULL
      RETURNING id`
  const list = async (rest: Sql) => (await db.read<Row>(selectEndpoints(rest))).map(toEndpoint)
  return {
    insert: (endpoint) =>
      db.transaction(async (tx) => {
        const { id, accountId, url, createdAt, encrypted } = endpoint
        // The lock serializes insertions per account, because its endpoints are counted.
        await tx.query`SELECT 1 FROM accounts WHERE id = ${accountId} ${db.lock("FOR NO KEY UPDATE")}`
        const others = await tx.query`SELECT 1 FROM webhook_endpoints
          WHERE removed_at IS NULL AND ${isOwnedBy(accountId)}`
        if (others.length >= endpointsMax) return "full"
        const inserted = await tx.query`
          INSERT INTO webhook_endpoints
            (id, account_id, url, events, created_at, encrypted)
          VALUES (${id}, ${accountId}, ${url}, ${toStoredTypes(endpoint.events)}, ${createdAt},
            ${encrypted})
          ON CONFLICT DO NOTHING RETURNING id`
        return inserted.length > 0 ? "inserted" : "known"
      }),
    list: async (owner) =>
      (await list(sql`AND ${isOwnedBy(owner)} ORDER BY e.created_at, e.id`)).map(
        ({ username: _, ...endpoint }) => endpoint,
      ),
    listAll: () => list(sql`ORDER BY coalesce(a.username, ''), e.created_at, e.id`),
    find: async (id) => (await list(sql`AND e.id = ${id}`))[0] ?? null,
    change: (id, { url, events }) =>
      update(id, sql`url = ${url}, events = ${toStoredTypes(events)}`),
    rotateSecret: (id, encrypted, until) =>
      update(id, sql`old_encrypted = encrypted, old_until = ${until}, encrypted = ${encrypted}`),
    disable: (id, at, reason) =>
      update(
        id,
        sql`disabled_at = coalesce(disabled_at, ${at}), disabled_reason = coalesce(disabled_reason, ${reason})`,
      ),
    enable: (id, nowMs) =>
      db.transaction(async (tx) => {
        const found = await tx.query`
          UPDATE webhook_endpoints
          SET disabled_at = NULL, disabled_reason = NULL, failing_since_ms = NULL
          WHERE id = ${id} AND removed_at IS NULL RETURNING id`
        await tx.query`UPDATE webhook_messages SET next_at_ms = ${nowMs}
          WHERE endpoint_id = ${id} AND state = 'waiting' AND next_at_ms > ${nowMs}`
        return found.length > 0
      }),
    remove: (id, at) => update(id, sql`removed_at = ${at}`),
  }
}

const toStoredTypes = (events: Endpoint["events"]) => events && JSON.stringify(events)

function toEndpoint(row: Row): ListedEndpoint {
  const { disabledAt: at, disabledReason: reason, oldEncrypted, oldUntil, ...rest } = row
  const { events, failingSinceMs, attemptedAtMs, ...endpoint } = rest
  return {
    ...endpoint,
    events: parseTypes(events),
    disabled: at === null || reason === null ? null : { at, reason },
    oldSecret: toOldSecret(oldEncrypted, oldUntil),
    failingSince: failingSinceMs === null ? null : formatMs(failingSinceMs),
    attemptedAt: attemptedAtMs === 0 ? null : formatMs(attemptedAtMs),
  }
}

/** The stores of this room. */
export const createWebhookStores = (db: SqlDatabase) => ({
  endpoints: createEndpointStore(db),
  messages: createMessageStore(db),
})
