import type { MetadataStore } from "../platform/database/metadata.ts"
import type { SqlDatabase } from "../platform/database/sql.ts"
import { sql } from "../platform/database/statement.ts"
import { StoreUnavailable } from "../platform/error.ts"

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

/** In a database that was moved: JSON of `Moved`. */
export const movedMetadataKey = "moved to"
export type Moved = Readonly<{ place: string; at: string }>

/** Throws StoreUnavailable for a database that was moved, because it lacks all later changes. */
export async function assertNotMoved({ find }: Pick<MetadataStore, "find">): Promise<void> {
  const moved = await find(movedMetadataKey)
  if (moved === null) return
  const { place, at }: Moved = JSON.parse(moved)
  throw new StoreUnavailable(
    `this database was moved to ${place} at ${at}; set DATABASE_URL to the new database, or run \`pazar move --cancel\``,
  )
}
