import { pageBytesMax } from "../../../domain/catalog/item.ts"
import type { Snapshot } from "../../../domain/feed/feed-store.ts"
import { createSnapshot, pageRows } from "../../sql/feed/shared-snapshot.ts"
import type { Connection } from "../connection/connection.ts"
import { withBooleans } from "../connection/statements.ts"

/** `close` closes the connection. */
export function openSnapshot(connection: Connection): Snapshot {
  connection.run("BEGIN")
  // A transaction sees the state at its first read, not at BEGIN.
  connection.query("SELECT 1 FROM metadata LIMIT 1").get()
  return createSnapshot({
    keyIdOrder: "k.id",
    readPages: (sql) => readPages(connection, sql, () => 0),
    readLongRows: (sql) => readPages(connection, sql, ({ bytes }) => bytes),
    async close() {
      connection.run("COMMIT")
      connection.close()
    },
  })
}

async function* readPages<Row>(
  connection: Connection,
  sql: string,
  sizeOf: (row: Row) => number,
): AsyncGenerator<readonly Row[]> {
  let page: Row[] = []
  let bytes = 0
  for (const row of connection.query<Row, []>(sql).iterate()) {
    const isFull = page.length === pageRows || bytes + sizeOf(row) > pageBytesMax
    if (isFull && page.length > 0) {
      yield withBooleans(page)
      page = []
      bytes = 0
    }
    page.push(row)
    bytes += sizeOf(row)
  }
  if (page.length > 0) yield withBooleans(page)
}
