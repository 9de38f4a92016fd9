/**
 * `pazar import`, `pull` and `backup` run in processes of their own, so a server learns of them from the store.
 * Every node counts every run that finishes while it runs.
 */
import type { FeedStore } from "../domain/feed/feed-record.ts"
import { dueMsOf, type PullStore } from "../domain/feed/pull.ts"
import { findLastBackup, type MetadataStore } from "../domain/store.ts"
import type { Every } from "../domain/values/time/timers.ts"
import { countImportRun, type Metrics } from "./metrics.ts"

type ImportMetricsOptions = Readonly<{
  feed: Pick<FeedStore, "listLastFinishes" | "listImportCounts">
  pulls: Pick<PullStore, "list">
  metadata: Pick<MetadataStore, "find">
  /** The free bytes on the disk of the store; null where the store is not embedded. */
  readDiskFree(): number | null
  metrics: Metrics
  now(): Date
  every: Every
  onFault(fault: unknown): void
}>

const readEveryMs = 1_000
/** Far more than finish between two reads. */
const runsMax = 100

const secondsOf = (at: string) => Date.parse(at) / 1000

/** Returns a function that ends it. */
export function pollImportMetrics(watching: ImportMetricsOptions): () => void {
  const { feed, pulls, metadata, readDiskFree, metrics, now, every, onFault } = watching
  const { server } = metrics
  /** The runs that were finished at the last read; null before the first. */
  let known: ReadonlySet<number> | null = null
  let isReading = false

  async function readRuns(): Promise<void> {
    const finishes = await feed.listLastFinishes()
    if (finishes.length > 0) {
      server.lastImportAt = Math.max(...finishes.map(({ finishedAt }) => secondsOf(finishedAt)))
    }
    const runs = await feed.listImportCounts(runsMax)
    for (const { id, via, counts, isFailed } of runs) {
      if (known === null || known.has(id)) continue
      if (isFailed) metrics.importRuns[via].failed += 1
      else countImportRun(metrics, via, counts)
    }
    known = new Set(runs.map(({ id }) => id))
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
    server.lastBackupAt = last === null ? 0 : secondsOf(last.at)
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
