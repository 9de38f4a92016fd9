/**
 * Rows that were read before, until a cached table changes. Reading a row again costs 2 µs, an eighth of
 * an answer, and leaves its texts to the garbage collector.
 */
import type { ChangeCount } from "./changes.ts"

/** Of each kind, on each thread. */
const bytesMax = 4 * 1024 ** 2
/** A row takes this much beside its text. */
const rowBytes = 200

export type RowCache<Id, Row> = Readonly<{
  /** The cached row, else the one that `load` finds. Null, for no row, is not cached. */
  get(id: Id, load: () => Row | null): Row | null
}>

/** `textOf` is the long part of a row, by which its size is estimated. */
export function createRowCache<Id, Row>(
  changeCount: ChangeCount,
  textOf: (row: Row) => string,
): RowCache<Id, Row> {
  const rows = new Map<Id, Row>()
  let bytes = 0
  let seenChanges = changeCount()

  function clearIfChanged(): void {
    const changes = changeCount()
    if (changes === seenChanges) return
    seenChanges = changes
    rows.clear()
    bytes = 0
  }
  function put(id: Id, row: Row): void {
    const text = textOf(row)
    // Measuring a text takes 1 µs: skipped where there is no room for even one byte a letter.
    if (bytes + rowBytes + text.length > bytesMax) return
    const size = rowBytes + bytesOf(text)
    // No eviction: it cost 4 µs a request in tests, and the next change clears the cache.
    if (bytes + size > bytesMax) return
    rows.set(id, row)
    bytes += size
  }
  return {
    get(id, load) {
      clearIfChanged()
      const cached = rows.get(id)
      if (cached !== undefined) return cached
      const row = load()
      if (row !== null) put(id, row)
      return row
    },
  }
}

/** One letter beyond Latin-1 doubles the size of a text. */
const bytesOf = (text: string) => (/[^\u0000-\u00ff]/.test(text) ? 2 : 1) * text.length
