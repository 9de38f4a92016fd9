/** The marks by which the two stores of a move are known, and what they keep others from doing. */
import {
  failedBackupMark,
  lastBackupBytesMark,
  lastBackupMark,
  StoreMoved,
  StoreUnavailable,
} from "../../../domain/store.ts"
import { RefusedError } from "../../../domain/values/error.ts"

/** In the old store, while its changes are noted: the id of the move. */
export const movingMark = "moving"
/** In the new store, until it is complete: the id of the move. */
export const incompleteMark = "moving here"
/** In the new store, once it is complete: the same. */
export const arrivedMark = "moved here"
/** In the old store, from the moment when it is closed: JSON of `MovedTo`. */
export const movedMark = "moved to"

/** In an embedded store: of which codes a site was last released. */
export const releasedSitesMark = "released sites"

/** These, and what is about the old store alone, stay behind. */
export const moveMarks = [
  movingMark,
  incompleteMark,
  arrivedMark,
  movedMark,
  releasedSitesMark,
  lastBackupMark,
  lastBackupBytesMark,
  failedBackupMark,
]

export type MovedTo = Readonly<{ id: string; place: string; at: string }>

export const selectMoved = `SELECT value FROM metadata WHERE name = '${movedMark}'`

export const selectClosing = `SELECT name, value FROM metadata WHERE name IN ('${movedMark}', '${incompleteMark}')`

/** There is nothing left to move, or to give up. */
export const alreadyMoved = ({ place, at }: MovedTo) =>
  new RefusedError(`this store was moved to ${place} at ${at} already`)

/** Nothing is written to a store that was moved: it would be missing in the new one. */
export function explainMoved(value: string): StoreMoved {
  // `close` of a move wrote it.
  const { place, at }: MovedTo = JSON.parse(value)
  return new StoreMoved(
    `this store was moved to ${place} at ${at} and takes no writes any more: set DATABASE_URL to the new one`,
  )
}

/** Throws for a store that was moved away, or whose move here was not completed. */
export function assertNotMoving(marks: readonly Readonly<{ name: string; value: string }>[]): void {
  const moved = marks.find(({ name }) => name === movedMark)
  if (moved !== undefined) throw explainMoved(moved.value)
  if (marks.length === 0) return
  throw new StoreUnavailable(
    "a move into this store was not completed: run `pazar move` again, with the settings of the old store",
  )
}
