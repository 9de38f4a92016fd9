import { pageBytesMax } from "../../../domain/catalog/item.ts"
import type { Snapshot } from "../../../domain/feed/feed-record.ts"
import { createSnapshot, pageRows } from "../../sql/feed/shared-snapshot.ts"
import type { Connection } from "../connection/connection.ts"
import { withBooleans } from "../connection/statements.ts"

/** Owns the connection, and closes it. */
export function openSnapshot(own: Connection): Snapshot {
  own.run("BEGIN")
  // A transaction sees the state at its first read, not at its BEGIN.
  own.query("SELECT 1 FROM metadata LIMIT 1").get()
  return createSnapshot({
    keyIdOrder: "k.id",
    readPages: (sql) => readPages(own, sql, () => 0),
    readLongRows: (sql) => readPages(own, sql, ({ bytes }) => bytes),
    async close() {
      own.run("COMMIT")
      own.close()
    },
  })
}

async function* readPages<Row>(
  own: Connection,
  sql: string,
  sizeOf: (row: Row) => number,
): AsyncGenerator<readonly Row[]> {
  let page: Row[] = []
  let bytes = 0
  for (const row of own.query<Row, []>(sql).iterate()) {
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
