/** A PostgreSQL database as the new store of a move. */
import { StoreUnavailable } from "../../../domain/store.ts"
import { RefusedError } from "../../../domain/values/error.ts"
import { arrivedMark, incompleteMark } from "../../sql/move/marks.ts"
import {
  anotherMove,
  type Changes,
  listGone,
  type MoveTarget,
  type PlannedTable,
  type Row,
} from "../../sql/move/move.ts"
import { movedTables, selectUsed, tablesOfNew } from "../../sql/move/tables.ts"
import { type Client, connect, primaryTimeouts, within } from "../connection/database.ts"
import { describe } from "../connection/hosts.ts"
import { explainOpening, findVersion } from "../connection/opening.ts"
import { migratePostgres } from "../migrate.ts"
import {
  countRows,
  filterByKeys,
  findMark,
  findRows,
  keyColumns,
  listColumns,
  listsOf,
  namesOf,
  putMark,
  readPages,
  unnest,
} from "./rows.ts"

export function openPostgresTarget(url: string): MoveTarget {
  const db = connect(url, { ...primaryTimeouts, connectionsMax: 2 })
  const place = describe(url)
  return {
    place,
    listColumns: () => within(db, "READ ONLY", listColumns),
    async findMark(name) {
      const versions = await explain(url, findVersion({ query: db.read }))
      if (versions === null) return null
      return within(db, "READ ONLY", (client) => findMark(client, name))
    },
    async begin(id) {
      if ((await this.findMark(incompleteMark)) !== null) await within(db, "", empty)
      const migrating = migratePostgres(url, () => {})
      await explain(url, migrating)
      await within(db, "", async (client) => {
        await client.query("DELETE FROM metadata WHERE name = $1", [incompleteMark])
        if ((await client.query(`${selectUsed} LIMIT 1`)).length > 0) {
          throw new RefusedError(`${place} holds a store already: name an empty database`)
        }
        await client.query(`TRUNCATE ${tablesOfNew}`)
        await putMark(client, incompleteMark, id)
        await dropIndexes(client)
      })
    },
    insert: (table, rows) =>
      within(db, "", async (client) => {
        await client.query("SET LOCAL synchronous_commit = off")
        await insertRows(client, table, rows, "")
      }),
    apply: (changes) => within(db, "", (client) => applyChanges(client, changes)),
    async *pages(table) {
      const client = await db.beginLong("READ ONLY")
      try {
        yield* readPages(client, table)
      } finally {
        await client.query("COMMIT")
        client.release()
      }
    },
    find: (table, keys) => within(db, "READ ONLY", (client) => findRows(client, table, keys)),
    count: (plan) => within(db, "READ ONLY", (client) => countRows(client, plan)),
    async settle() {
      await within(db, "", addIndexes)
      await within(db, "", ({ query }) => query("ANALYZE"))
    },
    async putLastNumbers(numbers) {
      await within(db, "", async ({ query }) => {
        const sequences = await query<{ table: string; column: string; sequence: string }>(
          `SELECT table_name AS "table", column_name AS "column",
             pg_get_serial_sequence(quote_ident(table_name), column_name) AS sequence
           FROM information_schema.columns
           WHERE table_schema = current_schema() AND is_identity = 'YES'`,
        )
        for (const { table, column, sequence } of sequences) {
          await query(
            `SELECT setval($1, greatest(last, 1), last > 0) FROM (
               SELECT greatest(max(${column}), $2::bigint, 0) AS last FROM ${table}) AS given`,
            [sequence, numbers.get(table) ?? 0],
          )
        }
      })
    },
    complete: (id) =>
      within(db, "", async (client) => {
        if ((await findMark(client, incompleteMark)) !== id) throw anotherMove()
        await client.query("DELETE FROM metadata WHERE name = $1", [incompleteMark])
        await putMark(client, arrivedMark, id)
      }),
    close: () => db.close(),
  }
}

async function explain<T>(url: string, opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    throw error instanceof StoreUnavailable ? explainOpening(error, url, "--to") : error
  }
}

/** The statements that add what `purchases` is copied without. */
const laterMark = "to add after the copy"

/**
 * Purchases are copied without their indexes and foreign keys, which are added when all rows are there: kept up to date row by
 * row they take most of the time, and far more once they do not fit into the server's memory.
 */
async function dropIndexes(client: Client): Promise<void> {
  const indexes = await client.query<{ drop: string; add: string }>(
    `SELECT format('DROP INDEX %s', indexrelid::regclass) AS drop, pg_get_indexdef(indexrelid) AS add
     FROM pg_index WHERE indrelid = 'purchases'::regclass`,
  )
  const foreignKeys = await client.query<{ drop: string; add: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
         pg_get_constraintdef(oid)) AS add
     FROM pg_constraint WHERE contype = 'f' AND 'purchases'::regclass IN (conrelid, confrelid)`,
  )
  // A foreign key needs the index of what it refers to.
  for (const { drop } of [...foreignKeys, ...indexes]) await client.query(drop)
  const added = [...indexes, ...foreignKeys].map(({ add }) => add)
  await putMark(client, laterMark, JSON.stringify(added))
}

async function addIndexes(client: Client): Promise<void> {
  // `dropIndexes` wrote it.
  const added: readonly string[] = JSON.parse((await findMark(client, laterMark)) ?? "[]")
  for (const statement of added) await client.query(statement)
  await client.query("DELETE FROM metadata WHERE name = $1", [laterMark])
}

/**
 * Removes the rows of an interrupted move; its mark stays. Before the migration, so that it has no rows to change: an
 * older version may have begun the move, and its store has no tables of later ones.
 */
async function empty(client: Client): Promise<void> {
  const known = movedTables.map(({ name }) => name).filter((name) => name !== "metadata")
  const found = await client.query<{ name: string }>(
    "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL",
    [known],
  )
  await client.query(`TRUNCATE ${found.map(({ name }) => name)} CASCADE`)
  await addIndexes(client)
  await client.query("DELETE FROM metadata WHERE name <> $1", [incompleteMark])
}

async function insertRows(
  { query }: Client,
  { name, columns }: PlannedTable,
  rows: readonly Row[],
  conflict: string,
): Promise<void> {
  const names = columns.map((column) => column.name)
  const { lists, cells } = unnest(columns)
  await query(
    `INSERT INTO ${name} (${names}) OVERRIDING SYSTEM VALUE
     SELECT ${cells} FROM unnest(${lists}) AS v (${namesOf(columns)}) ${conflict}`,
    listsOf(columns, rows),
  )
}

/** What refers to others goes first and comes last. */
async function applyChanges(client: Client, changes: Changes): Promise<void> {
  for (const change of changes.toReversed()) {
    const { table } = change
    await client.query(
      `DELETE FROM ${table.name} t WHERE ${filterByKeys(table)}`,
      listsOf(keyColumns(table), listGone(change)),
    )
  }
  for (const { table, rows } of changes) await insertRows(client, table, rows, changeInPlace(table))
}

function changeInPlace({ isReferredTo, columns, key }: PlannedTable): string {
  if (isReferredTo !== true) return ""
  const changed = columns
    .map(({ name }) => name)
    .filter((name) => !key.includes(name) && name !== "serial")
  return `ON CONFLICT (${key}) DO UPDATE SET ${changed.map((name) => `${name} = excluded.${name}`)}`
}
