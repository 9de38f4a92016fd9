/**
 * The database of a test. Both databases must behave equally, so the same tests run twice: PAZAR_TEST_STORE=postgres
 * runs them on PostgreSQL.
 */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import type { Environment } from "../../../src/platform/cli/command.ts"
import { sharePostgres } from "./postgres-server.ts"

export type PostgresStore = Readonly<{ DATABASE_URL: string; PAZAR_MASTER_KEY: string }>

const kind = process.env.PAZAR_TEST_STORE ?? "sqlite"
if (kind !== "sqlite" && kind !== "postgres") throw new Error(`there is no store ${kind}`)

export async function createPostgresStore(): Promise<PostgresStore> {
  return settingsOf(await (await sharePostgres()).createDatabase())
}

/** The settings of a program on a migrated database, reused from an earlier test if possible. */
export async function createMigratedStore(): Promise<PostgresStore> {
  const { createMigratedDatabase, canEmpty, emptyDatabase } = await sharePostgres()
  for (const [folder, store] of stores) {
    if (existsSync(folder)) continue
    stores.delete(folder)
    const { DATABASE_URL: url } = await store
    if (!(await canEmpty(url))) continue
    await emptyDatabase(url)
    return settingsOf(url)
  }
  return settingsOf(await createMigratedDatabase())
}

const settingsOf = (url: string): PostgresStore => ({
  DATABASE_URL: url,
  PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
})

export const storeKinds = [
  { name: "SQLite", createEnvironment: async (): Promise<Environment> => ({}) },
  { name: "PostgreSQL", createEnvironment: (): Promise<Environment> => createMigratedStore() },
] as const
export type StoreKind = (typeof storeKinds)[number]

const stores = new Map<string, Promise<PostgresStore>>()

/** The settings of all programs in this folder, or null on SQLite, whose file is in the folder. */
export async function storeOf(folder: string): Promise<PostgresStore | null> {
  return keepStore(folder, createPostgresStore)
}

/** As `storeOf`, with a database that is already migrated. */
export async function migratedStoreOf(folder: string): Promise<PostgresStore | null> {
  return keepStore(folder, createMigratedStore)
}

async function keepStore(folder: string, create: () => Promise<PostgresStore>) {
  if (kind === "sqlite") return null
  const store = stores.get(folder) ?? create()
  stores.set(folder, store)
  return store
}
