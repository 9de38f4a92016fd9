import {
  assertServerSupported,
  connect,
  endAfter,
  explainOpening,
  findVersion,
  longMsMax,
  timeouts,
} from "../platform/database/postgres.ts"
import {
  type Migrated,
  migrateDatabase,
  type OnMigration,
  type OnProgress,
} from "../platform/database/schema-versions.ts"
import { rawSql } from "../platform/database/sql.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { postgresSchema } from "./schema.ts"

/** The key of an advisory lock. */
const migrationLock = 7_243_001
/** The version must be read after the lock is taken. */
const readCommitted = "ISOLATION LEVEL READ COMMITTED"
const { connectMsMax } = timeouts.command
const migrationPool = { connectionsMax: 1, connectMsMax, statementMsMax: 0, queryMsMax: longMsMax }

export async function migratePostgres(
  url: string,
  onMigration?: OnMigration,
  onProgress?: OnProgress,
  schema = postgresSchema,
): Promise<Migrated> {
  const database = connect(url, migrationPool)
  try {
    return await endAfter(await database.beginLong(readCommitted), async ({ query }) => {
      await assertServerSupported({ query })
      await query`SELECT pg_advisory_xact_lock(${migrationLock})`
      const from = (await findVersion({ query })) ?? 0
      const setVersion = async (version: number) => {
        await query`DELETE FROM schema_version`
        await query`INSERT INTO schema_version VALUES (${version})`
      }
      const run = (text: string) => query(rawSql(text))
      const migrating = { from, run, setVersion, copy: () => null }
      return migrateDatabase(schema, migrating, onMigration, onProgress)
    })
  } catch (error) {
    throw error instanceof StoreUnavailable && error.cause !== undefined
      ? explainOpening(error, url)
      : error
  } finally {
    await database.close()
  }
}
