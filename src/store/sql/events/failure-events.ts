import { type NewEvent, renderData } from "../../../domain/events/event.ts"
import type { FailedRequest } from "../../../domain/usage/usage.ts"
import type { Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase } from "../sql-database.ts"
import { isEnabled, writeEvents } from "./write-events.ts"

type CalledKey = Readonly<{ id: string; name: string; accountId: number; username: string }>

const isInactiveKey = ({ reason }: FailedRequest) =>
  reason === "revoked_key" || reason === "expired_key"

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
    (request) => request.rejectedSite !== undefined || isInactiveKey(request),
  )
  if (reported.length === 0) return
  const keys = await db.read<CalledKey>(
    // Only keys whose events are delivered to an endpoint.
    `SELECT k.id, k.name, a.id AS "accountId", a.username
     FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.id ${db.among("$1", "text")} AND k.kind <> 'tk' AND EXISTS (
       SELECT 1 FROM webhook_endpoints e
       WHERE ${isEnabled} AND (e.account_id IS NULL OR e.account_id = a.id))`,
    [JSON.stringify([...new Set(reported.map(({ keyId }) => keyId))])],
  )
  if (keys.length === 0) return
  const byId = new Map(keys.map((key) => [key.id, key]))
  const events = reported.flatMap((request) => {
    const key = byId.get(request.keyId)
    return key === undefined ? [] : [eventOf(request, key, at)]
  })
  await db.transaction((tx) => writeEvents(tx, events))
}

function eventOf({ code, rejectedSite }: FailedRequest, key: CalledKey, at: Timestamp): NewEvent {
  const { id, name, accountId, username } = key
  const day = at.slice(0, 10)
  const account = { id: accountId, username }
  if (rejectedSite === undefined) {
    const type = "key.called_after_stop"
    const data = renderData(type, { key_id: id, name })
    return { type, at, account, data, idempotencyKey: `${type} ${day} ${id}` }
  }
  const type = "site.refused"
  const data = renderData(type, { purchase_code: code, ...rejectedSite })
  return { type, at, account, data, idempotencyKey: `${type} ${day} ${code}` }
}
