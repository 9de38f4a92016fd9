/**
 * Encoded bodies of long responses by entity tag. A tag identifies its bytes, so entries never go stale.
 * Entries are blobs because the runtime copies an array for each reader, but not a blob.
 */
import { createWorkQueue, untilNextTurn } from "../../../domain/values/timers.ts"

export type ResponseCache = Readonly<{
  /**
   * The first reader of a tag loads the body; concurrent readers wait for it. Returns null if the reader
   * has to render the body itself: `load` returned null, the body is too long, or the load failed for
   * another reader.
   */
  get(tag: string, load: () => Promise<Blob | null>): Blob | null | Promise<Blob | null>
}>

/** Per thread. A list of 1,000 items takes 0.7 MB, a tenth of that with gzip. */
const bytesMax = 16 * 1024 ** 2
/** One author's list must not evict all others. */
export const entryBytesMax = 4 * 1024 ** 2
/** Concurrent loads: as many of the longest bodies as fit. */
const loadsMax = bytesMax / entryBytesMax
const entriesMax = 10_000
const uncacheableMax = 1_000

export function createResponseCache(): ResponseCache {
  /** Least recently used first. Null for a tag that was requested but did not fit. */
  const entries = new Map<string, Blob | null>()
  const loading = new Map<string, Promise<Blob | null>>()
  const enqueue = createWorkQueue(loadsMax, untilNextTurn)
  const uncacheable = new Set<string>()
  let bytes = 0

  function drop(tag: string): void {
    bytes -= entries.get(tag)?.size ?? 0
    entries.delete(tag)
  }
  function putLast(tag: string, entry: Blob | null): void {
    drop(tag)
    entries.set(tag, entry)
    bytes += entry?.size ?? 0
  }
  /**
   * When full, admit an entry only on its second request. Otherwise a rotation of lists that do not all
   * fit would evict each list just before its next request.
   */
  function admit(tag: string, entry: Blob): void {
    const isFull = () => bytes + entry.size > bytesMax
    const wasRequested = entries.has(tag)
    for (const oldest of entries.keys()) {
      if (oldest === tag || !((wasRequested && isFull()) || entries.size >= entriesMax)) break
      drop(oldest)
    }
    putLast(tag, isFull() ? null : entry)
  }
  function markUncacheable(tag: string): void {
    if (uncacheable.size >= uncacheableMax) uncacheable.clear()
    uncacheable.add(tag)
  }
  async function fill(tag: string, load: Parameters<ResponseCache["get"]>[1]) {
    try {
      const body = await load()
      const entry = body === null || body.size > entryBytesMax ? null : body
      if (entry === null) markUncacheable(tag)
      else admit(tag, entry)
      return entry
    } finally {
      loading.delete(tag)
    }
  }
  return {
    get(tag, load) {
      const entry = entries.get(tag)
      if (entry) {
        putLast(tag, entry)
        return entry
      }
      const pending = loading.get(tag)
      if (pending !== undefined) return pending.catch(() => null)
      if (uncacheable.has(tag)) return null
      const filled = enqueue(() => fill(tag, load))
      loading.set(tag, filled)
      return filled
    },
  }
}
