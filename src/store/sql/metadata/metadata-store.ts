import type { MetadataStore } from "../../../domain/store.ts"
import type { SqlDatabase } from "../sql-database.ts"

const putMetadata =
  "INSERT INTO metadata VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

export function createMetadataStore(db: SqlDatabase): MetadataStore {
  const find = (name: string) =>
    db.findValue<string>("SELECT value FROM metadata WHERE name = $1", [name])
  return {
    find,
    async putIfAbsent(name, value) {
      await db.write("INSERT INTO metadata VALUES ($1, $2) ON CONFLICT DO NOTHING", [name, value])
      return (await find(name)) ?? value
    },
    put: (name, value) => db.write(putMetadata, [name, value]),
    putInPlaceOf: (name, value, removed) =>
      db.writeAll(
        [putMetadata, [name, value]],
        ["DELETE FROM metadata WHERE name = $1", [removed]],
      ),
  }
}
