import type { FeedRecord, FeedStore, Verdict } from "../../domain/feed.ts"
import { decideBatch, mentionsOf } from "../../domain/feed-rules.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import { findLastRun, finishRun, forgetRunsBefore, recordLine } from "../import-runs.ts"
import type { Connection } from "./connection.ts"
import type { Client, Database } from "./database.ts"
import { prepareChangeWriter } from "./feed-changes.ts"
import { prepareFoundReader } from "./feed-found.ts"
import { openJudge } from "./feed-judge.ts"
import { openSnapshot } from "./snapshot.ts"

/** `openOwn` opens a connection for one judge or snapshot, which closes it. */
export function sqliteFeed(db: Database, openOwn: () => Connection): FeedStore {
  return {
    async openBatches({ source }) {
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
  const newRun = { source, startedAt: formatTimestamp(new Date()) }
  let runId: number | null = null

  function put(client: Client, records: readonly FeedRecord[], line: number): readonly Verdict[] {
    const found = readFound(mentionsOf(records))
    const { verdicts, changes } = decideBatch(records, found)
    writeChanges(client, changes, found.rowids)
    const [run] = client.query<{ id: number }>(...recordLine(runId, newRun, line))
    runId = run?.id ?? null
    return verdicts
  }
  return {
    put,
    finish(client: Client, records: readonly FeedRecord[], line: number) {
      const verdicts = put(client, records, line)
      if (runId === null) throw new Error("a run without a row")
      client.query(...finishRun(runId, formatTimestamp(new Date())))
      client.query(...forgetRunsBefore(runId))
      return verdicts
    },
  }
}
