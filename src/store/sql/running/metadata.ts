import type { MetadataStore } from "../../../domain/store.ts"
import type { SqlDatabase } from "../database.ts"

export const selectMark = "SELECT value FROM metadata WHERE name = $1"
export const putMark =
  "INSERT INTO metadata VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

export function createMetadata(db: SqlDatabase): MetadataStore {
  const find = (name: string) => db.findValue<string>(selectMark, [name])
  return {
    find,
    async putFirst(name, value) {
      await db.write("INSERT INTO metadata VALUES ($1, $2) ON CONFLICT DO NOTHING", [name, value])
      return (await find(name)) ?? value
    },
    put: (name, value) => db.write(putMark, [name, value]),
    putInPlaceOf: (name, value, removed) =>
      db.writeAll([putMark, [name, value]], ["DELETE FROM metadata WHERE name = $1", [removed]]),
  }
}
