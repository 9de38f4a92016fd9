/**
 * The keys that the primary had when it was last asked. If it fails, a key among them is accepted by what a replica
 * says of it, also one that this node has not seen yet: right after a start the cache of keys is still empty. A key
 * that changed since is not among them, because a replica may lack the change.
 */
import type {
  ApiKeyStore,
  ChangedKeys,
  FoundKey,
  KeyChanges,
} from "../../../domain/keys/api-key.ts"
import { StoreUnavailable } from "../../../domain/store.ts"
import type { Database } from "../connection/database.ts"

/** About 20 MB on each thread. */
const keysMax = 100_000

type Row = Readonly<{ id: string; lookup: string }>

/** Calls `watch` at once. Its first change is "all", when the heartbeat begins. */
export function warmKeys(
  keys: ApiKeyStore,
  db: Pick<Database, "read">,
  { watch, isStoreLost, findCopy }: KeyChanges,
): ApiKeyStore {
  let lookups = new Map<string, string>()
  let changed = new Set<string>()

  async function fill(): Promise<void> {
    const during = new Set<string>()
    changed = during
    lookups = new Map()
    const rows = await db.read<Row>(
      `SELECT id, encode(lookup, 'hex') AS lookup FROM api_keys WHERE revoked_at IS NULL
       ORDER BY serial DESC LIMIT ${keysMax}`,
    )
    // Another "all" has begun a newer round.
    if (changed !== during) return
    lookups = new Map(
      rows.filter(({ id }) => !during.has(id)).map(({ id, lookup }) => [lookup, id]),
    )
  }
  function note(change: ChangedKeys): void {
    // Without the list, a key is looked up when it comes, as any other.
    if (change === "all") return void fill().catch(() => {})
    for (const id of change) changed.add(id)
    for (const [lookup, id] of lookups) if (changed.has(id)) lookups.delete(lookup)
  }
  watch(note)

  async function copyOf(lookup: Uint8Array): Promise<FoundKey> {
    const copy = await findCopy(lookup)
    if (copy === null) throw new StoreUnavailable("no copy of the store has this key")
    return copy
  }
  return {
    ...keys,
    async findByLookup(lookup) {
      const isWarm = lookups.has(Buffer.from(lookup).toString("hex"))
      if (isWarm && isStoreLost()) return copyOf(lookup)
      try {
        return await keys.findByLookup(lookup)
      } catch (error) {
        if (isWarm && error instanceof StoreUnavailable) return copyOf(lookup)
        throw error
      }
    },
  }
}
