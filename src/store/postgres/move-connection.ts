import { UserError } from "../../domain/values/error.ts"
import type { Column, MoveConnection, Row } from "../sql/move/move-database.ts"
import { rawSql, sql, tuples } from "../sql/statement.ts"
import { connect, longMsMax, timeouts } from "./connection/database.ts"
import { movedState } from "./connection/errors.ts"
import { describeDatabase } from "./connection/hosts.ts"
import { readPages } from "./feed/feed-store.ts"

/** The key of an advisory lock. */
const moveLock = 7_243_002
/** One connection holds the lock, one reads and one writes. */
const { connectMsMax } = timeouts.command
const movePool = { connectionsMax: 3, connectMsMax, statementMsMax: 0, queryMsMax: longMsMax }

const createFunction = rawSql(`
  CREATE OR REPLACE FUNCTION reject_write() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION USING ERRCODE = '${movedState}', MESSAGE = TG_ARGV[0]; END $$`)

/** Throws UserError if another move is running. */
export async function openPostgresMove(url: string): Promise<MoveConnection> {
  const db = connect(url, movePool)
  const description = describeDatabase(url)
  const holder = await db.beginLong("")
  const close = async () => {
    holder.release()
    await db.close()
  }
  await holder.query`SET LOCAL idle_in_transaction_session_timeout = 0`
  const [[isFree] = []] = await holder.query<[boolean]>(
    tuples`SELECT pg_try_advisory_xact_lock(${moveLock})`,
  )
  if (isFree !== true) {
    await close()
    throw new UserError(`another move of ${description} is running`)
  }
  const listIdentities = () =>
    db.read<readonly [table: string, column: string, sequence: string]>(
      tuples`SELECT table_name, column_name, pg_get_serial_sequence(quote_ident(table_name), column_name)
        FROM information_schema.columns
        WHERE table_schema = current_schema() AND is_identity = 'YES'`,
    )
  return {
    ...db,
    description,
    close,
    async listColumns() {
      const rows = await db.read<[table: string, name: string, isKey: boolean]>(
        tuples`SELECT t.relname, c.attname, coalesce(c.attnum = ANY (k.indkey), false)
          FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid
          LEFT JOIN pg_index k ON k.indrelid = t.oid AND k.indisprimary
          WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace
            AND c.attnum > 0 AND NOT c.attisdropped AND c.attgenerated = '' ORDER BY t.oid, c.attnum`,
      )
      return rows.map(([table, name, isKey]): Column => ({ table, name, isKey }))
    },
    async *readBatches(select) {
      const client = await db.beginLong("READ ONLY")
      try {
        await client.query`SET LOCAL cursor_tuple_fraction = 1`
        yield* readPages<Row>(client, select)
      } finally {
        await client.query`ROLLBACK`.catch(() => {})
        client.release()
      }
    },
    async listClosed() {
      const triggers = await db.read<{ relname: string }>`
        SELECT t.relname FROM pg_trigger c JOIN pg_class t ON t.oid = c.tgrelid
        WHERE c.tgname = 'closed' AND t.relnamespace = current_schema()::regnamespace`
      return triggers.map(({ relname }) => relname)
    },
    // Creating the trigger does not block reads. Writes that wait for it are rejected.
    closing: (table, message) => [
      sql`SET LOCAL lock_timeout = 0`,
      createFunction,
      rawSql(`CREATE TRIGGER closed BEFORE INSERT OR UPDATE OR DELETE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION reject_write('${message.replaceAll("'", "''")}')`),
    ],
    opening: (table) => [rawSql(`DROP TRIGGER IF EXISTS closed ON ${table}`)],
    emptying: (tables) => [rawSql(`TRUNCATE ${tables}`)],
    async readLastIds() {
      const lastIds = new Map<string, number>()
      for (const [table, , sequence] of await listIdentities()) {
        const last =
          await db.findValue<number>`SELECT pg_sequence_last_value(${sequence}::regclass)`
        lastIds.set(table, last ?? 0)
      }
      return lastIds
    },
    async finish(lastIds) {
      for (const [table, column, sequence] of await listIdentities()) {
        const last = sql`greatest(max(${rawSql(column)}), ${lastIds.get(table) ?? 0})`
        await db.read`
          SELECT setval(${sequence}::regclass, ${last}) FROM ${rawSql(table)} HAVING ${last} > 0`
      }
      await db.read`ANALYZE`
    },
  }
}
