import { StoreUnavailable } from "../../domain/store.ts"
import {
  assertFinished,
  listPending,
  type Migrated,
  newestOf,
  type OnMigration,
  type OnProgress,
  selectUnfinished,
  statementsOf,
} from "../sql/schema-versions.ts"
import { type Client, connect, inLongTransaction, longMsMax } from "./connection/database.ts"
import {
  assertServerSupported,
  explainOpening,
  findVersion,
  readServerVersion,
} from "./connection/opening.ts"
import { schema } from "./schema/schema.ts"

/** The key of an advisory lock. */
const migrationLock = 7_243_001
/** The version must be read after the lock is taken. */
const readCommitted = "ISOLATION LEVEL READ COMMITTED"
const migrationPool = { connectionsMax: 1, statementMsMax: 0, queryMsMax: longMsMax }

export async function migratePostgres(
  url: string,
  onMigration: OnMigration = () => {},
  onProgress: OnProgress = () => {},
): Promise<Migrated> {
  const database = connect(url, migrationPool)
  try {
    return await inLongTransaction(database, readCommitted, (client) =>
      migrate(client, onMigration, onProgress),
    )
  } catch (error) {
    throw error instanceof StoreUnavailable && error.cause !== undefined
      ? explainOpening(error, url)
      : error
  } finally {
    await database.close()
  }
}

async function migrate(
  { query }: Client,
  onMigration: OnMigration,
  onProgress: OnProgress,
): Promise<Migrated> {
  assertServerSupported(await readServerVersion({ query }))
  await query(`SELECT pg_advisory_xact_lock(${migrationLock})`)
  const to = newestOf(schema)
  const from = (await findVersion({ query })) ?? 0
  if (from === 0) {
    await query(schema.sql)
    await query("INSERT INTO schema_version VALUES ($1)", [to])
    return { from, to, copy: null }
  }
  const pending = listPending(schema, from)
  if (pending.length === 0) return { from, to, copy: null }
  if (from === schema.oldest) assertFinished(await query<{ name: string }>(selectUnfinished))
  onMigration(from, to)
  for (const { version, sql } of pending) {
    const statements = statementsOf(sql)
    for (const [done, statement] of statements.entries()) {
      onProgress({ version, done, of: statements.length })
      await query(statement)
    }
    await query("UPDATE schema_version SET version = $1", [version])
  }
  return { from, to, copy: null }
}
