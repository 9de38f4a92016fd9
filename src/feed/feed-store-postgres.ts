import { countPage } from "../items/item.ts"
import { type Client, type Database, dialect, longMsMax } from "../platform/database/postgres.ts"
import type { PoolOptions } from "../platform/database/postgres-pool.ts"
import { rawSql, type Sql, type StoreUse, sql, type Written } from "../platform/database/sql.ts"
import { createFeedStore, createSnapshot, type DryRunDatabase, pageRows } from "./feed-store.ts"
import type { FeedStore, Snapshot } from "./import-run.ts"

/**
 * Without statistics the planner would scan new tables. JIT is disabled because the high cost of the remaining scans
 * would trigger it.
 */
const useIndexes = sql`SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off; SET LOCAL jit = off`

/** Smaller feeds do not change the statistics of the planner. */
const analyzedLinesMin = 10_000

/** A push that waits longer for the lock returns 503; an import waits for another import. */
const lockMsMax: Readonly<Record<StoreUse, number>> = { serve: 5_000, command: longMsMax }

export const feedPool: PoolOptions = {
  connectionsMax: 2,
  connectMsMax: lockMsMax.serve,
  statementMsMax: longMsMax,
  queryMsMax: longMsMax,
}

/** The row is locked until the transaction ends. */
export const lockFeed = sql`
  INSERT INTO metadata VALUES ('feed turn', '') ON CONFLICT (name) DO UPDATE SET value = excluded.value`

/** `feeds` is a separate pool: a feed that waits must not block other requests. */
export function postgresFeed(db: Database, feeds: Database, use: StoreUse): FeedStore {
  // Batches run one at a time on all nodes: imports cannot deadlock, and no other feed writes between the reads and
  // writes of a batch.
  const beginBatch = sql`${useIndexes};
    SET LOCAL lock_timeout = ${rawSql(`${lockMsMax[use]}`)}; ${lockFeed}`
  return createFeedStore(
    db,
    {
      read: feeds.read,
      transaction: (work) => feeds.transaction(work, beginBatch),
      // Without statistics the planner scans tables instead of using indexes.
      async complete(tx, lines) {
        if (lines >= analyzedLinesMin)
          await tx.query`ANALYZE accounts, api_keys, items, purchases, daily_sales`
      },
    },
    // A batch sees the writes of others before it, whatever the default isolation of the database is.
    async () => openDryRun(await feeds.beginLong("ISOLATION LEVEL READ COMMITTED")),
    async () => openSnapshot(await db.beginLong(snapshotMode)),
  )
}

/** The whole feed is one transaction that is rolled back. Other feeds wait only for rows that the dry run has changed. */
async function openDryRun(client: Client): Promise<DryRunDatabase> {
  await client.query(useIndexes)
  return {
    ...dialect,
    query: client.query,
    async scan<Row>(...written: Written) {
      // A scan through an index would take several times as long.
      await client.query`SET LOCAL enable_seqscan = on`
      const rows = await client.query<Row>(...written)
      await client.query`SET LOCAL enable_seqscan = off`
      return rows
    },
    async close() {
      // A broken connection is already rolled back.
      await client.query`ROLLBACK`.catch(() => {})
      client.release()
    },
  }
}

const snapshotMode = "ISOLATION LEVEL REPEATABLE READ READ ONLY"

/** `client` is in a transaction. `close` releases it. */
async function openSnapshot(client: Client): Promise<Snapshot> {
  // A transaction sees the state at its first query, not at BEGIN.
  await client.query`SELECT 1 FROM metadata LIMIT 1`
  return createSnapshot({
    keyIdOrder: sql`k.id COLLATE "C"`,
    readPages: (select) => readPages(client, select),
    readLongRows: (columns, body, from) =>
      readLongRows(client, sql`octet_length(${body}) FROM ${from}`, sql`${columns} FROM ${from}`),
    async close() {
      await client.query`COMMIT`
      client.release()
    },
  })
}

export async function* readPages<Row>(
  { query }: Client,
  select: Sql,
): AsyncGenerator<readonly Row[]> {
  await query`DECLARE pages CURSOR FOR ${select}`
  for (;;) {
    const page = await query<Row>(rawSql(`FETCH ${pageRows} FROM pages`))
    if (page.length === 0) break
    yield page
  }
  await query`CLOSE pages`
}

/** Reads the sizes before the rows, so that a page never exceeds the memory for it. */
async function* readLongRows<Row>(
  { query }: Client,
  selectSizes: Sql,
  select: Sql,
): AsyncGenerator<readonly Row[]> {
  await query`DECLARE sizes CURSOR FOR SELECT ${selectSizes}`
  await query`DECLARE pages CURSOR FOR SELECT ${select}`
  for (;;) {
    const rows = await query<{ octetLength: number }>(rawSql(`FETCH ${pageRows} FROM sizes`))
    if (rows.length === 0) break
    let sizes = rows.map(({ octetLength }) => octetLength)
    while (sizes.length > 0) {
      const length = countPage(sizes)
      yield await query<Row>(rawSql(`FETCH ${length} FROM pages`))
      sizes = sizes.slice(length)
    }
  }
  await query`CLOSE sizes`
  await query`CLOSE pages`
}
