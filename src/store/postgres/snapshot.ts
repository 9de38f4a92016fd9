import type { Snapshot } from "../../domain/feed.ts"
import { createSnapshot, pageRows } from "../snapshot.ts"
import type { Client } from "./database.ts"

export const snapshotMode = "ISOLATION LEVEL REPEATABLE READ READ ONLY"

/** Owns the client, which is in a transaction, and releases it on close. */
export async function openSnapshot(own: Client): Promise<Snapshot> {
  // A transaction sees the state at its first query, not at its BEGIN.
  await own.query("SELECT 1 FROM marks LIMIT 1")
  return createSnapshot({
    keyIdOrder: 'k.id COLLATE "C"',
    codeOrder: "lower(code), code",
    readPages: (sql) => readPages(own, sql),
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
