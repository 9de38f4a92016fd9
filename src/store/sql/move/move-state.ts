/** The metadata keys of the two databases of a move, and which of them keep a database from being opened. */
import { type MetadataStore, StoreMoved, StoreUnavailable } from "../../../domain/store.ts"

export const moveKeys = {
  /** In the old database, from before it is closed for writes until the new one is complete: JSON of `Moving`. */
  moving: "moving to",
  /** In the old database afterwards: the same value. */
  moved: "moved to",
  /** In the new database until it is complete: the id of the move. */
  incomplete: "moving here",
  /** In the new database afterwards: the same value. */
  arrived: "moved here",
}

/** A move has the same id when it is run again after an interruption. */
export type Moving = Readonly<{ id: string; place: string; at: string }>

/** The message of every write to a closed database. */
export const describeClosed = ({ place, at }: Pick<Moving, "place" | "at">) =>
  `this database was closed for writes at ${at}, to be moved to ${place}: set DATABASE_URL to the new one, or reopen this one with \`pazar move --cancel\``

/**
 * Throws StoreMoved for a database that was moved: it lacks what was sold since then. One that is still being copied
 * can be opened and read.
 */
export async function assertNotMoved({ find }: Pick<MetadataStore, "find">): Promise<void> {
  const moved = await find(moveKeys.moved)
  if (moved !== null) throw new StoreMoved(describeClosed(JSON.parse(moved)))
  if ((await find(moveKeys.incomplete)) === null) return
  throw new StoreUnavailable(
    "a move into this database was not completed: run `pazar move` again, with the settings of the old one",
  )
}
