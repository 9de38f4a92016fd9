import { countPage } from "../../../domain/catalog/item.ts"
import type { Snapshot } from "../../../domain/feed/feed-record.ts"
import { createSnapshot, type LongRow, pageRows } from "../../sql/feed/shared-snapshot.ts"
import type { Client } from "../connection/database.ts"

export const snapshotMode = "ISOLATION LEVEL REPEATABLE READ READ ONLY"

/** Owns the client, which is in a transaction, and releases it on close. */
export async function openSnapshot(own: Client): Promise<Snapshot> {
  // A transaction sees the state at its first query, not at its BEGIN.
  await own.query("SELECT 1 FROM metadata LIMIT 1")
  return createSnapshot({
    keyIdOrder: 'k.id COLLATE "C"',
    readPages: (sql) => readPages(own, sql),
    readLongRows: (sql) => readLongRows(own, sql),
    async close() {
      await own.query("COMMIT")
      own.release()
    },
  })
}

async function* readPages<Row>(own: Client, sql: string): AsyncGenerator<readonly Row[]> {
  await own.query(`DECLARE pages CURSOR FOR ${sql}`)
  for (;;) {
    const page = await own.query<Row>(`FETCH ${pageRows} FROM pages`)
    if (page.length === 0) break
    yield page
  }
  await own.query("CLOSE pages")
}

/** The sizes of rows are read before the rows, which takes no long text into memory. */
async function* readLongRows<Row>(own: Client, sql: string): AsyncGenerator<readonly Row[]> {
  await own.query(`DECLARE sizes CURSOR FOR SELECT bytes FROM (${sql}) sized`)
  await own.query(`DECLARE pages CURSOR FOR ${sql}`)
  for (;;) {
    const rows = await own.query<LongRow>(`FETCH ${pageRows} FROM sizes`)
    if (rows.length === 0) break
    let sizes = rows.map(({ bytes }) => bytes)
    while (sizes.length > 0) {
      const length = countPage(sizes)
      yield await own.query<Row>(`FETCH ${length} FROM pages`)
      sizes = sizes.slice(length)
    }
  }
  await own.query("CLOSE sizes")
  await own.query("CLOSE pages")
}
