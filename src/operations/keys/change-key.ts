import {
  type ApiKeyStore,
  isLive,
  type KeyVault,
  type StoredKey,
  stateOf,
} from "../../domain/keys/api-key.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { type Recording, recordKeyEvent } from "../record-event.ts"

export async function renameKey(
  services: Recording & Readonly<{ keys: Pick<ApiKeyStore, "rename"> }>,
  key: StoredKey,
  name: string,
): Promise<void> {
  if (name === key.name) return
  await services.keys.rename(key.id, name)
  await recordKeyEvent(services, { ...key, name }, "renamed")
}

/**
 * The event is recorded before the key is shown, so that no reveal goes unrecorded. A key that has ended
 * is not shown.
 */
export async function revealKey(
  services: Recording & Readonly<{ vault: Pick<KeyVault, "unseal"> }>,
  key: StoredKey,
): Promise<string> {
  const state = stateOf(key, formatTimestamp(services.now()))
  if (!isLive(state)) throw new RefusedError(`key ${key.id} has ended`)
  await recordKeyEvent(services, key, "revealed")
  return services.vault.unseal(key.sealed, key)
}

/** Revoking a revoked key is no error and changes nothing. */
export async function revokeKey(
  services: Recording & Readonly<{ keys: Pick<ApiKeyStore, "revoke"> }>,
  key: StoredKey,
): Promise<void> {
  if (key.revokedAt !== null) return
  await services.keys.revoke(key.id, formatTimestamp(services.now()))
  await recordKeyEvent(services, key, "revoked")
}
