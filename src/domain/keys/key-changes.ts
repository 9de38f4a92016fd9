/** How a cache of keys learns that its entries are stale. */
import type { ApiKey, FoundKey } from "./api-key.ts"

/** The ids of keys that changed or went, themselves or their account; "all" when it cannot be said which. */
export type ChangedKeys = readonly ApiKey["id"][] | "all"

export interface KeyChanges {
  /** Called for every change from now on, by any process, within a second of it. */
  watch(onChange: (changed: ChangedKeys) => void): void
  /**
   * Reports new changes to the watchers, if the store can see them at once. True when every change up to
   * a second ago was reported: only then may a cached key be used without a look-up.
   */
  catchUp(): boolean
  /** Whether the store is known to be unreachable, so that asking it would only cost time. */
  isStoreLost(): boolean
  /**
   * The key as a copy of the store has it, for when the store itself cannot be asked. The copy may lack
   * the last second. Throws StoreUnavailable when there is no copy or none that can be asked.
   */
  findCopy(lookup: Uint8Array): Promise<FoundKey | null>
}
