/**
 * Which store a test is on. What holds on one must hold on the other, so the same tests run twice:
 * PAZAR_TEST_STORE=postgres puts a whole run on PostgreSQL.
 */
import { randomBytes } from "node:crypto"
import type { Environment } from "../../src/config.ts"
import { type PostgresServer, startPostgres } from "./postgres.ts"

export type PostgresStore = Readonly<{ DATABASE_URL: string; PAZAR_MASTER_KEY: string }>

const kind = process.env.PAZAR_TEST_STORE ?? "sqlite"
if (kind !== "sqlite" && kind !== "postgres") throw new Error(`there is no store ${kind}`)

/** One for all files of a run; it ends with the run. */
let server: Promise<PostgresServer> | null = null

/** The settings of a program on a new, empty database. */
export async function createPostgresStore(): Promise<PostgresStore> {
  server ??= startPostgres()
  return settingsOf(await (await server).createDatabase())
}

/** The same, but the database has an empty store already. */
async function createMigratedStore(): Promise<PostgresStore> {
  server ??= startPostgres()
  return settingsOf(await (await server).createMigratedDatabase())
}

const settingsOf = (url: string): PostgresStore => ({
  DATABASE_URL: url,
  PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
})

/** For what is compared across both in one test. */
export const storeKinds = [
  { name: "SQLite", createEnvironment: async (): Promise<Environment> => ({}) },
  { name: "PostgreSQL", createEnvironment: (): Promise<Environment> => createPostgresStore() },
] as const
export type StoreKind = (typeof storeKinds)[number]

const stores = new Map<string, Promise<PostgresStore>>()

/**
 * The settings of all programs in this folder; null where they need none, because the store is a
 * file in the folder.
 */
export async function storeOf(folder: string): Promise<PostgresStore | null> {
  return keepStore(folder, createPostgresStore)
}

/** The same for a caller that migrates next: it finds the work done. */
export async function migratedStoreOf(folder: string): Promise<PostgresStore | null> {
  return keepStore(folder, createMigratedStore)
}

async function keepStore(folder: string, create: () => Promise<PostgresStore>) {
  if (kind === "sqlite") return null
  const store = stores.get(folder) ?? create()
  stores.set(folder, store)
  return store
}
