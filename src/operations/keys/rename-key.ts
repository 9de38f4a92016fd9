import type { ApiKeyStore, StoredKey } from "../../domain/keys/api-key.ts"
import { recordKeyEvent, type Trace } from "../record-event.ts"

export async function renameKey(
  services: Trace & Readonly<{ keys: Pick<ApiKeyStore, "rename"> }>,
  key: StoredKey,
  name: string,
): Promise<void> {
  if (name === key.name) return
  await services.keys.rename(key.id, name)
  await recordKeyEvent(services, { ...key, name }, "renamed")
}
