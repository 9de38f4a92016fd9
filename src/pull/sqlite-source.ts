import type { Database, SQLQueryBindings, Statement } from "bun:sqlite"
import type { Row } from "./row-reader.ts"
import {
  checkParameters,
  countSince,
  createRowBatch,
  type PreparedSelect,
  type Source,
  SourceError,
  type SourceOptions,
  toSourceError,
  wrapSourceErrors,
} from "./source.ts"

export async function openSqliteSource(path: string, { since }: SourceOptions): Promise<Source> {
  const { Database } = await import("bun:sqlite")
  const open = async () => new Database(path, { readonly: true, safeIntegers: true })
  const db = await wrapSourceErrors(open())
  const readAt = new Date()
  db.run("BEGIN")
  const statements: Statement[] = []
  return {
    readAt,
    prepare: (sql) => wrapSourceErrors(prepare(db, statements, sql, since.text)),
    async close() {
      // An open statement would keep the file locked.
      for (const statement of statements) statement.finalize()
      db.close()
    },
  }
}

async function prepare(
  db: Database,
  statements: Statement[],
  sql: string,
  since: string,
): Promise<PreparedSelect> {
  const statement = db.prepare<Record<string, unknown>, SQLQueryBindings[]>(sql)
  statements.push(statement)
  const columns = statement.columnNames
  const values = countSince(sql) > 0 ? [{ ":since": since }] : []
  if (columns.length === 0) throw new SourceError("not a SELECT statement")
  checkParameters(statement.paramsCount, values.length)
  async function* readRows(): AsyncGenerator<readonly Row[]> {
    const batch = createRowBatch()
    try {
      for (const row of statement.iterate(...values)) {
        if (batch.add(columns.map((name) => row[name]))) yield batch.take()
      }
    } catch (error) {
      throw toSourceError(error)
    }
    yield batch.take()
  }
  return { columns, readRows }
}
