import type { SqlDatabase } from "../platform/database/sql.ts"
import type { Timestamp } from "../platform/time.ts"
import { type NewEvent, renderData } from "../webhooks/event.ts"
import { isEnabled, writeEvents } from "../webhooks/event-store.ts"
import type { FailedRequest } from "./usage.ts"

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
