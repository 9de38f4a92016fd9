import type { Schema } from "../../sql/migrate.ts"
import to33 from "./0.13.sql" with { type: "text" }
import sql from "./schema.sql" with { type: "text" }

export const schema: Schema = { sql, oldest: 28, migrations: [{ version: 33, sql: to33 }] }
