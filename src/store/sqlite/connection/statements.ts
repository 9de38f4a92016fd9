import type { SQLQueryBindings, Statement } from "bun:sqlite"
import type { Value } from "../../sql/sql-database.ts"
import type { Connection } from "./connection.ts"

/** Prepares a statement, or gives the one that was prepared from the same text before. */
export type Prepare = <Row = unknown, Values extends SQLQueryBindings[] = SQLQueryBindings[]>(
  sql: string,
) => Statement<Row, Values>

export type Statements = Readonly<{
  prepare: Prepare
  /** All rows of a prepared statement, with booleans. */
  query<Row>(sql: string, values?: readonly Value[]): readonly Row[]
  /** Called before the connection is closed: with open statements it would keep its locks. */
  finalize(): void
}>

/** Kept for as long as the connection: Bun's own cache keeps only the last 20. */
export function createStatements(connection: Connection): Statements {
  const statements = new Map<string, Statement>()
  function prepare<Row, Values extends SQLQueryBindings[]>(sql: string) {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = connection.prepare(numberParameters(sql))
      statements.set(sql, statement)
    }
    // The caller knows what its text selects and binds.
    return statement as Statement<Row, Values>
  }
  return {
    prepare,
    query: <Row>(sql: string, values: readonly Value[] = []) =>
      withBooleans(prepare<Row, SQLQueryBindings[]>(sql).all(...values)),
    finalize() {
      for (const statement of statements.values()) statement.finalize()
      statements.clear()
    },
  }
}

/** SQLite has no booleans: columns that are named like one, as `isHidden`, come as 1 and 0. Changes the rows. */
export function withBooleans<Row>(rows: readonly Row[]): readonly Row[] {
  const names = Object.keys(rows[0] ?? {}).filter((name) => /^(is|has)[A-Z]/.test(name))
  for (const name of names) {
    // SQLite gives a row as an object of its columns.
    for (const row of rows as readonly Record<string, unknown>[]) {
      if (row[name] !== null) row[name] = row[name] === 1
    }
  }
  return rows
}

/** SQLite takes `$1` for a name and counts names as they come; `?1` is the first value. */
export const numberParameters = (sql: string) => sql.replace(/\$(\d+)/g, "?$1")
