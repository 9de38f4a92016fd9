import type { SQLQueryBindings, Statement } from "bun:sqlite"
import type { Value } from "../../sql/sql-database.ts"
import type { Connection } from "./connection.ts"

/** Returns a cached statement for the same text. */
export type Prepare = <Row = unknown, Values extends SQLQueryBindings[] = SQLQueryBindings[]>(
  sql: string,
) => Statement<Row, Values>

/** Caches all statements of the connection. The cache of Bun keeps only the last 20. */
export function createStatements(connection: Connection) {
  const statements = new Map<string, Statement>()
  function prepare<Row, Values extends SQLQueryBindings[]>(sql: string) {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = connection.prepare(numberParameters(sql))
      statements.set(sql, statement)
    }
    // `as`: the caller knows the types of its SQL.
    return statement as Statement<Row, Values>
  }
  return {
    prepare,
    /** Returns all rows, with booleans. */
    query: <Row>(sql: string, values: readonly Value[] = []) =>
      withBooleans(prepare<Row, SQLQueryBindings[]>(sql).all(...values)),
    /** Must be called before the connection is closed: open statements would keep its locks. */
    finalize() {
      for (const statement of statements.values()) statement.finalize()
      statements.clear()
    },
  }
}

/** Replaces 1 and 0 with booleans in columns with names such as `isHidden`. Modifies the rows. */
export function withBooleans<Row>(rows: readonly Row[]): readonly Row[] {
  const names = Object.keys(rows[0] ?? {}).filter((name) => /^(is|has)[A-Z]/.test(name))
  for (const name of names) {
    // `as`: a row is an object of its columns.
    for (const row of rows as readonly Record<string, unknown>[]) {
      if (row[name] !== null) row[name] = row[name] === 1
    }
  }
  return rows
}

/** SQLite numbers `$1` by its position in the text; `?1` is always the first value. */
export const numberParameters = (sql: string) => sql.replace(/\$(\d+)/g, "?$1")
