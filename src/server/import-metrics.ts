/**
 * `pazar import`, `pull` and `backup` run in separate processes, so the server polls the database for their runs.
 * Every node counts every run that finishes while the node is up.
 */
import { dueMsOf, type FeedStore, type PullStore } from "../feed/import-run.ts"
import type { MetadataStore } from "../platform/database/metadata.ts"
import type { Every } from "../platform/timers.ts"
import { findLastBackup } from "../store/metadata.ts"
import { countImportRun, type Metrics } from "../usage/metrics.ts"

type ImportMetricsOptions = Readonly<{
  feed: Pick<FeedStore, "listLastFinishes" | "listImportCounts">
  pulls: Pick<PullStore, "list">
  metadata: Pick<MetadataStore, "find">
  readDiskFree(): number | null
  metrics: Metrics
  now(): Date
  every: Every
  onFault(fault: unknown): void
}>

const readEveryMs = 1_000
/** Far more runs than can finish between two polls. */
const runsMax = 100

const toSeconds = (at: string) => Date.parse(at) / 1000

export function pollImportMetrics(options: ImportMetricsOptions): () => void {
  const { feed, pulls, metadata, readDiskFree, metrics, now, every, onFault } = options
  const { server } = metrics
  let countedIds: ReadonlySet<number> | null = null
  let isReading = false

  async function readRuns(): Promise<void> {
    const finishes = await feed.listLastFinishes(now())
    if (finishes.length > 0) {
      server.lastImportAt = Math.max(...finishes.map(({ finishedAt }) => toSeconds(finishedAt)))
    }
    const runs = await feed.listImportCounts(now(), runsMax)
    for (const { id, via, counts, isFailed, isComplete } of runs) {
      if (countedIds === null || countedIds.has(id)) continue
      if (isComplete) countImportRun(metrics, via, counts, isFailed ? "failed" : "finished")
      else metrics.importRuns[via].failed += 1
    }
    countedIds = new Set(runs.map(({ id }) => id))
  }
  async function readPulls(): Promise<void> {
    const nowMs = now().getTime()
    const due = (await pulls.list()).flatMap((pull) => dueMsOf(pull, nowMs) ?? [])
    if (due.length === 0) delete server.pullDueAt
    else server.pullDueAt = Math.min(...due) / 1000
  }
  async function readBackup(): Promise<void> {
    const freeBytes = readDiskFree()
    if (freeBytes === null) return
    server.diskFreeBytes = freeBytes
    const last = await findLastBackup(metadata)
    server.lastBackupAt = last === null ? 0 : toSeconds(last.at)
  }
  async function readOnce(): Promise<void> {
    if (isReading) return
    isReading = true
    for (const read of [readRuns, readPulls, readBackup]) await read().catch(onFault)
    isReading = false
  }
  void readOnce()
  return every(readEveryMs, () => void readOnce())
}
