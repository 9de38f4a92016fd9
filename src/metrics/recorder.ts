/** Counts what happens on one thread. Nothing here allocates: `countRequest` runs with every request. */
import { type SignInOutcome, signInOutcomes } from "../domain/sign-in/sign-in-failures.ts"
import type { PurchaseTotals } from "../domain/usage/trends.ts"
import {
  type CountedReason,
  type FeedResult,
  type FeedWay,
  feedResults,
  feedWays,
  purchaseStates,
  type Route,
  type RunEnd,
  reasons,
  routes,
  runOutcomes,
  type WebhookResult,
  webhookResults,
} from "./labels.ts"
import { bucketsOfRoute, durationBounds, starts } from "./row.ts"

export type Recorder = ReturnType<typeof createRecorder>

const routePositions = new Map(routes.map((route, at) => [route, at]))
const reasonPositions = new Map(reasons.map((reason, at) => [reason, at]))

export function createRecorder(row: Float64Array) {
  const add = (at: number, more: number) => {
    row[at] = (row[at] ?? 0) + more
  }
  const note = (at: number, value: number) => {
    row[at] = value
  }
  const countRun = (via: FeedWay, end: RunEnd) =>
    add(
      starts.importRuns + feedWays.indexOf(via) * runOutcomes.length + runOutcomes.indexOf(end),
      1,
    )
  return {
    /** `isFault`: the store or a bug was the cause. A reason alone does not say so. */
    countRequest(route: Route, reason: CountedReason, ms: number, isFault: boolean): void {
      const position = routePositions.get(route) ?? 0
      add(starts.requests + position * reasons.length + (reasonPositions.get(reason) ?? 0), 1)
      const seconds = ms / 1000
      let bucket = 0
      // The first buckets hold nearly all requests.
      while (seconds > (durationBounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
      add(starts.durationBuckets + position * bucketsOfRoute + bucket, 1)
      add(starts.durationSums + position, seconds)
      if (isFault) add(starts.faults + position, 1)
    },
    countSignIn: (outcome: SignInOutcome) =>
      add(starts.signIns + signInOutcomes.indexOf(outcome), 1),
    /** Of a run or push that was read to its end. `rejectedBefore` is what the run before it refused. */
    countFeed(
      via: FeedWay,
      counts: Readonly<Record<FeedResult, number>>,
      rejectedBefore: number,
    ): void {
      const start = starts.feedRecords + feedWays.indexOf(via) * feedResults.length
      for (const [at, result] of feedResults.entries()) add(start + at, counts[result])
      const newlyRejected = Math.max(0, counts.rejected - rejectedBefore)
      add(starts.newlyRejected + feedWays.indexOf(via), newlyRejected)
      countRun(via, "finished")
    },
    countFailedRun: (via: FeedWay) => countRun(via, "failed"),
    noteFailedImports: (sources: number) => note(starts.failedImports, sources),
    countWebhook: (result: WebhookResult) =>
      add(starts.webhookDeliveries + webhookResults.indexOf(result), 1),
    /** Messages that wait, of all endpoints that are on. */
    noteWebhookQueue: (messages: number) => note(starts.webhookQueue, messages),
    countUsageFailure: () => add(starts.usageFailures, 1),
    countThreadFailure: () => add(starts.threadFailures, 1),
    noteStore: (isReady: boolean) => note(starts.storeReady, isReady ? 1 : 0),
    // These moments are in seconds since 1970.
    noteLastFeed: (via: FeedWay, finishedAt: number) =>
      note(starts.lastFeeds + feedWays.indexOf(via), finishedAt),
    /** Null where no pull is due. */
    notePullDue: (dueAt: number | null) => note(starts.pullDueAt, dueAt ?? Number.NaN),
    /** `madeAt` is 0 for never. */
    noteLastBackup(madeAt: number, bytes: number, nextDueAt: number): void {
      note(starts.lastBackupAt, madeAt)
      note(starts.lastBackupBytes, bytes)
      note(starts.backupDueAt, nextDueAt)
    },
    notePurchases(totals: PurchaseTotals): void {
      for (const [at, state] of purchaseStates.entries()) note(starts.purchases + at, totals[state])
    },
    noteDiskFree: (bytes: number) => note(starts.diskFreeBytes, bytes),
  }
}
