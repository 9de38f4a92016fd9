import { stateOf } from "../../domain/api-key.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import type { KeyFacts } from "./pages/keys-page.tsx"
import type { WorkspaceServices } from "./services.ts"

/** The account's keys, newest first, each with how it is used. */
export async function listKeyFacts(
  { store, now }: WorkspaceServices,
  accountId: number,
): Promise<readonly KeyFacts[]> {
  const at = formatTimestamp(now())
  const [keys, usage] = await Promise.all([
    store.keys.list(accountId),
    store.usage.listByKey(accountId, at),
  ])
  const usageOf = new Map(usage.map((each) => [each.keyId, each]))
  return keys.toReversed().map((key) => ({
    key,
    state: stateOf(key, at),
    usage: usageOf.get(key.id) ?? null,
  }))
}

/** Null for another author's key as for one that never was. */
export async function findKeyFacts(
  services: WorkspaceServices,
  accountId: number,
  keyId: string,
): Promise<KeyFacts | null> {
  const keys = await listKeyFacts(services, accountId)
  return keys.find(({ key }) => key.id === keyId) ?? null
}
