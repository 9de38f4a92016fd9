import type { Database } from "bun:sqlite"
import type { MetadataStore } from "../../domain/store.ts"
import { read, write } from "./database.ts"

export function sqliteMetadata(db: Database): MetadataStore {
  const find = db.query<{ value: string }, [string]>("SELECT value FROM marks WHERE name = ?")
  const insert = db.query("INSERT INTO marks VALUES ($name, $value) ON CONFLICT DO NOTHING")
  return {
    find: (name) => read(() => find.get(name)?.value ?? null),
    putFirst: (name, value) =>
      write(db, () => {
        insert.run({ name, value })
        return find.get(name)?.value ?? value
      }),
  }
}
