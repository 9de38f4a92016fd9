import { UserError } from "../../domain/values/error.ts"
import type { Column, MoveConnection, Row } from "../sql/move/move-database.ts"
import { connect, longMsMax, timeouts } from "./connection/database.ts"
import { movedState } from "./connection/errors.ts"
import { describeDatabase } from "./connection/hosts.ts"

/** The key of an advisory lock. */
const moveLock = 7_243_002
const batchRows = 500
/** One connection holds the lock, one reads and one writes. */
const { connectMsMax } = timeouts.command
const movePool = { connectionsMax: 3, connectMsMax, statementMsMax: 0, queryMsMax: longMsMax }

const createFunction = `CREATE OR REPLACE FUNCTION reject_write() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION USING ERRCODE = '${movedState}', MESSAGE = TG_ARGV[0]; END $$`

/** Throws UserError if another move is running. */
export async function openPostgresMove(url: string): Promise<MoveConnection> {
  const db = connect(url, movePool)
  const description = describeDatabase(url)
  const holder = await db.beginLong("")
  const close = async () => {
    holder.release()
    await db.close()
  }
  const [lock] = await holder.query<{ isFree: boolean }>(
    `SET LOCAL idle_in_transaction_session_timeout = 0; SELECT pg_try_advisory_xact_lock(${moveLock}) AS is_free`,
  )
  if (lock?.isFree !== true) {
    await close()
    throw new UserError(`another move of ${description} is running`)
  }
  const listIdentities = () =>
    db.read<{ table: string; name: string; sequence: string; last: number }>(
      `SELECT *, coalesce(pg_sequence_last_value(sequence::regclass), 0) AS last FROM (
         SELECT table_name AS "table", column_name AS name,
           pg_get_serial_sequence(quote_ident(table_name), column_name) AS sequence
         FROM information_schema.columns
         WHERE table_schema = current_schema() AND is_identity = 'YES') AS identities`,
    )
  return {
    ...db,
    description,
    close,
    listColumns: () =>
      db.read<Column>(
        `SELECT t.relname AS "table", c.attname AS name, format_type(c.atttypid, NULL) AS type,
           coalesce(c.attnum = ANY (k.indkey), false) AS is_key
         FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid
         LEFT JOIN pg_index k ON k.indrelid = t.oid AND k.indisprimary
         WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace
           AND c.attnum > 0 AND NOT c.attisdropped AND c.attgenerated = '' ORDER BY t.oid, c.attnum`,
      ),
    async *readBatches(select) {
      const { query, queryColumns, release } = await db.beginLong("READ ONLY")
      try {
        await query(`SET LOCAL cursor_tuple_fraction = 1; DECLARE batches CURSOR FOR ${select}`)
        for (;;) {
          const batch = await queryColumns<Row>(`FETCH ${batchRows} FROM batches`)
          if (batch.length === 0) return
          yield batch
        }
      } finally {
        await query("ROLLBACK").catch(() => {})
        release()
      }
    },
    async listClosed() {
      const triggers = await db.read<{ table: string }>(
        `SELECT t.relname AS "table" FROM pg_trigger c JOIN pg_class t ON t.oid = c.tgrelid
         WHERE c.tgname = 'closed' AND t.relnamespace = current_schema()::regnamespace`,
      )
      return triggers.map(({ table }) => table)
    },
    // Creating the trigger does not block reads. Writes that wait for it are rejected.
    closing: (table, message) => [
      [`SET LOCAL lock_timeout = 0; ${createFunction}`, []],
      [
        `CREATE TRIGGER closed BEFORE INSERT OR UPDATE OR DELETE ON "${table}"
         FOR EACH STATEMENT EXECUTE FUNCTION reject_write('${message.replaceAll("'", "''")}')`,
        [],
      ],
    ],
    opening: (table) => [[`DROP TRIGGER IF EXISTS closed ON "${table}"`, []]],
    emptying: (tables) => [[`TRUNCATE ${tables.map((table) => `"${table}"`)}`, []]],
    async readLastIds() {
      return new Map((await listIdentities()).map(({ table, last }) => [table, last]))
    },
    async finish(lastIds) {
      for (const { table, name, sequence } of await listIdentities()) {
        await db.read(
          `SELECT setval($1, max(id)) FROM (
             SELECT $2::bigint AS id UNION ALL SELECT max("${name}") FROM "${table}") AS ids
           HAVING max(id) > 0`,
          [sequence, lastIds.get(table) ?? 0],
        )
      }
      await db.read("ANALYZE")
    },
  }
}
