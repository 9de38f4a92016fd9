import type { ApiKeyStore, StoredKey } from "../domain/api-key.ts"
import { type KeyTrace, recordKeyEvent } from "./record-key-event.ts"

export async function renameKey(
  services: KeyTrace & Readonly<{ keys: Pick<ApiKeyStore, "rename"> }>,
  key: StoredKey,
  name: string,
): Promise<void> {
  if (name === key.name) return
  await services.keys.rename(key.id, name)
  await recordKeyEvent(services, { ...key, name }, "renamed")
}
