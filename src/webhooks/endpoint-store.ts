import type { SqlDatabase } from "../platform/database/sql.ts"
import { type Sql, sql } from "../platform/database/statement.ts"
import type { Timestamp } from "../platform/time.ts"
import {
  type DisabledReason,
  type Endpoint,
  type EndpointOwner,
  type EndpointStore,
  endpointsMax,
  type ListedEndpoint,
} from "./endpoint.ts"
import { parseTypes, timestampOf, toOldSecret } from "./message-store.ts"

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

/** Endpoints of operators have no account. */
const isOf = (owner: EndpointOwner) => sql`coalesce(account_id, 0) = ${owner ?? 0}`

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
          WHERE removed_at IS NULL AND ${isOf(accountId)}`
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
      (await list(sql`AND ${isOf(owner)} ORDER BY e.created_at, e.id`)).map(
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
    failingSince: failingSinceMs === null ? null : timestampOf(failingSinceMs),
    attemptedAt: attemptedAtMs === 0 ? null : timestampOf(attemptedAtMs),
  }
}
