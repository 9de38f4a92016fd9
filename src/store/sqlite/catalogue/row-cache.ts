/**
 * Rows that were read before, until a cached table changes. Reading a row again costs 2 µs, an eighth of
 * an answer, and leaves its texts to the garbage collector.
 */
import type { CacheCounts } from "../../../domain/usage/measures.ts"
import type { ChangeCount } from "../connection/changes.ts"

/** For each kind of row, on each thread. */
const bytesMax = 4 * 1024 ** 2
/** A row takes this much beside its text. */
const rowBytes = 200

/** `textOf` is the long part of a row, by which its size is estimated. Several caches may share `counts`. */
export function createRowCache<Row>(
  changeCount: ChangeCount,
  counts: CacheCounts,
  textOf: (row: Row) => string,
) {
  const rows = new Map<number, Row>()
  let bytes = 0
  let seenChanges = changeCount()

  return {
    /** Null for a row that is not cached. The absence of a row is never cached. */
    find(id: number): Row | null {
      const changes = changeCount()
      if (changes === seenChanges) {
        const row = rows.get(id) ?? null
        if (row === null) counts.misses += 1
        else counts.hits += 1
        return row
      }
      counts.misses += 1
      seenChanges = changes
      rows.clear()
      bytes = 0
      return null
    },
    /** For a row that was loaded after `find`, in the same turn. */
    put(id: number, row: Row): void {
      const text = textOf(row)
      // Measuring a text takes 1 µs: skipped where there is no room for even one byte a letter.
      if (bytes + rowBytes + text.length > bytesMax) return
      const size = rowBytes + bytesOf(text)
      // No eviction: it cost 4 µs a request in tests, and the next change clears the cache.
      if (bytes + size > bytesMax) return
      rows.set(id, row)
      bytes += size
    },
  }
}

/** One letter beyond Latin-1 doubles the size of a text. */
const bytesOf = (text: string) => (/[^\u0000-\u00ff]/.test(text) ? 2 : 1) * text.length
