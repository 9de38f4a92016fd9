/** Migrates the SQLite database in `process.argv[2]` to a later version, as `pazar migrate` of that version does. */
import { sqliteSchema } from "../../../src/store/sql/schema.ts"
import { migrateSqlite } from "../../../src/store/sqlite/run-migrations.ts"
import { createLaterSchema } from "../../contracts/migrations.contract.ts"

const later = createLaterSchema("sqlite", sqliteSchema)
try {
  await migrateSqlite(process.argv[2] ?? "", undefined, undefined, later)
} catch (error) {
  console.error(String(error))
  process.exit(2)
}
