import type { FeedRecord, FeedStore, Verdict } from "../../domain/feed.ts"
import { decideBatch, mentionsOf } from "../../domain/feed-rules.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import { findLastRun, finishRun, forgetRunsBefore, recordLine } from "../import-runs.ts"
import type { StoreUse } from "../use.ts"
import type { PoolOptions } from "./connection.ts"
import { type Client, type Database, longMsMax } from "./database.ts"
import { writeChanges } from "./feed-changes.ts"
import { readFound, toWrite, useIndexes } from "./feed-found.ts"
import { openJudge } from "./feed-judge.ts"
import { openSnapshot, snapshotMode } from "./snapshot.ts"

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
  return {
    async openBatches({ source }) {
      const batches = createBatches(source, takeTurn)
      return {
        put: (records, line) => feeds.transactLong((client) => batches.put(client, records, line)),
        finish: (records, line) =>
          feeds.transactLong((client) => batches.finish(client, records, line)),
      }
    },
    openJudge: async () => openJudge(await feeds.beginLong("")),
    findLastRun: (source) => findLastRun(db, source),
    openSnapshot: async () => openSnapshot(await db.beginLong(snapshotMode)),
  }
}

function createBatches(source: string, takeTurn: string) {
  const newRun = { source, startedAt: formatTimestamp(new Date()) }
  let runId: number | null = null

  async function put(
    client: Client,
    records: readonly FeedRecord[],
    line: number,
  ): Promise<readonly Verdict[]> {
    await client.query(takeTurn)
    const found = await readFound(client, mentionsOf(records), toWrite)
    const { verdicts, changes } = decideBatch(records, found)
    await writeChanges(client, changes)
    const [run] = await client.query<{ id: number }>(...recordLine(runId, newRun, line))
    runId = run?.id ?? null
    return verdicts
  }
  return {
    put,
    async finish(client: Client, records: readonly FeedRecord[], line: number) {
      const verdicts = await put(client, records, line)
      if (runId === null) throw new Error("a run without a row")
      await client.query(...finishRun(runId, formatTimestamp(new Date())))
      await client.query(...forgetRunsBefore(runId))
      // Without fresh statistics the planner scans tables instead of using indexes, five times slower.
      if (line >= analyzedFromLine)
        await client.query("ANALYZE accounts, api_keys, items, purchases")
      return verdicts
    },
  }
}
