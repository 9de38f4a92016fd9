/**
 * Long answers, ready to send, by their entity tags. Blobs: the runtime sends the same bytes to any number
 * of readers, and would copy an array for each of them. The same tag means the same bytes, so no entry can
 * be stale. Rendering and compressing a list costs many times what sending it does.
 */
import { DomainError } from "../../domain/error.ts"
import { type CacheCounts, createCacheCounts } from "../../domain/measures.ts"

export type ResponseCache = Readonly<{
  /**
   * The answer cached under this tag, or null. The second miss of a tag runs `load` in the background, one
   * load at a time. A `load` that gives null is not run again for that tag.
   */
  get(tag: string, load: () => Promise<Uint8Array<ArrayBuffer> | null>): Blob | null
  counts: Readonly<CacheCounts>
}>

/** For each thread. A list of 1,000 items takes 0.7 MB, packed a tenth of that. */
const bytesMax = 16 * 1024 ** 2
/** One author's list must not evict all others. */
export const entryBytesMax = 4 * 1024 ** 2
const tagsMax = 1_000

export function createResponseCache(onFault: (fault: unknown) => void): ResponseCache {
  const kept = new Map<string, Blob>()
  const missed = new Set<string>()
  const refused = new Set<string>()
  const counts = createCacheCounts()
  let bytes = 0
  let isLoading = false

  function put(tag: string, entry: Uint8Array<ArrayBuffer>): void {
    kept.set(tag, new Blob([entry]))
    bytes += entry.length
    for (const [oldest, { size }] of kept) {
      if (bytes <= bytesMax) break
      kept.delete(oldest)
      bytes -= size
    }
  }
  async function fill(tag: string, load: Parameters<ResponseCache["get"]>[1]): Promise<void> {
    isLoading = true
    try {
      const entry = await load()
      if (entry !== null && entry.length <= entryBytesMax) put(tag, entry)
      else note(refused, tag)
    } catch (fault) {
      // An expected "no", as for an account without items, has no bytes to keep.
      if (fault instanceof DomainError) note(refused, tag)
      else onFault(fault)
    } finally {
      isLoading = false
    }
  }
  return {
    get(tag, load) {
      const entry = kept.get(tag)
      if (entry !== undefined) {
        counts.hits += 1
        return entry
      }
      counts.misses += 1
      if (isLoading || refused.has(tag)) return null
      if (missed.delete(tag)) void fill(tag, load)
      else note(missed, tag)
      return null
    },
    counts,
  }
}

/** A full set is cleared: that costs less than evicting the oldest. */
function note(tags: Set<string>, tag: string): void {
  if (tags.size >= tagsMax) tags.clear()
  tags.add(tag)
}
