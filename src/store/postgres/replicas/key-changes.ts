import type { ApiKeyStore, ChangedKeys, KeyChanges } from "../../../domain/keys/api-key.ts"
import { StoreUnavailable } from "../../../domain/store.ts"
import type { PrimaryHeartbeat } from "./primary-heartbeat.ts"
import type { Replicas } from "./replicas.ts"

export type NotifyChange = (changed: ChangedKeys) => void

export function postgresKeyChanges(
  heartbeat: PrimaryHeartbeat,
  replicas: Replicas,
  watch: KeyChanges["watch"],
): KeyChanges {
  return {
    watch,
    catchUp: heartbeat.isCurrent,
    // If no replica is healthy, try the primary again.
    isStoreLost: () => heartbeat.isLost() && replicas.isAnyHealthy(),
    async findCopy(lookup) {
      const copies = await replicas.askInstead(async ({ keys }) => [
        await keys.findByLookup(lookup),
      ])
      if (copies === null) throw new StoreUnavailable("no replica can be asked")
      return copies[0] ?? null
    },
  }
}

/** Reports changes made by this node at once, without waiting for the next heartbeat. */
export function notifyOwnChanges(keys: ApiKeyStore, notify: NotifyChange): ApiKeyStore {
  return {
    ...keys,
    async rename(id, name) {
      await keys.rename(id, name)
      notify([id])
    },
    async revoke(id, ...rest) {
      await keys.revoke(id, ...rest)
      notify([id])
    },
    async replace(oldId, ...rest) {
      const isReplaced = await keys.replace(oldId, ...rest)
      notify([oldId])
      return isReplaced
    },
  }
}
