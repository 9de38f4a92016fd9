/**
 * Counts the responses of one thread and writes the counts every two seconds, so that responses do not wait for the
 * database. A crash loses the counts since the last write, the sites of items without a site limit, and the events of
 * rejected requests.
 */
import { type Operation, publicTestKey } from "../contract/operation.ts"
import type { Reason } from "../platform/error.ts"
import { type Caller, ipRangeOf } from "../platform/ip-range.ts"
import { daySeconds, formatTimestamp } from "../platform/time.ts"
import type { Every } from "../platform/timers.ts"
import { countRequest, type Metrics } from "./metrics.ts"
import {
  type CountedReason,
  type CountStore,
  type Counts,
  type FailedRequest,
  ipRangesMax,
  type RejectedCode,
  type RequestedPurchase,
  type Route,
  type SeenSite,
  shownCode,
} from "./usage.ts"

export type UsageCounter = Readonly<{
  /** Counts one response. The client address is resolved for the first requests of each key only. */
  count(route: Route, outcome: CountedOutcome, ms: number, caller: Caller): void
  /** Writes all counts. After a failure they are retried with the next write, unless the database was moved. */
  flush(): Promise<void>
  close(): Promise<void>
}>

export type CountedOutcome = Readonly<{
  reason: CountedReason
  /** Set for inactive keys too; null for an unknown key and outside the API. */
  keyId: string | null
  isKeyAccepted: boolean
  /** The purchase with the code of the request, valid or revoked. */
  purchase: RequestedPurchase | null
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

/** Purchases whose sites are recorded between two writes. Others are recorded at a later validation. */
const purchasesWithSitesMax = 500
/** Forged sites of one purchase must not displace those of other purchases. */
const sitesPerPurchaseMax = 20
/** Keys whose IP ranges of today are cached, so that each range is written once a day. A full cache is emptied. */
const cachedKeysMax = 10_000

type KeyCounts = {
  readonly calls: { day: string; operation: Operation; outcome: Reason; calls: number }[]
  readonly ipRanges: { ipRange: string; lastDay: string }[]
  addressLookups: number
  lastUsedMs: number
}

export function openUsageCounter(options: UsageCounterOptions): UsageCounter {
  const { counts, metrics, now, every, onFault } = options
  const failureLog = createFailedRequestBuffer()
  let sitesByCode = new Map<string, Set<string>>()
  let keys = new Map<string, KeyCounts>()
  const todaysRangesByKey = new Map<string, Set<string>>()
  let today = ""
  let todayEndsMs = 0
  /** The batch being written. After a failure it is retried before newer counts. */
  let unwritten: Counts | null = null
  let lastWrite = Promise.resolve()

  function dayAt(nowMs: number): string {
    if (nowMs >= todayEndsMs || nowMs < todayEndsMs - dayMs) {
      today = formatTimestamp(new Date(nowMs)).slice(0, 10)
      todayEndsMs = nowMs - (nowMs % dayMs) + dayMs
      todaysRangesByKey.clear()
    }
    return today
  }
  function addSite({ code, site, lastDay }: SeenSite, day: string): void {
    if (lastDay === day) return
    const sites = sitesByCode.get(code)
    if (sites !== undefined) {
      if (sites.size < sitesPerPurchaseMax) sites.add(site)
    } else if (sitesByCode.size < purchasesWithSitesMax) sitesByCode.set(code, new Set([site]))
  }
  function addIpRange(keyId: string, counted: KeyCounts, day: string, caller: Caller): void {
    let ipRanges = todaysRangesByKey.get(keyId)
    if (ipRanges === undefined) {
      if (todaysRangesByKey.size >= cachedKeysMax) todaysRangesByKey.clear()
      ipRanges = new Set()
      todaysRangesByKey.set(keyId, ipRanges)
    }
    if (ipRanges.size >= ipRangesMax) return
    counted.addressLookups += 1
    const ipRange = ipRangeOf(caller.address())
    if (ipRange === "" || ipRanges.has(ipRange)) return
    ipRanges.add(ipRange)
    counted.ipRanges.push({ ipRange, lastDay: day })
  }
  async function write(): Promise<void> {
    if (unwritten !== null) await counts.add(formatTimestamp(now()), unwritten)
    unwritten = toCounts(keys, sitesByCode, failureLog.take())
    keys = new Map()
    sitesByCode = new Map()
    await counts.add(formatTimestamp(now()), unwritten)
    unwritten = null
  }
  /** Writes are serialized: an awaited flush has written everything counted before it. */
  function flush(): Promise<void> {
    lastWrite = lastWrite.then(write).catch(onFault)
    return lastWrite
  }
  const stopTimer = every(writeEveryMs, () => void flush())

  return {
    count(route, { reason, keyId, isKeyAccepted, purchase, rejectedCode }, ms, caller) {
      countRequest(metrics, route, reason, ms)
      // The public test key belongs to no account.
      if (keyId === null || keyId === publicTestKey.id) return
      const nowMs = now().getTime()
      // `as`: only operations of the API have keys, and `refused` is not one of their error codes.
      const operation = route as Operation
      const outcome = reason as Reason
      if (outcome !== "ok") {
        failureLog.record({ keyId, operation, reason: outcome, rejectedCode }, nowMs, caller)
      }
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
      if (counted.addressLookups < ipRangesMax) addIpRange(keyId, counted, day, caller)
    },
    flush,
    async close() {
      stopTimer()
      await flush()
    },
  }
}

const toCounts = (
  keys: ReadonlyMap<string, KeyCounts>,
  sitesByCode: ReadonlyMap<string, ReadonlySet<string>>,
  failures: readonly FailedRequest[],
): Counts => ({
  calls: [...keys].flatMap(([keyId, { calls }]) => calls.map((each) => ({ keyId, ...each }))),
  lastUses: [...keys].flatMap(([keyId, { lastUsedMs: ms }]) =>
    ms === 0 ? [] : [{ keyId, lastUsedAt: formatTimestamp(new Date(ms)) }],
  ),
  ipRanges: [...keys].flatMap(([keyId, key]) => key.ipRanges.map((each) => ({ keyId, ...each }))),
  sites: [...sitesByCode].flatMap(([code, sites]) => Array.from(sites, (site) => ({ code, site }))),
  failures,
})

function addCall({ calls }: KeyCounts, operation: Operation, outcome: Reason, day: string): void {
  for (const each of calls) {
    if (each.operation === operation && each.outcome === outcome && each.day === day) {
      each.calls += 1
      return
    }
  }
  calls.push({ day, operation, outcome, calls: 1 })
}

/** Requests of one key, and of all keys, that are recorded with IP range and code between two writes. */
const detailedPerKeyMax = 20
const detailedMax = 300
/** Entries between two writes. Further ones are not logged. */
const entriesMax = 500

type FailingRequest = Pick<FailedRequest, "keyId" | "operation" | "reason"> &
  Pick<CountedOutcome, "rejectedCode">

type Entry = Omit<FailedRequest, "firstAt" | "lastAt" | "calls"> & {
  readonly firstMs: number
  lastMs: number
  calls: number
}

/**
 * The failed requests of one thread since the last write. The first requests of each key are recorded with IP range
 * and code. Later ones are only counted by operation and error code, so that a client in a loop cannot fill the disk.
 */
export function createFailedRequestBuffer() {
  let entries = new Map<string, Entry>()
  let detailedByKey = new Map<string, number>()
  let detailed = 0

  function takeDetail(keyId: string): boolean {
    const before = detailedByKey.get(keyId) ?? 0
    if (before >= detailedPerKeyMax || detailed >= detailedMax) return false
    detailedByKey.set(keyId, before + 1)
    detailed += 1
    return true
  }
  return {
    record(
      { keyId, operation, reason, rejectedCode }: FailingRequest,
      nowMs: number,
      caller: Caller,
    ): void {
      const isDetailed = takeDetail(keyId)
      const ipRange = isDetailed ? ipRangeOf(caller.address()) : ""
      const code = isDetailed && rejectedCode !== null ? shownCode(rejectedCode) : ""
      const name = `${keyId} ${operation} ${reason} ${ipRange} ${code}`
      const entry = entries.get(name)
      if (entry !== undefined) {
        entry.lastMs = nowMs
        entry.calls += 1
      } else if (entries.size < entriesMax) {
        const times = { firstMs: nowMs, lastMs: nowMs }
        const rejectedSite = isDetailed ? rejectedCode?.rejectedSite : undefined
        const site = rejectedSite === undefined ? {} : { rejectedSite }
        entries.set(name, { keyId, operation, reason, ipRange, code, ...times, calls: 1, ...site })
      }
    },
    take(): readonly FailedRequest[] {
      const taken = [...entries.values()]
      entries = new Map()
      detailedByKey = new Map()
      detailed = 0
      return taken.map(({ firstMs, lastMs, ...entry }) => ({
        ...entry,
        firstAt: formatTimestamp(new Date(firstMs)),
        lastAt: formatTimestamp(new Date(lastMs)),
      }))
    },
  }
}
