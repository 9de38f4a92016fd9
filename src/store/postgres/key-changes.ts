import type { ApiKeyStore } from "../../domain/api-key.ts"
import type { ChangedKeys, KeyChanges } from "../../domain/key-changes.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import type { PrimaryHeartbeat } from "./primary-heartbeat.ts"
import type { Replicas } from "./replicas.ts"

export type Tell = (changed: ChangedKeys) => void

export function postgresKeyChanges(
  heartbeat: PrimaryHeartbeat,
  replicas: Replicas,
  watch: KeyChanges["watch"],
): KeyChanges {
  return {
    watch,
    catchUp: heartbeat.isCurrent,
    // Without a replica to ask instead, the primary is worth another try.
    isStoreLost: () => heartbeat.isLost() && replicas.isAnyWell(),
    async findCopy(lookup) {
      const copies = await replicas.ask(async ({ keys }) => [await keys.findByLookup(lookup)])
      if (copies === null) throw new StoreUnavailable("no replica can be asked")
      return copies[0] ?? null
    },
  }
}

/** Changes made by this node are told at once, without waiting for the next heartbeat. */
export function tellOwnChanges(keys: ApiKeyStore, tell: Tell): ApiKeyStore {
  return {
    ...keys,
    async rename(id, name) {
      await keys.rename(id, name)
      tell([id])
    },
    async revoke(id, at) {
      await keys.revoke(id, at)
      tell([id])
    },
    async replace(oldId, endsAt, replacement) {
      const isReplaced = await keys.replace(oldId, endsAt, replacement)
      tell([oldId])
      return isReplaced
    },
  }
}
