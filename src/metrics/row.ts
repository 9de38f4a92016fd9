/**
 * The counters and gauges of one thread, in one array. A scrape sums the rows of all threads. A thread
 * that replaces a dead one continues with the row that was last scraped, so no counter goes back.
 */
import { signInOutcomes } from "../domain/sign-in/sign-in-failures.ts"
import { poolNames } from "../domain/usage/measures.ts"
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
  // From here on gauges of the thread itself: they are reset when it ends, or does not respond to a scrape.
  threads: 1,
  eventLoopLag: 1,
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

/** Gauges for which 0 is a value. Only the main thread records them; NaN stands for an unknown one. */
const unknownAtFirst = [
  "purchases",
  "pullDueAt",
  "lastBackupAt",
  "lastBackupBytes",
  "backupDueAt",
  "diskFreeBytes",
] as const

export const createRow = () => new Float64Array(rowLength)

/** The row of the main thread, which also records the gauges of the whole server. */
export function createMainRow(startedAt: Date): Float64Array {
  const row = createRow()
  row[starts.startedAt] = startedAt.getTime() / 1000
  for (const block of unknownAtFirst) {
    row.fill(Number.NaN, starts[block], starts[block] + sizes[block])
  }
  return row
}

export const resetGauges = (row: Float64Array) => row.fill(0, starts.threads)
