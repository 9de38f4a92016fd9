import { countPage } from "../../../domain/catalog/item.ts"
import type { Snapshot } from "../../../domain/feed/feed-store.ts"
import { createSnapshot, type LongRow, pageRows } from "../../sql/feed/shared-snapshot.ts"
import type { Client } from "../connection/database.ts"

export const snapshotMode = "ISOLATION LEVEL REPEATABLE READ READ ONLY"

/** `client` is in a transaction. `close` releases it. */
export async function openSnapshot(client: Client): Promise<Snapshot> {
  // A transaction sees the state at its first query, not at BEGIN.
  await client.query("SELECT 1 FROM metadata LIMIT 1")
  return createSnapshot({
    keyIdOrder: 'k.id COLLATE "C"',
    readPages: (sql) => readPages(client, sql),
    readLongRows: (sql) => readLongRows(client, sql),
    async close() {
      await client.query("COMMIT")
      client.release()
    },
  })
}

async function* readPages<Row>(client: Client, sql: string): AsyncGenerator<readonly Row[]> {
  await client.query(`DECLARE pages CURSOR FOR ${sql}`)
  for (;;) {
    const page = await client.query<Row>(`FETCH ${pageRows} FROM pages`)
    if (page.length === 0) break
    yield page
  }
  await client.query("CLOSE pages")
}

/** Reads the sizes before the rows, so that a page never exceeds the memory for it. */
async function* readLongRows<Row>(client: Client, sql: string): AsyncGenerator<readonly Row[]> {
  await client.query(`DECLARE sizes CURSOR FOR SELECT bytes FROM (${sql}) sized`)
  await client.query(`DECLARE pages CURSOR FOR ${sql}`)
  for (;;) {
    const rows = await client.query<LongRow>(`FETCH ${pageRows} FROM sizes`)
    if (rows.length === 0) break
    let sizes = rows.map(({ bytes }) => bytes)
    while (sizes.length > 0) {
      const length = countPage(sizes)
      yield await client.query<Row>(`FETCH ${length} FROM pages`)
      sizes = sizes.slice(length)
    }
  }
  await client.query("CLOSE sizes")
  await client.query("CLOSE pages")
}
