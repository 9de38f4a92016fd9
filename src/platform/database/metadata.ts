import { type SqlDatabase, sql } from "./sql.ts"

/** Facts about the database by name, such as the canary of its master key. Stored in the table `marks`. */
export interface MetadataStore {
  find(name: string): Promise<string | null>
  /** Stores the value unless the name has one. Returns the stored value. */
  putIfAbsent(name: string, value: string): Promise<string>
  put(name: string, value: string): Promise<void>
  /** Like `put`, and deletes `removed` in the same transaction. */
  putInPlaceOf(name: string, value: string, removed: string): Promise<void>
  remove(name: string): Promise<void>
}

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
