import {
  type DisabledReason,
  type Endpoint,
  type EndpointStore,
  endpointsMax,
  type ListedEndpoint,
} from "../../../domain/events/endpoint.ts"
import { formatTimestamp, type Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"
import { parseTypes } from "./write-events.ts"

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

const select = `SELECT e.id, e.account_id, e.url, e.events, e.created_at, e.encrypted,
    e.old_encrypted, e.old_until, e.disabled_at,
    e.disabled_reason, e.pending_messages, e.failing_since_ms,
    e.attempted_at_ms, a.username
  FROM webhook_endpoints e LEFT JOIN accounts a ON a.id = e.account_id WHERE e.removed_at IS NULL`

/** Endpoints of operators have no account. */
const isOfOwner = "coalesce(account_id, 0) = coalesce($1, 0)"

export function createEndpointStore(db: SqlDatabase): EndpointStore {
  const update = (id: string, set: string, ...values: readonly Value[]) =>
    db.hasWritten(
      `UPDATE webhook_endpoints SET ${set} WHERE id = $1 AND removed_at IS NULL RETURNING id`,
      [id, ...values],
    )
  return {
    insert: (endpoint) =>
      db.transaction(async (tx) => {
        const { id, accountId, url, createdAt, encrypted, pendingMessages } = endpoint
        // The lock serializes insertions per account, because its endpoints are counted.
        const lock = `SELECT 1 FROM accounts WHERE id = $1 ${db.lock("FOR NO KEY UPDATE")}`
        await tx.query(lock, [accountId])
        const others = await tx.query(
          `SELECT 1 FROM webhook_endpoints WHERE removed_at IS NULL AND ${isOfOwner}`,
          [accountId],
        )
        if (others.length >= endpointsMax) return "full"
        const inserted = await tx.query(
          `INSERT INTO webhook_endpoints (id, account_id, url, events, created_at, encrypted, pending_messages)
           VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING id`,
          [
            id,
            accountId,
            url,
            toStoredTypes(endpoint.events),
            createdAt,
            encrypted,
            pendingMessages,
          ],
        )
        return inserted.length > 0 ? "inserted" : "known"
      }),
    async list(owner) {
      const ofOwner = `${select} AND ${isOfOwner} ORDER BY e.created_at, e.id`
      const rows = await db.read<Row>(ofOwner, [owner])
      return rows.map(toEndpoint).map(({ username: _, ...endpoint }) => endpoint)
    },
    async listAll() {
      const order = "ORDER BY coalesce(a.username, ''), e.created_at, e.id"
      return (await db.read<Row>(`${select} ${order}`)).map(toEndpoint)
    },
    async find(id) {
      const row = await db.find<Row>(`${select} AND e.id = $1`, [id])
      return row === null ? null : toEndpoint(row)
    },
    change: (id, { url, events }) =>
      update(id, "url = $2, events = $3", url, toStoredTypes(events)),
    rotateSecret: (id, encrypted, until) =>
      update(id, "old_encrypted = encrypted, old_until = $3, encrypted = $2", encrypted, until),
    disable: (id, at, reason) =>
      update(
        id,
        "disabled_at = coalesce(disabled_at, $2), disabled_reason = coalesce(disabled_reason, $3)",
        at,
        reason,
      ),
    enable: (id, nowMs) =>
      db.transaction(async (tx) => {
        const found = await tx.query(
          `UPDATE webhook_endpoints SET disabled_at = NULL, disabled_reason = NULL, failing_since_ms = NULL
           WHERE id = $1 AND removed_at IS NULL RETURNING id`,
          [id],
        )
        await tx.query(
          `UPDATE webhook_messages SET next_at_ms = $2
           WHERE endpoint_id = $1 AND state = 'waiting' AND next_at_ms > $2`,
          [id, nowMs],
        )
        return found.length > 0
      }),
    remove: (id, at) => update(id, "removed_at = $2, pending_messages = 0", at),
  }
}

const toStoredTypes = (events: Endpoint["events"]) => events && JSON.stringify(events)

export const toOldSecret = (encrypted: Uint8Array | null, until: Timestamp | null) =>
  encrypted === null || until === null ? null : { encrypted, until }

export const timestampOf = (ms: number) => formatTimestamp(new Date(ms))

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
