/**
 * The numbers of all threads, in memory that they share. Each thread has a row that only it writes, so no
 * locks are needed; a reader adds up the rows. A thread that takes the place of a dead one goes on with its
 * row, so no counter ever goes back.
 */
import { overloadCauses, requestClasses } from "../domain/running/admission.ts"
import { limitNames } from "../domain/running/rate-limits.ts"
import { signInOutcomes } from "../domain/sign-in/sign-in-failures.ts"
import { isWritable, poolNames } from "../domain/usage/measures.ts"
import {
  cacheNames,
  cacheResults,
  feedResults,
  feedWays,
  purchaseStates,
  reasons,
  routes,
  runOutcomes,
  webhookResults,
} from "./labels.ts"

/** One row a thread. */
export type MetricsMemory = readonly Float64Array[]

/**
 * The upper bounds of the buckets, in seconds. A validation takes 0.02 ms on the embedded store and 1 ms on
 * PostgreSQL; clients give up after 2.5 s.
 */
export const durationBounds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
] as const

/** One more than there are bounds, for everything that takes longer. */
export const bucketsOfRoute = durationBounds.length + 1

const sizes = {
  requests: routes.length * reasons.length,
  faults: routes.length,
  durationBuckets: routes.length * bucketsOfRoute,
  durationSums: routes.length,
  signIns: signInOutcomes.length,
  feedRecords: feedWays.length * feedResults.length,
  newlyRejected: feedWays.length,
  importRuns: feedWays.length * runOutcomes.length,
  failedImports: 1,
  purchases: purchaseStates.length,
  cacheLookups: cacheNames.length * cacheResults.length,
  shed: requestClasses.length * overloadCauses.length,
  rateLimited: limitNames.length,
  webhookDeliveries: webhookResults.length,
  webhookQueue: 1,
  usageFailures: 1,
  threadFailures: 1,
  startedAt: 1,
  storeReady: 1,
  writeSucceededAt: 1,
  writeFailedAt: 1,
  lastFeeds: feedWays.length,
  pullDueAt: 1,
  lastBackupAt: 1,
  lastBackupBytes: 1,
  backupDueAt: 1,
  diskFreeBytes: 1,
  // From here on gauges of the thread itself: they are reset when it ends.
  threads: 1,
  eventLoopLag: 1,
  sheddingLevel: 1,
  poolsInUse: poolNames.length,
  poolsWaiting: poolNames.length,
  poolsMax: poolNames.length,
} as const
type Block = keyof typeof sizes

export const starts = startsOf(sizes)

function startsOf(lengths: Readonly<Record<Block, number>>): Readonly<Record<Block, number>> {
  let next = 0
  const entries = Object.entries(lengths).map(([name, length]) => {
    const start = next
    next += length
    return [name, start]
  })
  return Object.fromEntries(entries)
}
const rowLength = Object.values(sizes).reduce((sum, size) => sum + size, 0)

/** Gauges for which 0 is a value. One thread notes them; NaN stands for an unknown one. */
const unknownAtFirst = [
  "purchases",
  "pullDueAt",
  "lastBackupAt",
  "lastBackupBytes",
  "backupDueAt",
  "diskFreeBytes",
] as const

export function createMetricsMemory(threads: number, startedAt: Date): MetricsMemory {
  const bytes = rowLength * Float64Array.BYTES_PER_ELEMENT
  const memory = Array.from(
    { length: threads },
    () => new Float64Array(new SharedArrayBuffer(bytes)),
  )
  const first = rowOf(memory, 0)
  first[starts.startedAt] = startedAt.getTime() / 1000
  for (const block of unknownAtFirst) {
    first.fill(Number.NaN, starts[block], starts[block] + sizes[block])
  }
  return memory
}

export function rowOf(memory: MetricsMemory, thread: number): Float64Array {
  const row = memory[thread]
  if (row === undefined) throw new Error(`there is no thread ${thread}`)
  return row
}

export const sumOf = (memory: MetricsMemory, at: number) =>
  memory.reduce((sum, row) => sum + (row[at] ?? 0), 0)

export const largestOf = (memory: MetricsMemory, at: number) =>
  Math.max(...memory.map((row) => row[at] ?? 0))

/** By the writes of all threads. */
export const isStoreWritable = (memory: MetricsMemory, nowMs: number) =>
  isWritable(
    {
      succeededAtMs: largestOf(memory, starts.writeSucceededAt),
      failedAtMs: largestOf(memory, starts.writeFailedAt),
    },
    nowMs,
  )

/** For a thread that ended: its connections are closed, and it is late no longer. */
export const resetGauges = (row: Float64Array) => row.fill(0, starts.threads)
