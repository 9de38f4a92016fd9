import type { Found } from "../../../domain/feed/batch.ts"
import type { DryRun, FeedStore } from "../../../domain/feed/feed.ts"
import { ask, type Steps } from "../../sql/database.ts"
import { createDryRun, triedBefore } from "../../sql/feed/dry-run.ts"
import type { TriedRow } from "../../sql/feed/dry-run-rows.ts"
import { createFeed, type FeedTables } from "../../sql/feed/feed.ts"
import type { StoreUse } from "../../sql/use.ts"
import type { PoolOptions } from "../connection/connection.ts"
import {
  amongTexts,
  type Client,
  type Database,
  longMsMax,
  runSteps,
  type Value,
} from "../connection/database.ts"
import { writeChanges } from "./changes.ts"
import { listWaiting, readFound } from "./found.ts"
import { openSnapshot, snapshotMode } from "./snapshot.ts"

/** For one transaction: without statistics of new tables the planner would scan them. */
const useIndexes =
  "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off"

/** Any number, the same on every node: the node that holds the lock writes its feed. */
export const feedLock = 7_243_002

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

/** `feeds` is a pool of its own: a feed that waits must not block other requests. */
export function postgresFeed(db: Database, feeds: Database, use: StoreUse): FeedStore {
  /**
   * One batch at a time on all nodes: two imports that change the same rows cannot deadlock, and no
   * other feed writes between reading and writing a batch.
   */
  const takeTurn = `${useIndexes}; SET LOCAL lock_timeout = ${turnMsMax[use]};
    SELECT pg_advisory_xact_lock(${feedLock})`
  const tables: FeedTables<Found, Value> = {
    *readFound(mentions) {
      yield* ask(takeTurn)
      return yield* readFound(mentions)
    },
    writeChanges,
    listWaiting,
    // Without fresh statistics the planner scans tables instead of using indexes, five times slower.
    *settle(lines) {
      if (lines >= analyzedFromLine) yield* ask("ANALYZE accounts, api_keys, items, purchases")
    },
  }
  return createFeed(
    db,
    {
      openTables: () => tables,
      read: feeds.read,
      change: (steps) => feeds.transactLong((client) => runSteps(client, steps())),
      changeUnsynced: (steps) =>
        feeds.transactLong(async (client) => {
          await client.query("SET LOCAL synchronous_commit = off")
          return runSteps(client, steps())
        }),
    },
    {
      openDryRun: async () => openDryRun(await feeds.beginLong("")),
      openSnapshot: async () => openSnapshot(await db.beginLong(snapshotMode)),
    },
  )
}

const temporaryTable = `
  CREATE TEMPORARY TABLE tried (
    kind     text COLLATE "C" NOT NULL,
    identity text COLLATE "C" NOT NULL,
    parent   text COLLATE "C" NOT NULL,
    lookup   text COLLATE "C",
    value    text,
    as_of    bigint NOT NULL,
    is_gone  boolean NOT NULL,
    PRIMARY KEY (kind, identity)
  ) ON COMMIT DROP;
  CREATE INDEX tried_by_parent ON tried (kind, parent);
  CREATE INDEX tried_by_lookup ON tried (lookup) WHERE lookup IS NOT NULL`

/** Takes the connection over. The whole feed is one transaction: a pooler keeps the connection until it ends. */
async function openDryRun(own: Client): Promise<DryRun> {
  await own.query(`${useIndexes}; ${temporaryTable}`)
  return createDryRun<Value>({
    readFound: (mentions) => readFound(mentions, triedBefore),
    listWaiting,
    amongTexts,
    putRows,
    run: (steps) => runSteps(own, steps()),
    async scan(sql, values) {
      // Through an index it would take several times as long.
      await own.query("SET LOCAL enable_seqscan = on")
      return own.query(sql, values)
    },
    async close() {
      // A connection that broke has dropped the table already.
      await own.query("ROLLBACK").catch(() => {})
      own.release()
    },
  })
}

function* putRows(rows: readonly TriedRow[]): Steps<void> {
  // One statement may write an identity only once: keep the last row of each.
  const last = [...new Map(rows.map((row) => [`${row.kind} ${row.identity}`, row])).values()]
  if (last.length === 0) return
  yield* ask(
    `INSERT INTO tried (kind, identity, parent, lookup, value, as_of, is_gone)
     SELECT * FROM json_to_recordset($1) AS new (kind text, identity text, parent text, lookup text,
       value text, "asOf" bigint, "isGone" boolean)
     ON CONFLICT (kind, identity) DO UPDATE SET parent = excluded.parent, lookup = excluded.lookup,
       value = excluded.value, as_of = excluded.as_of, is_gone = excluded.is_gone`,
    [JSON.stringify(last)],
  )
}
