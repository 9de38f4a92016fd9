import type { SQLQueryBindings, Statement } from "bun:sqlite"
import type { Connection } from "./connection.ts"

/** Prepares a statement, or gives the one that was prepared from the same text before. */
export type Prepare = <Row = unknown, Values extends SQLQueryBindings[] = SQLQueryBindings[]>(
  sql: string,
) => Statement<Row, Values>

export type Statements = Readonly<{
  prepare: Prepare
  /** Called before the connection is closed: with open statements it would keep its locks. */
  finalize(): void
}>

/** Kept for as long as the connection: Bun's own cache keeps only the last 20. */
export function createStatements(connection: Connection): Statements {
  const statements = new Map<string, Statement>()
  return {
    prepare<Row, Values extends SQLQueryBindings[]>(sql: string) {
      let statement = statements.get(sql)
      if (statement === undefined) {
        statement = connection.prepare(numberParameters(sql))
        statements.set(sql, statement)
      }
      // The caller knows what its text selects and binds.
      return statement as Statement<Row, Values>
    },
    finalize() {
      for (const statement of statements.values()) statement.finalize()
      statements.clear()
    },
  }
}

/** SQLite takes `$1` for a name and counts names as they come; `?1` is the first value. */
const numberParameters = (sql: string) => sql.replace(/\$(\d+)/g, "?$1")
