/**
 * `pazar import` and `pazar pull` run in processes of their own, so a server learns of them from the store.
 * Every node counts every run that finishes while it runs.
 */
import type { Every } from "../domain/every.ts"
import type { FeedStore } from "../domain/feed.ts"
import type { Recorder } from "./recorder.ts"

export type WatchingImports = Readonly<{
  feed: Pick<FeedStore, "listLastFinishes" | "listImportCounts">
  recorder: Pick<Recorder, "countFeed" | "noteLastFeed">
  every: Every
  onFault(fault: unknown): void
}>

const readEveryMs = 1_000
/** Far more than finish between two reads. */
const runsMax = 100

/** Returns a function that ends it. */
export function watchImports({ feed, recorder, every, onFault }: WatchingImports): () => void {
  /** The runs that were finished at the last read; null before the first. */
  let known: ReadonlySet<number> | null = null
  let isReading = false

  async function readRuns(): Promise<void> {
    const finishes = await feed.listLastFinishes()
    const runs = await feed.listImportCounts(runsMax)
    for (const { via, finishedAt } of finishes) {
      recorder.noteLastFeed(via, Date.parse(finishedAt) / 1000)
    }
    for (const { id, via, counts } of runs) {
      if (known !== null && !known.has(id)) recorder.countFeed(via, counts)
    }
    known = new Set(runs.map(({ id }) => id))
  }
  async function readOnce(): Promise<void> {
    if (isReading) return
    isReading = true
    await readRuns().catch(onFault)
    isReading = false
  }
  void readOnce()
  return every(readEveryMs, () => void readOnce())
}
