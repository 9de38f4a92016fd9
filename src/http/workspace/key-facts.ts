import type { StoredKey } from "../../domain/api-key.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import type { KeyFacts, KeyState } from "./pages/keys-page.tsx"
import type { WorkspaceServices } from "./services.ts"

/** The account's keys, newest first, each with how it is used. */
export async function listKeyFacts(
  { store, now }: WorkspaceServices,
  accountId: number,
): Promise<readonly KeyFacts[]> {
  const at = formatTimestamp(now())
  const [keys, usage, events] = await Promise.all([
    store.keys.list(accountId),
    store.usage.listByKey(accountId, at),
    store.keyEvents.list(accountId, eventsMax),
  ])
  const usageOf = new Map(usage.map((each) => [each.keyId, each]))
  const replaced = new Set(
    events.filter(({ action }) => action === "replaced").map(({ keyId }) => keyId),
  )
  return keys.toReversed().map((key) => ({
    key,
    state: stateOf(key, at, replaced.has(key.id)),
    usage: usageOf.get(key.id) ?? null,
  }))
}

/** Enough to find every replacement that is still under way. */
const eventsMax = 1_000

function stateOf({ revokedAt, expiresAt }: StoredKey, at: string, isReplaced: boolean): KeyState {
  if (revokedAt !== null) return "revoked"
  if (expiresAt !== null && expiresAt <= at) return "expired"
  return isReplaced ? "ending" : "active"
}
