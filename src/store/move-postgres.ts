import { readPages } from "../feed/feed-store-postgres.ts"
import {
  connect,
  dialect,
  isContention,
  longMsMax,
  timeouts,
} from "../platform/database/postgres.ts"
import { describeDatabase } from "../platform/database/postgres-hosts.ts"
import { rawSql, tuples } from "../platform/database/sql.ts"
import { StoreUnavailable, UserError } from "../platform/error.ts"
import { secondsBefore } from "../platform/time.ts"
import type { MoveConnection, Row } from "./move.ts"
import { nodeGoneSeconds } from "./node.ts"

/** Long enough for statements in flight, and for autovacuum to give way. */
const lockMsMax = 3_000
/** Longer than any step in the other database. The locks end even if this machine loses power. */
const idleMsMax = 600_000
const { connectMsMax } = timeouts.command
const movePool = { connectionsMax: 1, connectMsMax, statementMsMax: 0, queryMsMax: longMsMax }

/**
 * Locks the tables. Throws UserError if they are in use, or if a server has sent a heartbeat: an idle server holds no lock
 * and, behind a pooler, no connection.
 */
export async function openPostgresMove(
  url: string,
  tables: readonly string[],
  now: Date,
): Promise<MoveConnection> {
  const db = connect(url, movePool)
  const description = describeDatabase(url)
  const client = await db.beginLong("ISOLATION LEVEL READ COMMITTED")
  const { query } = client
  const close = async () => {
    await query`ROLLBACK`.catch(() => {})
    client.release()
    await db.close()
  }
  async function assertNoServer(): Promise<void> {
    const [server] = await query<{ url: string; host: string; lastSeenAt: string }>`
      SELECT url, host, last_seen_at FROM nodes
      WHERE last_seen_at >= ${secondsBefore(now, nodeGoneSeconds)}`
    if (server === undefined) return
    throw new UserError(
      `the server ${server.url} on ${server.host} uses ${description} (last seen ${server.lastSeenAt}); stop all servers and run the command again, ${nodeGoneSeconds} s later if one was killed`,
    )
  }
  try {
    await query(
      rawSql(
        `SET LOCAL idle_in_transaction_session_timeout = ${idleMsMax}; SET LOCAL lock_timeout = ${lockMsMax}`,
      ),
    )
    // Before the locks, which would make a running server wait, and again for one that has started meanwhile.
    await assertNoServer()
    await query(rawSql(`LOCK TABLE ${tables}`))
    await assertNoServer()
  } catch (error) {
    await close()
    if (!(error instanceof StoreUnavailable) || !isContention(error.cause)) throw error
    throw new UserError(
      `${description} is in use; stop every pazar and every other program that uses it, then run the command again`,
    )
  }
  return {
    ...dialect,
    query,
    description,
    async *readBatches(select) {
      await query`SET LOCAL cursor_tuple_fraction = 1`
      yield* readPages<Row>(client, select)
    },
    async readLastIds() {
      const lastIds = await query<[table: string, last: number]>(
        tuples`SELECT table_name, coalesce(pg_sequence_last_value(pg_get_serial_sequence(table_name, column_name)::regclass), 0)
          FROM information_schema.columns
          WHERE table_schema = current_schema() AND is_identity = 'YES' AND table_name = ANY (${tables})`,
      )
      return new Map(lastIds)
    },
    async writeLastIds(lastIds) {
      for (const [table, last] of lastIds) {
        await query`SELECT setval(pg_get_serial_sequence(table_name, column_name)::regclass, ${last})
          FROM information_schema.columns
          WHERE table_schema = current_schema() AND is_identity = 'YES' AND table_name = ${table} AND ${last} > 0`
      }
    },
    async commit() {
      await query`ANALYZE`
      await query`COMMIT`
    },
    [Symbol.asyncDispose]: close,
  }
}
