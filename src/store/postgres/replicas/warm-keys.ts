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
import type { Replicas } from "./replicas.ts"

/** About 20 MB on each thread. */
const keysMax = 100_000

/** A promoted standby has no connections yet, and many that want one. */
const triesMax = 5
const triesEveryMs = 1_000

type Row = Readonly<{ id: string; lookup: string }>

/** Calls `watch` at once. Its first change is "all", when the heartbeat begins. */
export function warmKeys(
  keys: ApiKeyStore,
  db: Pick<Database, "read">,
  { watch, isStoreLost, findCopy }: KeyChanges,
  { askPromoted }: Pick<Replicas, "askPromoted">,
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
  /** Without the list, a key is looked up when it comes, as any other. */
  function fillLater(round: ReadonlySet<string>, tries = 1): void {
    if (tries > triesMax) return
    const timer = setTimeout(() => {
      if (changed === round) fill().catch(() => fillLater(changed, tries + 1))
    }, tries * triesEveryMs)
    timer.unref()
  }
  function note(change: ChangedKeys): void {
    if (change === "all") return void fill().catch(() => fillLater(changed))
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
        if (!(error instanceof StoreUnavailable)) throw error
        if (isWarm) return copyOf(lookup)
        const found = await askPromoted(async ({ keys }) => [await keys.findByLookup(lookup)])
        if (found === null) throw error
        return found[0] ?? null
      }
    },
  }
}
