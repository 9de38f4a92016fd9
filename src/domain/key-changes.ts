/** How a cache of keys learns that its entries are stale. */
import type { ApiKey } from "./api-key.ts"

/** The ids of keys that changed or went; "all" when it cannot be said which. */
export type ChangedKeys = readonly ApiKey["id"][] | "all"

export interface KeyChanges {
  /** Called for every change from now on, by any process, within a second of it. */
  watch(onChange: (changed: ChangedKeys) => void): void
  /**
   * Tells the watchers of changes they have not heard of, where the store can see them at once. True when
   * every change up to a second ago was told: only then may a cached key be used without a look-up.
   */
  catchUp(): boolean
  /** Whether the store is known to be out of reach, so that asking it would only take time. */
  isStoreLost(): boolean
  /**
   * What a copy of the store says, for when the store itself cannot be asked. It may lack the last
   * second. Throws StoreUnavailable when there is no copy or none that can be asked.
   */
  findCopy(lookup: Uint8Array): Promise<ApiKey | null>
}
