import type { FeedRecord, FeedStore, Verdict } from "../../domain/feed.ts"
import { decideBatch, mentionsOf } from "../../domain/feed-rules.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import { findLastRun, runsKept } from "../import-runs.ts"
import type { Connection } from "./connection.ts"
import type { Client, Database } from "./database.ts"
import { prepareChangeWriter } from "./feed-changes.ts"
import { prepareFoundReader } from "./feed-found.ts"
import { openJudge } from "./feed-judge.ts"
import { openSnapshot } from "./snapshot.ts"

/** `openOwn` opens a connection for one judge or snapshot, which closes it. */
export function sqliteFeed(db: Database, openOwn: () => Connection): FeedStore {
  return {
    async openBatches(source) {
      const batches = createBatches(db, source)
      return {
        put: (records, line) => db.transact((client) => batches.put(client, records, line)),
        finish: (records, line) => db.transact((client) => batches.finish(client, records, line)),
      }
    },
    openJudge: async () => openJudge(openOwn()),
    findLastRun: (source) => findLastRun(db, source),
    openSnapshot: async () => openSnapshot(openOwn()),
  }
}

function createBatches({ prepare }: Database, source: string) {
  const readFound = prepareFoundReader(prepare)
  const writeChanges = prepareChangeWriter(prepare)
  const startedAt = formatTimestamp(new Date())
  let runId: number | null = null

  function put(client: Client, records: readonly FeedRecord[], line: number): readonly Verdict[] {
    const found = readFound(mentionsOf(records))
    const { verdicts, changes } = decideBatch(records, found)
    writeChanges(client, changes, found.rowids)
    const [run] = client.query<{ id: number }>(
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
    finish(client: Client, records: readonly FeedRecord[], line: number) {
      const verdicts = put(client, records, line)
      client.query("UPDATE imports SET finished_at = $2 WHERE id = $1", [
        runId,
        formatTimestamp(new Date()),
      ])
      client.query("DELETE FROM imports WHERE id <= $1", [(runId ?? 0) - runsKept])
      return verdicts
    },
  }
}
