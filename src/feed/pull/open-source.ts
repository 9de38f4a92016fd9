/** The one place that knows which adapter belongs to which kind of database. */
import type { Connection } from "./connection.ts"
import { openMysql } from "./mysql.ts"
import { openPostgres } from "./postgres.ts"
import type { Source, SourceOptions } from "./source.ts"
import { openSqlite } from "./sqlite.ts"

/** Throws SourceError. */
export function openSource(connection: Connection, options: SourceOptions): Promise<Source> {
  if (connection.dialect === "sqlite") return openSqlite(connection.path, options)
  if (connection.dialect === "mysql") return openMysql(connection, options)
  return openPostgres(connection, options)
}
