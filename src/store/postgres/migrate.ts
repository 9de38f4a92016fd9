/** Creates a store in a database, or brings an older one to this version. */
import { StoreUnavailable } from "../../domain/store.ts"
import { type Migrated, newestOf, type OnMigration, pendingMigrations } from "../sql/migrate.ts"
import { type Client, connect, primaryTimeouts } from "./connection/database.ts"
import {
  assertServerSupported,
  explainOpening,
  readServerVersion,
  selectVersion,
} from "./connection/opening.ts"
import { migrations } from "./migrations/migrations.ts"

/** Any number, the same on every node: the node that holds the lock migrates. */
const migrationLock = 7_243_001

export async function migratePostgres(url: string, onMigration: OnMigration): Promise<Migrated> {
  const database = connect(url, { ...primaryTimeouts, connectionsMax: 1 })
  try {
    const client = await database.beginLong("")
    try {
      const migrated = await migrate(client, onMigration)
      await client.query("COMMIT")
      return migrated
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {})
      throw error
    } finally {
      client.release()
    }
  } catch (error) {
    throw error instanceof StoreUnavailable ? explainOpening(error, url) : error
  } finally {
    await database.close()
  }
}

async function migrate(client: Client, onMigration: OnMigration): Promise<Migrated> {
  assertServerSupported(await readServerVersion(client))
  // One node migrates while the others wait; each reads the version again once it has the lock.
  await client.query("SELECT pg_advisory_xact_lock($1)", [migrationLock])
  await client.query("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)")
  // Every transaction that writes reads this table first. The lock waits for those that have begun and
  // stops new ones. An older program then finds the new version and stops writing.
  await client.query("LOCK TABLE schema_version IN ACCESS EXCLUSIVE MODE")
  const rows = await client.query<{ version: number }>(selectVersion)
  const from = rows[0]?.version ?? 0
  if (rows.length === 0) await client.query("INSERT INTO schema_version VALUES (0)")
  const to = newestOf(migrations)
  const pending = pendingMigrations(migrations, from)
  if (from > 0 && pending.length > 0) onMigration(from, to)
  for (const { version, sql } of pending) {
    await client.query(sql)
    await client.query("UPDATE schema_version SET version = $1", [version])
  }
  return { from, to, copy: null }
}
