import { type MetadataStore, StoreMoved, StoreUnavailable } from "../../domain/store.ts"
import type { SqlDatabase } from "./sql-database.ts"
import { sql } from "./statement.ts"

const put = (name: string, value: string) => sql`
  INSERT INTO metadata VALUES (${name}, ${value}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`

const remove = (name: string) => sql`DELETE FROM metadata WHERE name = ${name}`

export function createMetadataStore(db: SqlDatabase): MetadataStore {
  const find = (name: string) =>
    db.findValue<string>`SELECT value FROM metadata WHERE name = ${name}`
  return {
    find,
    async putIfAbsent(name, value) {
      await db.write`INSERT INTO metadata VALUES (${name}, ${value}) ON CONFLICT DO NOTHING`
      return (await find(name)) ?? value
    },
    put: (name, value) => db.write(put(name, value)),
    remove: (name) => db.write(remove(name)),
    putInPlaceOf: (name, value, removed) => db.writeAll(put(name, value), remove(removed)),
  }
}

export const moveKeys = {
  /** In the old database until the new one is complete: JSON of `Moving`. */
  moving: "moving to",
  moved: "moved to",
  /** In the new database until it is complete: the id of the move. */
  incomplete: "moving here",
  arrived: "moved here",
}

/** A retry has the same id. */
export type Moving = Readonly<{ id: string; place: string; at: string }>

/** The error of every write to the old database. */
export const describeClosed = ({ place, at }: Pick<Moving, "place" | "at">) =>
  `writes to this database were disabled at ${at} by a move to ${place}; set DATABASE_URL to the new database, or run \`pazar move --cancel\``

/**
 * Throws StoreMoved for a database that was moved, because it lacks all later changes. A database that is being copied
 * can be opened and read.
 */
export async function assertNotMoved({ find }: Pick<MetadataStore, "find">): Promise<void> {
  const moved = await find(moveKeys.moved)
  if (moved !== null) throw new StoreMoved(describeClosed(JSON.parse(moved)))
  if ((await find(moveKeys.incomplete)) === null) return
  throw new StoreUnavailable(
    "a move to this database is incomplete; run `pazar move` again with the settings of the old database",
  )
}
