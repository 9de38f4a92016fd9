import type { Migration } from "../migrate.ts"
import initial from "./migrations/0001-initial.sql" with { type: "text" }

export const migrations: readonly Migration[] = [{ version: 1, name: "initial", sql: initial }]
