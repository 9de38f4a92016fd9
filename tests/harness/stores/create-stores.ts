/** Creates and opens databases without the rest of the program. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { StoreUse } from "../../../src/platform/database/sql.ts"
import {
  migratePostgres,
  openPostgres,
  type PostgresLocation,
} from "../../../src/store/postgres.ts"
import { migrateSqlite, openSqlite } from "../../../src/store/sqlite.ts"
import type { Store } from "../../../src/store/store.ts"

let emptySqlite: Promise<Uint8Array> | null = null

async function makeEmptySqlite(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "pazar-test-"))
  const path = join(folder, "pazar.db")
  await migrateSqlite(path, () => {})
  const bytes = readFileSync(path)
  rmSync(folder, { recursive: true })
  return bytes
}

/** Writes an empty database as `pazar migrate` would create it, in a tenth of the time. */
export async function writeEmptySqlite(path: string): Promise<void> {
  emptySqlite ??= makeEmptySqlite()
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, await emptySqlite, { mode: 0o600, flag: "wx" })
}

export async function createSqlite(path: string, use: StoreUse = "command"): Promise<Store> {
  await writeEmptySqlite(path)
  return openSqlite({ path }, use)
}

export async function createPostgres(
  address: PostgresLocation,
  use: StoreUse = "command",
): Promise<Store> {
  await migratePostgres(address.url, () => {})
  return openPostgres(address, use)
}
