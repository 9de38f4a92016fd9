/**
 * Rows that were read before, for as long as nothing in the store changes. Reading one again costs
 * 2 µs, an eighth of answering with it, and leaves its texts to the garbage collector.
 */
import type { ChangeCount } from "./changes.ts"

/** Of each kind, on each thread. */
const bytesMax = 4 * 1024 ** 2
/** What a row takes beside its text. */
const rowBytes = 200

export type Recent<Row> = Readonly<{
  find(id: number): Row | undefined
  /** `text` is what is long in it. */
  keep(id: number, row: Row, text: string): Row
}>

export function createRecent<Row>(changeCount: ChangeCount): Recent<Row> {
  const rows = new Map<number, Row>()
  let kept = 0
  let seenChanges = changeCount()

  return {
    find(id) {
      const changes = changeCount()
      if (changes !== seenChanges) {
        seenChanges = changes
        rows.clear()
        kept = 0
      }
      return rows.get(id)
    },
    keep(id, row, text) {
      // To look through a text takes 1 µs: not where there is no room for a byte a letter.
      if (kept + rowBytes + text.length > bytesMax) return row
      const bytes = rowBytes + bytesOf(text)
      // What is asked for most came early, and the next change makes room. Giving others their turn
      // costs more than it saves: with four times as many items as there was room for, 4 µs a request.
      if (kept + bytes > bytesMax) return row
      rows.set(id, row)
      kept += bytes
      return row
    },
  }
}

/** One letter beyond Latin-1 doubles a text. */
const bytesOf = (text: string) => (/[^\u0000-\u00ff]/.test(text) ? 2 : 1) * text.length
