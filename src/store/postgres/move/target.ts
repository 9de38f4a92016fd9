/** A PostgreSQL database as the new store of a move. */
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
import { type Client, connect, primaryTimeouts } from "../connection/database.ts"
import { describe, findVersions } from "../connection/opening.ts"
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
  within,
} from "./rows.ts"

export function openPostgresTarget(url: string): MoveTarget {
  const db = connect(url, { ...primaryTimeouts, connectionsMax: 2 })
  const place = describe(url)
  return {
    place,
    listColumns: () => within(db, "READ ONLY", listColumns),
    async findMark(name) {
      if ((await findVersions({ query: db.read })) === null) return null
      return within(db, "READ ONLY", (client) => findMark(client, name))
    },
    async begin(id) {
      await migratePostgres(url, () => {})
      await within(db, "", async (client) => {
        if ((await findMark(client, incompleteMark)) !== null) {
          await client.query(`TRUNCATE ${movedTables.map(({ name }) => name)} CASCADE`)
        }
        if ((await client.query(`${selectUsed} LIMIT 1`)).length > 0) {
          throw new RefusedError(`${place} holds a store already: name an empty database`)
        }
        await client.query(`TRUNCATE ${tablesOfNew}`)
        await putMark(client, incompleteMark, id)
      })
    },
    insert: (table, rows) =>
      within(db, "", async (client) => {
        await client.query("SET LOCAL synchronous_commit = off")
        await insertRows(client, table, rows)
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
        await client.query("DELETE FROM marks WHERE name = $1", [incompleteMark])
        await putMark(client, arrivedMark, id)
      }),
    close: () => db.close(),
  }
}

async function insertRows(
  { query }: Client,
  table: PlannedTable,
  rows: readonly Row[],
): Promise<void> {
  const { name, columns, key } = table
  const names = columns.map((column) => column.name)
  const { lists, cells } = unnest(columns)
  const conflict =
    table.isReferredTo === true
      ? `ON CONFLICT (${key}) DO UPDATE SET ${names
          .filter((each) => !key.includes(each) && each !== "serial")
          .map((each) => `${each} = excluded.${each}`)}`
      : ""
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
  for (const { table, rows } of changes) await insertRows(client, table, rows)
}
