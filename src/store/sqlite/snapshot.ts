import type { Snapshot } from "../../domain/feed.ts"
import { createSnapshot, pageRows } from "../snapshot.ts"
import type { Connection } from "./connection.ts"

/** Owns the connection, and closes it. */
export function openSnapshot(own: Connection): Snapshot {
  own.run("BEGIN")
  // A transaction sees the state at its first read, not at its BEGIN.
  own.query("SELECT 1 FROM marks LIMIT 1").get()
  return createSnapshot({
    keyIdOrder: "k.id",
    codeOrder: "code COLLATE NOCASE, code COLLATE BINARY",
    readPages: (sql) => readPages(own, sql),
    async close() {
      own.run("COMMIT")
      own.close()
    },
  })
}

async function* readPages<Row>(own: Connection, sql: string): AsyncGenerator<readonly Row[]> {
  let page: Row[] = []
  for (const row of own.query<Row, []>(sql).iterate()) {
    page.push(row)
    if (page.length < pageRows) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
