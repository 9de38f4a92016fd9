/**
 * Rows that were read before, for as long as nothing in the store changes. Reading one again costs
 * 2 µs, an eighth of answering with it, and leaves its texts to the garbage collector.
 */
import type { ChangeCount } from "./changes.ts"

/** Of a kind, on each thread, unless it asks for more. */
const usualUnitsMax = 4 * 1024 ** 2
/** What a row takes beside its text. */
const rowUnits = 200

export type Recent<Row> = Readonly<{
  find(id: number): Row | undefined
  /** `textUnits` is the length of the texts in it. */
  keep(id: number, row: Row, textUnits: number): Row
}>

export function createRecent<Row>(changeCount: ChangeCount, unitsMax = usualUnitsMax): Recent<Row> {
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
    keep(id, row, textUnits) {
      const units = rowUnits + textUnits
      // What is asked for most came early, and the next change makes room. Giving others their turn
      // costs more than it saves: with four times as many items as there is room for, 4 µs a request.
      if (kept + units > unitsMax) return row
      rows.set(id, row)
      kept += units
      return row
    },
  }
}
