/** Tells authors of sites that were refused and of keys that are called after they stopped. */
import { type NewEvent, renderData } from "../../../domain/events/event.ts"
import type { FailedRequest } from "../../../domain/usage/failed-requests.ts"
import type { Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase } from "../sql-database.ts"
import { isEnabled, writeEvents } from "./write-events.ts"

type CalledKey = Readonly<{ id: string; name: string; accountId: number; username: string }>

const isStopped = ({ reason }: FailedRequest) =>
  reason === "revoked_key" || reason === "expired_key"

/** Once a day for a code and for a key: a product in a loop would send events without end. */
export async function writeFailureEvents(
  db: SqlDatabase,
  at: Timestamp,
  failures: readonly FailedRequest[],
): Promise<void> {
  const told = failures.filter((call) => call.rejectedSite !== undefined || isStopped(call))
  if (told.length === 0) return
  const keys = await db.read<CalledKey>(
    // Only keys whose events have an endpoint.
    `SELECT k.id, k.name, a.id AS "accountId", a.username
     FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.id ${db.among("$1", "text")} AND k.kind <> 'tk' AND EXISTS (
       SELECT 1 FROM webhook_endpoints e
       WHERE ${isEnabled} AND (e.account_id IS NULL OR e.account_id = a.id))`,
    [JSON.stringify([...new Set(told.map(({ keyId }) => keyId))])],
  )
  if (keys.length === 0) return
  const byId = new Map(keys.map((key) => [key.id, key]))
  const events = told.flatMap((call) => {
    const key = byId.get(call.keyId)
    return key === undefined ? [] : [eventOf(call, key, at)]
  })
  await db.transaction((tx) => writeEvents(tx, events))
}

function eventOf({ code, rejectedSite }: FailedRequest, key: CalledKey, at: Timestamp): NewEvent {
  const { id, name, accountId, username } = key
  const day = at.slice(0, 10)
  const account = { id: accountId, username }
  if (rejectedSite === undefined) {
    const type = "key.called_after_stop"
    return {
      type,
      at,
      account,
      data: renderData(type, { key_id: id, name }),
      idempotencyKey: `${type} ${day} ${id}`,
    }
  }
  const type = "site.refused"
  const data = renderData(type, { purchase_code: code, ...rejectedSite })
  return { type, at, account, data, idempotencyKey: `${type} ${day} ${code}` }
}
