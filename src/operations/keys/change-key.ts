import { type NewEvent, renderData } from "../../domain/events/event.ts"
import {
  type ApiKeyStore,
  isLive,
  type KeyCipher,
  type StoredKey,
  stateOf,
} from "../../domain/keys/api-key.ts"
import { requireRight } from "../../domain/sign-in/operator-role.ts"
import { UserError } from "../../domain/values/error.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
import { type Recording, recordKeyEvent } from "../record-event.ts"

export const createLeakEvent = (
  { id, name, accountId, username }: Pick<StoredKey, "id" | "name" | "accountId" | "username">,
  at: Timestamp,
): NewEvent => ({
  type: "key.leaked",
  at,
  account: { id: accountId, username },
  data: renderData("key.leaked", { key_id: id, name }),
})

export async function renameKey(
  services: Recording & Readonly<{ keys: Pick<ApiKeyStore, "rename"> }>,
  key: StoredKey,
  name: string,
): Promise<void> {
  if (name === key.name) return
  await services.keys.rename(key.id, name)
  await recordKeyEvent(services, { ...key, name }, "renamed")
}

/** Recorded first, so that no reveal goes unrecorded. Inactive keys are not revealed. */
export async function revealKey(
  services: Recording & Readonly<{ keyCipher: Pick<KeyCipher, "decrypt"> }>,
  key: StoredKey,
): Promise<string> {
  const state = stateOf(key, formatTimestamp(services.now()))
  if (!isLive(state)) throw new UserError(`key ${key.id} is inactive; create a new key`)
  await recordKeyEvent(services, key, "revealed")
  return services.keyCipher.decrypt(key.encrypted, key)
}

/** `isLeaked`: others may know the key. Revoking a revoked key changes nothing. */
export async function revokeKey(
  services: Recording & Readonly<{ keys: Pick<ApiKeyStore, "revoke"> }>,
  key: StoredKey,
  isLeaked = false,
): Promise<void> {
  requireRight(services.actor, "manage")
  if (key.revokedAt !== null) return
  const at = formatTimestamp(services.now())
  await services.keys.revoke(key.id, at, isLeaked ? createLeakEvent(key, at) : null)
  await recordKeyEvent(services, key, "revoked")
}
