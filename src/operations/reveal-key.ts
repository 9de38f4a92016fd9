import type { KeyVault, StoredKey } from "../domain/api-key.ts"
import { confirmationSeconds, type Session } from "../domain/session.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import { type KeyTrace, recordKeyEvent } from "./record-key-event.ts"

/** Whether the password was given recently enough to show a key again. */
export function isConfirmed(session: Session, now: () => Date): boolean {
  const since = new Date(now().getTime() - confirmationSeconds * 1000)
  return session.confirmedAt >= formatTimestamp(since)
}

/** Written down before it is shown: no reveal without its trace. */
export async function revealKey(
  services: KeyTrace & Readonly<{ vault: Pick<KeyVault, "unseal"> }>,
  key: StoredKey,
): Promise<string> {
  await recordKeyEvent(services, key, "revealed")
  return services.vault.unseal(key.sealed, key)
}
