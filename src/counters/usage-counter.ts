/**
 * Counts the responses of one thread and writes the counts every two seconds, so that no response waits for them but
 * the release of a site. `kill -9` loses what was counted since the last write, with the sites of items without a limit
 * and the events of rejected requests.
 *
 * Memory is bounded: only keys that exist are counted, with limited numbers of sites and networks.
 */
import type { RequestedPurchase } from "../domain/catalog/purchase.ts"
import type { RejectedCode } from "../domain/catalog/purchase-code.ts"
import type { SeenSite } from "../domain/catalog/site-limits.ts"
import { type Operation, publicTestKey } from "../domain/keys/api-key.ts"
import type { Caller } from "../domain/limits/request-limits.ts"
import { StoreMoved } from "../domain/store.ts"
import { isUse } from "../domain/usage/failed-requests.ts"
import { type CountStore, type Counts, ipRangesMax } from "../domain/usage/usage.ts"
import type { Reason } from "../domain/values/error.ts"
import { ipRangeOf } from "../domain/values/ip-range.ts"
import type { Every } from "../domain/values/time/timers.ts"
import { daySeconds, formatTimestamp } from "../domain/values/time/timestamp.ts"
import { createFailedRequestBuffer } from "./failed-request-buffer.ts"
import { type CountedReason, countRequest, type Metrics, type Route } from "./metrics.ts"

export type UsageCounter = Readonly<{
  /** Counts every response. The client address is resolved for the first ones of each key. */
  count(route: Route, outcome: CountedOutcome, ms: number, caller: Caller): void
  /** Writes the counts so far. Counts that cannot be written are kept for the next time, unless the database was moved. */
  flush(): Promise<void>
  /** Stops the timer and writes the rest. */
  close(): Promise<void>
}>

export type CountedOutcome = Readonly<{
  reason: CountedReason
  /** Also that of a revoked, expired or suspended one; null for an unknown key, and outside the API. */
  keyId: string | null
  /** Only the networks of accepted keys are recorded. */
  isKeyAccepted: boolean
  /** That of a valid or revoked code. */
  purchase: RequestedPurchase | null
  /** The code that the answer says no to. */
  rejectedCode: RejectedCode | null
  fault: unknown
}>

type UsageCounterOptions = Readonly<{
  counts: Pick<CountStore, "add">
  metrics: Metrics
  now: () => Date
  every: Every
  onFault(fault: unknown): void
}>

const writeEveryMs = 2_000
const dayMs = daySeconds * 1000

/** Purchases between two writes whose sites are recorded; others are recorded at a later validation. */
const sitedPurchasesMax = 500
/** Sites of one purchase: invented ones must not displace those of other purchases. */
const sitesOfPurchaseMax = 20
/** Keys whose networks of today are remembered, so that each is written once a day; then all are forgotten. */
const knownKeysMax = 10_000

/** The calls of one key since the last write, nearly always with one or two outcomes. */
type KeyCounts = {
  readonly calls: { day: string; operation: Operation; outcome: Reason; calls: number }[]
  readonly ipRanges: { ipRange: string; lastDay: string }[]
  /** How many calls were looked at for their network: the address of a caller takes a microsecond. */
  addressLookups: number
  lastUsedMs: number
}

