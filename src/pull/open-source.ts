/** The one place that knows which adapter belongs to which kind of database. */
import type { Connection } from "./connection.ts"
import { openMysqlSource } from "./mysql.ts"
import { openPostgresSource } from "./postgres.ts"
import { type Source, SourceError, type SourceOptions } from "./source.ts"
import { openSqliteSource } from "./sqlite.ts"

/** Throws SourceError, which names the database: the operator has a second one, that of Pazar itself. */
export async function openSource(connection: Connection, options: SourceOptions): Promise<Source> {
  try {
    return await open(connection, options)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const message = `the pull cannot open ${describe(connection)}: ${error.message}`
    throw new SourceError(message, { cause: error })
  }
}

function open(connection: Connection, options: SourceOptions): Promise<Source> {
  if (connection.dialect === "sqlite") return openSqliteSource(connection.path, options)
  if (connection.dialect === "mysql") return openMysqlSource(connection, options)
  return openPostgresSource(connection, options)
}

function describe(connection: Connection): string {
  if (connection.dialect === "sqlite") return connection.path
  const { host, port, database, socketPath } = connection
  return `the database ${database} at ${socketPath ?? `${host}:${port}`}`
}
