/** The rows of a PostgreSQL store as a move reads and finds them. */
import type { Cell, Column, Key, PlannedTable, Row } from "../../sql/move/move.ts"
import * as metadata from "../../sql/running/metadata.ts"
import type { Client } from "../connection/database.ts"

type Query = Pick<Client, "query">

const pageRows = 5_000

const types: Readonly<Record<string, Column["type"]>> = {
  text: "text",
  bigint: "integer",
  integer: "integer",
  boolean: "boolean",
  bytea: "bytes",
}

/** Without generated columns: the new store computes them. */
export async function listColumns({
  query,
}: Query): Promise<ReadonlyMap<string, readonly Column[]>> {
  const rows = await query<{ table: string; name: string; type: string }>(
    `SELECT table_name AS "table", column_name AS name, data_type AS type
     FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_generated = 'NEVER'
     ORDER BY table_name, ordinal_position`,
  )
  const known = rows.flatMap(({ table, name, type }) =>
    types[type] === undefined ? [] : [{ table, column: { name, type: types[type] } }],
  )
  const tables = Map.groupBy(known, ({ table }) => table)
  return new Map([...tables].map(([table, each]) => [table, each.map(({ column }) => column)]))
}

function selectRows({ name, columns }: PlannedTable): string {
  const cells = columns.map(({ name, type }) =>
    type === "bytes" ? `encode(t.${name}, 'hex') AS "${name}"` : `t.${name}`,
  )
  return `SELECT ${cells} FROM ${name} t`
}

const toRow = ({ columns }: PlannedTable, found: Readonly<Record<string, Cell>>): Row =>
  columns.map(({ name }) => found[name] ?? null)

/** The client is in a transaction. */
export async function* readPages(
  { query }: Query,
  table: PlannedTable,
): AsyncGenerator<readonly Row[]> {
  await query(
    `DECLARE moved_rows CURSOR FOR ${selectRows(table)} WHERE ${table.condition ?? "true"}`,
  )
  for (;;) {
    const page = await query<Record<string, Cell>>(`FETCH ${pageRows} FROM moved_rows`)
    if (page.length === 0) break
    yield page.map((row) => toRow(table, row))
  }
  await query("CLOSE moved_rows")
}

/** A list for each column, for `unnest`. */
const castOf = {
  text: "text[]",
  integer: "bigint[]",
  boolean: "boolean[]",
  bytes: "text[]",
} as const satisfies Record<Column["type"], string>

/** `$1::text[], $2::bigint[]`, and the values as the columns need them. */
export function unnest(columns: readonly Column[]): Readonly<{ lists: string; cells: string }> {
  return {
    lists: columns.map(({ type }, at) => `$${at + 1}::${castOf[type]}`).join(),
    cells: columns
      .map(({ type }, at) => (type === "bytes" ? `decode(v.c${at}, 'hex')` : `v.c${at}`))
      .join(),
  }
}

export const namesOf = (columns: readonly Column[]) => columns.map((_, at) => `c${at}`).join()

export const listsOf = (columns: readonly Column[], rows: readonly (Row | Key)[]) =>
  columns.map((_, at) => rows.map((row) => row[at] ?? null))

export const keyColumns = ({ key, columns }: PlannedTable): readonly Column[] =>
  key.map((name) => {
    const column = columns.find((each) => each.name === name)
    if (column === undefined) throw new Error(`there is no column ${name}`)
    return column
  })

/** Those that meet `$1`, `$2`, …, the lists of the key's columns. */
export function filterByKeys(table: PlannedTable): string {
  const columns = keyColumns(table)
  const { lists, cells } = unnest(columns)
  return `(${columns.map(({ name }) => `t.${name}`)}) IN (
    SELECT ${cells} FROM unnest(${lists}) AS v (${namesOf(columns)}))`
}

export async function findRows(
  { query }: Query,
  table: PlannedTable,
  keys: readonly Key[],
): Promise<readonly Row[]> {
  const found = await query<Record<string, Cell>>(
    `${selectRows(table)} WHERE ${table.condition ?? "true"} AND ${filterByKeys(table)}`,
    listsOf(keyColumns(table), keys),
  )
  return found.map((row) => toRow(table, row))
}

export async function countRows(
  { query }: Query,
  plan: readonly PlannedTable[],
): Promise<ReadonlyMap<string, number>> {
  const counts = plan.map(
    ({ name, condition = "true" }) =>
      `(SELECT count(*) FROM ${name} t WHERE ${condition}) AS ${name}`,
  )
  const [row = {}] = await query<Record<string, number>>(`SELECT ${counts}`)
  return new Map(Object.entries(row))
}

export async function findMark({ query }: Query, name: string): Promise<string | null> {
  const [row] = await query<{ value: string }>(metadata.selectMark, [name])
  return row?.value ?? null
}

export const putMark = ({ query }: Query, name: string, value: string) =>
  query(metadata.putMark, [name, value])
