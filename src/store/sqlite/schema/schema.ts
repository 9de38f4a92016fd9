import type { Schema } from "../../sql/schema-versions.ts"
import to34 from "./0.13.sql" with { type: "text" }
import sql from "./schema.sql" with { type: "text" }

export const schema: Schema = { sql, oldest: 28, migrations: [{ version: 34, sql: to34 }] }
