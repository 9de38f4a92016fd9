import type { StoredKey } from "../domain/api-key.ts"
import type { KeyAction, KeyEventStore } from "../domain/key-event.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

/** The services that record an action on a key; `from` is a network, or "operator". */
export type KeyTrace = Readonly<{ keyEvents: KeyEventStore; now: () => Date; from: string }>

export function recordKeyEvent(
  { keyEvents, now, from }: KeyTrace,
  { accountId, id: keyId, name: keyName }: Pick<StoredKey, "accountId" | "id" | "name">,
  action: KeyAction,
): Promise<void> {
  return keyEvents.insert({ accountId, keyId, keyName, action, at: formatTimestamp(now()), from })
}
