import type { Database, SQLQueryBindings, Statement } from "bun:sqlite"
import type { Row } from "./row-reader.ts"
import {
  asSourceErrors,
  type PreparedSelect,
  rowsAtOnce,
  type Source,
  SourceError,
  type SourceOptions,
  toSourceError,
} from "./source.ts"

/** The machine's clock is the database's. */
export async function openSqliteSource(path: string, { since }: SourceOptions): Promise<Source> {
  const { Database } = await import("bun:sqlite")
  const db = await asSourceErrors(open(path, Database))
  const readAt = new Date()
  db.run("BEGIN")
  const statements: Statement[] = []
  return {
    readAt,
    prepare: (parts) => asSourceErrors(prepare(db, statements, parts, since.text)),
    async close() {
      // A statement that is still open would keep the file locked.
      for (const statement of statements) statement.finalize()
      db.close()
    },
  }
}

async function open(path: string, Connection: typeof Database): Promise<Database> {
  return new Connection(path, { readonly: true, safeIntegers: true })
}

async function prepare(
  db: Database,
  statements: Statement[],
  parts: readonly string[],
  since: string,
): Promise<PreparedSelect> {
  const statement = db.prepare<Record<string, unknown>, SQLQueryBindings[]>(parts.join("?1"))
  statements.push(statement)
  const columns = statement.columnNames
  const values = parts.length > 1 ? [since] : []
  if (columns.length === 0) throw new SourceError("it is no SELECT")
  if (statement.paramsCount !== values.length) {
    throw new SourceError("it has a parameter that is not :since")
  }
  async function* readRows(): AsyncGenerator<readonly Row[]> {
    let batch: Row[] = []
    try {
      for (const row of statement.iterate(...values)) {
        batch.push(columns.map((name) => row[name]))
        if (batch.length < rowsAtOnce) continue
        yield batch
        batch = []
      }
    } catch (error) {
      throw toSourceError(error)
    }
    if (batch.length > 0) yield batch
  }
  return { columns, readRows }
}
