import { Database } from "bun:sqlite"
import { readPages } from "../feed/feed-store-sqlite.ts"
import { tuples } from "../platform/database/sql.ts"
import { createStatements, dialect, memory } from "../platform/database/sqlite.ts"
import { lockDatabase } from "./lock-database.ts"
import type { MoveConnection, Row, Table } from "./move.ts"
import { sqliteSchema } from "./schema.ts"

/** Of a new database, because there the tables follow those that they reference. */
export function listTables(): readonly Table[] {
  using db = new Database(":memory:")
  db.run(sqliteSchema.sql)
  const { query, finalize } = createStatements(db)
  const columns = query<[table: string, name: string, pk: number]>(tuples`
    SELECT t.name, c.name, c.pk FROM sqlite_schema t, pragma_table_xinfo(t.name) c
    WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' AND c.hidden = 0
    ORDER BY t.rowid, c.cid`)
  finalize()
  const namesOf = (some: typeof columns) => some.map(([, name]) => name)
  return [...Map.groupBy(columns, ([table]) => table)].map(([name, all]) => {
    const key = all.filter(([, , pk]) => pk > 0)
    return { name, columns: namesOf(all), order: namesOf(key.length === 0 ? all : key) }
  })
}

/** Throws UserError if the database is in use. */
export function openSqliteMove(path: string): MoveConnection {
  const connection = lockDatabase(path)
  for (const setting of memory.command) connection.run(setting)
  const { read, iterate, finalize } = createStatements(connection)
  return {
    ...dialect,
    query: read,
    description: path,
    readBatches: (select) => readPages(iterate<Row>(select)),
    readLastIds: async () =>
      new Map(await read<[table: string, last: number]>(tuples`SELECT * FROM sqlite_sequence`)),
    async writeLastIds(lastIds) {
      await read`DELETE FROM sqlite_sequence`
      for (const [table, last] of lastIds)
        await read`INSERT INTO sqlite_sequence VALUES (${table}, ${last})`
    },
    async commit() {
      connection.run("COMMIT")
    },
    async [Symbol.asyncDispose]() {
      finalize()
      connection.close()
    },
  }
}
