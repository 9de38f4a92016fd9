/**
 * `pazar import`, `pull` and `backup` run in processes of their own, so a server learns of them from the store.
 * Every node counts every run that finishes while it runs.
 */
import type { FeedStore } from "../domain/feed/feed.ts"
import { dueMsOf, type PullStore } from "../domain/feed/pull.ts"
import type { SigningKeyStore } from "../domain/keys/signing-key.ts"
import { backupAgeMsMax, findLastBackup, type MetadataStore } from "../domain/store.ts"
import type { Every } from "../domain/values/time/timers.ts"
import type { Recorder } from "./recorder.ts"

type WatchingImports = Readonly<{
  feed: Pick<FeedStore, "listLastFinishes" | "listImportCounts" | "listTroubledRuns">
  pulls: Pick<PullStore, "list">
  metadata: Pick<MetadataStore, "find">
  signingKeys: Pick<SigningKeyStore, "list">
  /** The free bytes on the disk of the store; null where the store is not embedded. */
  readDiskFree(): number | null
  recorder: Pick<
    Recorder,
    | "countFeed"
    | "countFailedRun"
    | "noteFailedImports"
    | "noteLastFeed"
    | "notePullDue"
    | "noteLastBackup"
    | "noteDiskFree"
  >
  now(): Date
  every: Every
  onFault(fault: unknown): void
}>

const readEveryMs = 1_000
/** Far more than finish between two reads, and than there are sources. */
const runsMax = 100

/** Returns a function that ends it. */
export function watchImports(watching: WatchingImports): () => void {
  const { feed, pulls, metadata, signingKeys, readDiskFree, recorder, now, every, onFault } =
    watching
  const backupAgeSecondsMax = backupAgeMsMax / 1000
  /** The runs that were finished at the last read; null before the first. */
  let known: ReadonlySet<number> | null = null
  /** Sources whose latest run failed. */
  let failed = 0
  let isReading = false

  async function readRuns(): Promise<void> {
    const finishes = await feed.listLastFinishes()
    const runs = await feed.listImportCounts(runsMax)
    for (const { via, finishedAt } of finishes) {
      recorder.noteLastFeed(via, Date.parse(finishedAt) / 1000)
    }
    // A failure ends by a run that succeeds, also a push, which is not listed here, or by its age.
    if (failed > 0 || runs.some(({ id }) => known?.has(id) !== true)) {
      const troubled = await feed.listTroubledRuns(now(), runsMax)
      failed = troubled.filter(({ problem }) => problem !== null).length
    }
    recorder.noteFailedImports(failed)
    for (const { id, via, counts, rejectedBefore, problem } of runs) {
      if (known === null || known.has(id)) continue
      if (problem === null) recorder.countFeed(via, counts, rejectedBefore)
      else recorder.countFailedRun(via)
    }
    known = new Set(runs.map(({ id }) => id))
  }
  async function readPulls(): Promise<void> {
    const nowMs = now().getTime()
    const due = (await pulls.list()).flatMap((pull) => dueMsOf(pull, nowMs) ?? [])
    recorder.notePullDue(due.length === 0 ? null : Math.min(...due) / 1000)
  }
  /** A store gets its first signing keys when it is made. */
  async function findStoreMadeAt(): Promise<number> {
    const times = (await signingKeys.list()).map(({ createdAt }) => Date.parse(createdAt) / 1000)
    return Math.min(...times, now().getTime() / 1000)
  }
  async function readBackup(): Promise<void> {
    const freeBytes = readDiskFree()
    if (freeBytes === null) return
    recorder.noteDiskFree(freeBytes)
    const last = await findLastBackup(metadata)
    const madeAt = last === null ? 0 : Date.parse(last.at) / 1000
    const countedFrom = last === null ? await findStoreMadeAt() : madeAt
    recorder.noteLastBackup(madeAt, last?.bytes ?? 0, countedFrom + backupAgeSecondsMax)
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
