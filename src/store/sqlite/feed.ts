import type { Database } from "bun:sqlite"
import type { FeedStore, FeedWriter, ImportRun } from "../../domain/feed.ts"
import { decideBatch, mentionsOf } from "../../domain/feed-rules.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import type { StoreUse } from "../use.ts"
import { openDatabase, read, write } from "./database.ts"
import { prepareChangeWriter } from "./feed-changes.ts"
import { prepareFoundReader } from "./feed-found.ts"
import { openJudge } from "./feed-judge.ts"
import { openSnapshot } from "./snapshot.ts"

/** Every push records a run; older ones are deleted. */
const runsKept = 1_000

export function sqliteFeed(db: Database, use: StoreUse): FeedStore {
  const findLastRun = db.query<ImportRun, [string]>(
    `SELECT source, line, started_at AS "startedAt", finished_at AS "finishedAt"
     FROM imports WHERE source = ? ORDER BY id DESC LIMIT 1`,
  )
  return {
    async openBatches(source) {
      const batches = prepareBatches(db, source)
      return {
        put: (records, line) => write(db, () => batches.put(records, line)),
        finish: (records, line) => write(db, () => batches.finish(records, line)),
      }
    },
    // A connection of its own: its temporary table goes with it.
    openJudge: async () => openJudge(openDatabase(db.filename, use)),
    findLastRun: (source) => read(() => findLastRun.get(source)),
    openSnapshot: async () => openSnapshot(openDatabase(db.filename, use)),
  }
}

type Batches = Readonly<{
  put(...batch: Parameters<FeedWriter["put"]>): Awaited<ReturnType<FeedWriter["put"]>>
  finish(...batch: Parameters<FeedWriter["put"]>): Awaited<ReturnType<FeedWriter["put"]>>
}>

/** Both run inside a transaction that the caller opened. */
function prepareBatches(db: Database, source: string): Batches {
  const readFound = prepareFoundReader(db)
  const writeChanges = prepareChangeWriter(db)
  const startRun = db.query("INSERT INTO imports (source, line, started_at) VALUES (?, 0, ?)")
  const recordLine = db.query("UPDATE imports SET line = ? WHERE id = ?")
  const finishRun = db.query("UPDATE imports SET finished_at = ? WHERE id = ?")
  const forgetRuns = db.query("DELETE FROM imports WHERE id <= ?")
  const startedAt = formatTimestamp(new Date())
  let runId = 0

  const put: Batches["put"] = (records, line) => {
    if (runId === 0) runId = Number(startRun.run(source, startedAt).lastInsertRowid)
    const found = readFound(mentionsOf(records))
    const { verdicts, changes } = decideBatch(records, found)
    writeChanges(changes, found.places)
    recordLine.run(line, runId)
    return verdicts
  }
  return {
    put,
    finish(records, line) {
      const verdicts = put(records, line)
      finishRun.run(formatTimestamp(new Date()), runId)
      forgetRuns.run(runId - runsKept)
      return verdicts
    },
  }
}
