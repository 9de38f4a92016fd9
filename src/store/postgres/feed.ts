import type { FeedRecord, FeedStore, Verdict } from "../../domain/feed.ts"
import { decideBatch, mentionsOf } from "../../domain/feed-rules.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import { findLastRun, runsKept } from "../import-runs.ts"
import type { StoreUse } from "../use.ts"
import { type Client, type Database, feedLock, leisureMsMax, type Patience } from "./database.ts"
import { writeChanges } from "./feed-changes.ts"
import { readFound, toWrite, useIndexes } from "./feed-found.ts"
import { openJudge } from "./feed-judge.ts"
import { oneMoment, openSnapshot } from "./snapshot.ts"

/** A push of a few sales does not change what the planner knows. */
const analyzedFromLine = 10_000

/** A push answers 503 when its turn does not come; an import may wait for another one. */
const turnMsMax: Readonly<Record<StoreUse, number>> = { serve: 5_000, command: leisureMsMax }

export const feedPatience: Patience = {
  connectionsMax: 2,
  connectMsMax: turnMsMax.serve,
  statementMsMax: leisureMsMax,
  queryMsMax: leisureMsMax,
}

/** `feeds` has connections of its own, so that feeds which wait keep no others waiting. */
export function postgresFeed(db: Database, feeds: Database, use: StoreUse): FeedStore {
  /**
   * One batch at a time, whoever sends it: two imports that touch the same rows cannot deadlock, and
   * between reading and writing a batch no other feed writes.
   */
  const takeTurn = `${useIndexes}; SET LOCAL lock_timeout = ${turnMsMax[use]};
    SELECT pg_advisory_xact_lock(${feedLock})`
  return {
    async openBatches(source) {
      const batches = createBatches(source, takeTurn)
      return {
        put: (records, line) =>
          feeds.transactAtLeisure((client) => batches.put(client, records, line)),
        finish: (records, line) =>
          feeds.transactAtLeisure((client) => batches.finish(client, records, line)),
      }
    },
    openJudge: async () => openJudge(await feeds.beginAtLeisure("")),
    findLastRun: (source) => findLastRun(db, source),
    openSnapshot: async () => openSnapshot(await db.beginAtLeisure(oneMoment)),
  }
}

function createBatches(source: string, takeTurn: string) {
  const startedAt = formatTimestamp(new Date())
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
    const [run] = await client.query<{ id: number }>(
      runId === null
        ? "INSERT INTO imports (source, line, started_at) VALUES ($1, $2, $3) RETURNING id"
        : "UPDATE imports SET line = $2 WHERE id = $1 RETURNING id",
      runId === null ? [source, line, startedAt] : [runId, line],
    )
    runId = run?.id ?? null
    return verdicts
  }
  return {
    put,
    async finish(client: Client, records: readonly FeedRecord[], line: number) {
      const verdicts = await put(client, records, line)
      await client.query("UPDATE imports SET finished_at = $2 WHERE id = $1", [
        runId,
        formatTimestamp(new Date()),
      ])
      await client.query("DELETE FROM imports WHERE id <= $1", [(runId ?? 0) - runsKept])
      // Until the server has looked at what came, it takes a look-up for a scan: a fifth of the speed.
      if (line >= analyzedFromLine)
        await client.query("ANALYZE accounts, api_keys, items, purchases")
      return verdicts
    },
  }
}
