import type { FeedStore } from "../../../domain/feed/feed-record.ts"
import { createFeedStore, type DryRunDatabase } from "../../sql/feed/shared-feed-store.ts"
import type { Value as SingleValue, StoreUse } from "../../sql/sql-database.ts"
import type { PoolOptions } from "../connection/connection.ts"
import { type Client, type Database, dialect, longMsMax } from "../connection/database.ts"
import { openSnapshot, snapshotMode } from "./snapshot.ts"

/**
 * For one transaction: without statistics of new tables the planner would scan them. A table that must be
 * scanned then seems so costly that the server would compile the query first.
 */
const useIndexes =
  "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off"

/** A push of a few sales does not change the statistics of the planner. */
const analyzedFromLine = 10_000

/** A push that waits longer for the lock answers 503; an import may wait for another import. */
const turnMsMax: Readonly<Record<StoreUse, number>> = { serve: 5_000, command: longMsMax }

export const feedPool: PoolOptions = {
  connectionsMax: 2,
  connectMsMax: turnMsMax.serve,
  statementMsMax: longMsMax,
  queryMsMax: longMsMax,
}

/** Whoever writes this row writes a batch; the others wait. */
export const lockFeed =
  "INSERT INTO metadata VALUES ('feed turn', '') ON CONFLICT (name) DO UPDATE SET value = excluded.value"

/** `feeds` is a pool of its own: a feed that waits must not block other requests. */
export function postgresFeed(db: Database, feeds: Database, use: StoreUse): FeedStore {
  /**
   * One batch at a time on all nodes: two imports that change the same rows cannot deadlock, and no
   * other feed writes between reading and writing a batch.
   */
  const takeTurn = `${useIndexes}; SET LOCAL lock_timeout = ${turnMsMax[use]}; ${lockFeed}`
  return createFeedStore(
    db,
    {
      read: feeds.read,
      transaction: (work) => feeds.transaction(work, takeTurn),
      // Without fresh statistics the planner scans tables instead of using indexes, five times slower.
      async complete(tx, lines) {
        if (lines >= analyzedFromLine)
          await tx.query("ANALYZE accounts, api_keys, items, purchases")
      },
    },
    async () => openDryRun(await feeds.beginLong(dryRunMode)),
    async () => openSnapshot(await db.beginLong(snapshotMode)),
  )
}

/** A batch sees what others wrote before it, whatever isolation the database has by default. */
const dryRunMode = "ISOLATION LEVEL READ COMMITTED"

/**
 * The whole feed is one transaction, which is rolled back. It takes no turn: other feeds wait only for rows that the dry
 * run has changed.
 */
async function openDryRun(own: Client): Promise<DryRunDatabase> {
  await own.query(useIndexes)
  return {
    ...dialect,
    query: own.query,
    async scan<Row>(sql: string, values?: readonly SingleValue[]) {
      // Through an index it would take several times as long.
      await own.query("SET LOCAL enable_seqscan = on")
      const rows = await own.query<Row>(sql, values)
      await own.query("SET LOCAL enable_seqscan = off")
      return rows
    },
    async close() {
      // A connection that broke has rolled back already.
      await own.query("ROLLBACK").catch(() => {})
      own.release()
    },
  }
}