export function openUsageCounter({
  counts,
  metrics,
  now,
  every,
  onFault,
}: UsageCounterOptions): UsageCounter {
  const failureLog = createFailedRequestBuffer()
  /** By purchase code. */
  let sites = new Map<string, Set<string>>()
  let keys = new Map<string, KeyCounts>()
  /** The networks of each key that were recorded today. */
  const known = new Map<string, Set<string>>()
  let today = ""
  let todayEndsMs = 0
  /** What is being written. After a failure it is written again, before newer counts. */
  let unwritten: Counts | null = null
  let lastWrite = Promise.resolve()

  function dayAt(nowMs: number): string {
    if (nowMs >= todayEndsMs || nowMs < todayEndsMs - dayMs) {
      today = formatTimestamp(new Date(nowMs)).slice(0, 10)
      todayEndsMs = nowMs - (nowMs % dayMs) + dayMs
      known.clear()
    }
    return today
  }
  /** A site that was seen today is in the store already. */
  function addSite({ code, site, lastDay }: SeenSite, day: string): void {
    if (lastDay === day) return
    const ofPurchase = sites.get(code)
    if (ofPurchase !== undefined) {
      if (ofPurchase.size < sitesOfPurchaseMax) ofPurchase.add(site)
    } else if (sites.size < sitedPurchasesMax) sites.set(code, new Set([site]))
  }
  function addNetwork(keyId: string, counted: KeyCounts, day: string, caller: Caller): void {
    let ipRanges = known.get(keyId)
    if (ipRanges === undefined) {
      if (known.size >= knownKeysMax) known.clear()
      ipRanges = new Set()
      known.set(keyId, ipRanges)
    }
    if (ipRanges.size >= ipRangesMax) return
    counted.addressLookups += 1
    const ipRange = ipRangeOf(caller.address())
    if (ipRange === "" || ipRanges.has(ipRange)) return
    ipRanges.add(ipRange)
    counted.ipRanges.push({ ipRange, lastDay: day })
  }
  function take(): Counts {
    const taken = [...keys]
    const counted = {
      calls: taken.flatMap(([keyId, { calls }]) => calls.map((each) => ({ keyId, ...each }))),
      lastUses: taken.flatMap(([keyId, { lastUsedMs }]) =>
        lastUsedMs === 0 ? [] : [{ keyId, lastUsedAt: formatTimestamp(new Date(lastUsedMs)) }],
      ),
      ipRanges: taken.flatMap(([keyId, { ipRanges }]) =>
        ipRanges.map((each) => ({ keyId, ...each })),
      ),
      sites: [...sites].flatMap(([code, each]) => Array.from(each, (site) => ({ code, site }))),
      failures: failureLog.take(),
    }
    keys = new Map()
    sites = new Map()
    return counted
  }
  async function write(): Promise<void> {
    if (unwritten !== null) await counts.add(formatTimestamp(now()), unwritten)
    unwritten = take()
    await counts.add(formatTimestamp(now()), unwritten)
    unwritten = null
  }
  /** Writes run one after another: an awaited flush has written all that was counted before it. */
  function flush(): Promise<void> {
    lastWrite = lastWrite.then(write).catch((fault) => {
      // The new database never gets them: they would only fill the memory.
      if (fault instanceof StoreMoved) unwritten = null
      onFault(fault)
    })
    return lastWrite
  }
  const stopTimer = every(writeEveryMs, () => void flush())

  return {
    count(route, { reason, keyId, isKeyAccepted, purchase, rejectedCode }, ms, caller) {
      countRequest(metrics, route, reason, ms)
      // The public test key belongs to no account.
      if (keyId === null || keyId === publicTestKey.id) return
      const nowMs = now().getTime()
      // Only operations of the API have keys, and their reasons are the contract's.
      const operation = route as Operation
      const outcome = reason as Reason
      if (outcome !== "ok") {
        failureLog.record({ keyId, operation, reason: outcome, rejectedCode }, nowMs, caller)
      }
      if (!isUse(outcome)) return
      let counted = keys.get(keyId)
      if (counted === undefined) {
        counted = { calls: [], ipRanges: [], addressLookups: 0, lastUsedMs: 0 }
        keys.set(keyId, counted)
      }
      const day = dayAt(nowMs)
      addCall(counted, operation, outcome, day)
      if (purchase?.seenSite !== undefined) addSite(purchase.seenSite, day)
      if (!isKeyAccepted) return
      counted.lastUsedMs = nowMs
      if (counted.addressLookups < ipRangesMax) addNetwork(keyId, counted, day, caller)
    },
    flush,
    async close() {
      stopTimer()
      await flush()
    },
  }
}

function addCall({ calls }: KeyCounts, operation: Operation, outcome: Reason, day: string): void {
  for (const each of calls) {
    if (each.operation === operation && each.outcome === outcome && each.day === day) {
      each.calls += 1
      return
    }
  }
  calls.push({ day, operation, outcome, calls: 1 })
}
