import type { ApiKeyStore, StoredKey } from "../../domain/keys/api-key.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { recordKeyEvent, type Trace } from "../record-event.ts"

/** Revoking a revoked key is no error and changes nothing. */
export async function revokeKey(
  services: Trace & Readonly<{ keys: Pick<ApiKeyStore, "revoke"> }>,
  key: StoredKey,
): Promise<void> {
  if (key.revokedAt !== null) return
  await services.keys.revoke(key.id, formatTimestamp(services.now()))
  await recordKeyEvent(services, key, "revoked")
}
