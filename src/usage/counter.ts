/**
 * Counts the responses of one thread and writes the counts every two seconds, so that no response waits for them but
 * the release of a site; the requests of keys less often when thousands of them are in use. `kill -9` loses what was
 * counted since the last write, with the sites of items without a limit and the events of rejected requests.
 *
 * Memory is bounded: only keys and accounts that exist are counted, with limited numbers of sites, items and networks.
 */
import type { AskedPurchase } from "../domain/catalogue/purchase.ts"
import type { RefusedCode } from "../domain/catalogue/purchase-code.ts"
import type { SeenSite } from "../domain/catalogue/sites.ts"
import { type Operation, publicTestKey } from "../domain/keys/api-key.ts"
import type { Caller } from "../domain/running/limits.ts"
import type { SignInOutcome } from "../domain/sign-in/sign-in-failures.ts"
import { StoreMoved } from "../domain/store.ts"
import type {
  CountStore,
  Counts,
  ItemCalls,
  KeySighting,
  NetworkCalls,
  SignInRejections,
  UsageCount,
} from "../domain/usage/usage.ts"
import { divide } from "../domain/values/divide.ts"
import type { Reason } from "../domain/values/error.ts"
import { networkOf } from "../domain/values/network.ts"
import type { Every } from "../domain/values/time/timers.ts"
import { formatTimestamp } from "../domain/values/time/timestamp.ts"
import type { CountedReason, Route } from "../metrics/labels.ts"
import type { Recorder } from "../metrics/recorder.ts"
import { createFailureLog } from "./failure-log.ts"
import { watchTraffic } from "./traffic-growth.ts"

export type Counter = Readonly<{
  /** Every answer. The address is asked for with some of those to known keys. */
  count(route: Route, outcome: CountedOutcome, ms: number, caller: Caller): void
  /** `username` is null for a name that no account has. */
  countSignIn(outcome: SignInOutcome, username: string | null): void
  /** Writes the sites so far, and not the requests of keys. */
  writeSites(): Promise<void>
  /** Writes the counts so far. Counts that cannot be written are kept for the next time, unless the database was moved. */
  flush(): Promise<void>
  /** Stops the timer and writes the rest. */
  close(): Promise<void>
}>

export type CountedOutcome = Readonly<{
  reason: CountedReason
  /** Also that of a revoked, expired or suspended one; null for an unknown key, and outside the API. */
  keyId: string | null
  /** Networks are those that use a key, not those that are refused. */
  isKeyAccepted: boolean
  /** That of a valid or revoked code. */
  purchase: AskedPurchase | null
  /** The code that the answer says no to. */
  refusedCode: RefusedCode | null
  fault: unknown
}>

type Counting = Readonly<{
  counts: Pick<CountStore, "add">
  /** The row of this thread, and what counts into it. */
  row: Float64Array
  recorder: Pick<Recorder, "countRequest" | "countSignIn" | "countUsageFailure">
  now: () => Date
  every: Every
  onFault(fault: unknown): void
}>

/** Far above the number of networks that makes a key look shipped. */
const networksMax = 64
/** A row is written for each, so the items of a large catalogue cannot all be counted apart. */
const itemsMax = 64

const writeEveryMs = 2_000
const hourMs = 3_600_000

/** Writing a row takes 10 to 20 µs, and an embedded store answers no request in the meantime. */
const batchRows = 50

/** The calls of keys then wait for longer, the more rows they took. At 5 µs a row, writing takes 2 % of the time. */
const pauseMsEachRow = 0.25

/**
 * How many calls are sampled between two writes, of all keys together: finding the network of a call takes a
 * microsecond. A key that has used its share is sampled once a second, and less often where more keys than
 * this are in use. Twenty busy keys get as many as they have networks.
 */
const samplesMax = 20 * networksMax

/** Sites of one batch: each takes about 40 µs. */
const sitesOfBatch = 40
/** Purchases between two writes whose sites are recorded; others are recorded at a later validation. */
const sitedPurchasesMax = 500
/** Sites of one purchase: invented ones must not displace those of other purchases. */
const sitesOfPurchaseMax = 20
/** Accounts and outcomes between two writes; others are only in the metrics. */
const signInsMax = 1_000

export function openCounter(counting: Counting): Counter {
  const { counts, row, recorder, now, every, onFault } = counting
  const takeTraffic = watchTraffic(row)
  const failureLog = createFailureLog()
  /** By purchase code. */
  let sites = new Map<string, Set<string>>()
  let tallies = new Map<string, Tally>()
  let signIns = new Map<string, SignInRejections>()
  /** What is being written. A batch that failed is written again before newer ones. */
  let batches: Iterator<Partial<Counts>, undefined> = [].values()
  let batch: Partial<Counts> | undefined
  let lastWrite = Promise.resolve()
  /** How many more times the timer passes without a write of keys. */
  let pauses = 0

  /** A site that was seen today is in the store already. */
  function addSite({ code, site, lastDay }: SeenSite, today: string): void {
    if (lastDay === today) return
    const known = sites.get(code)
    if (known !== undefined) {
      if (known.size < sitesOfPurchaseMax) known.add(site)
    } else if (sites.size < sitedPurchasesMax) sites.set(code, new Set([site]))
  }
  function takeCounts(hasKeys: boolean): Iterator<Partial<Counts>, undefined> {
    const keys = hasKeys ? tallies : new Map()
    const rest = {
      sites: [...sites].flatMap(([code, each]) => Array.from(each, (site) => ({ code, site }))),
      failures: failureLog.take(),
      signIns: [...signIns.values()],
      traffic: takeTraffic(),
    }
    if (hasKeys) tallies = new Map()
    signIns = new Map()
    sites = new Map()
    return listBatches(keys, rest, formatTimestamp(now()).slice(0, 10))
  }
  async function write(hasKeys: boolean): Promise<void> {
    let rows = 0
    let isTaken = false
    for (;;) {
      batch ??= batches.next().value
      if (batch === undefined) {
        if (isTaken) break
        batches = takeCounts(hasKeys)
        isTaken = true
        continue
      }
      const size = rowsOf(batch)
      if (size > 0) {
        await counts.add(formatTimestamp(now()), batch)
        await Bun.sleep(0)
      }
      rows += size
      batch = undefined
    }
    if (hasKeys) pauses = Math.floor((rows * pauseMsEachRow) / writeEveryMs)
  }
  /** Writes run one after another: an awaited flush has written all that was counted before it. */
  function flush(hasKeys = true): Promise<void> {
    lastWrite = lastWrite
      .then(() => write(hasKeys))
      .catch((fault) => {
        // The new database never gets them: they would only fill the memory.
        if (fault instanceof StoreMoved) [batch, batches] = [undefined, [].values()]
        recorder.countUsageFailure()
        onFault(fault)
      })
    return lastWrite
  }
  const stopTimer = every(writeEveryMs, () => {
    void flush(pauses === 0)
    if (pauses > 0) pauses -= 1
  })

  return {
    count(route, { reason, keyId, isKeyAccepted, purchase, refusedCode, fault }, ms, caller) {
      recorder.countRequest(route, reason, ms, fault !== null)
      // The public test key belongs to no account.
      if (keyId === null || keyId === publicTestKey.id) return
      const nowMs = now().getTime()
      let tally = tallies.get(keyId)
      if (tally === undefined) {
        tally = createTally()
        tallies.set(keyId, tally)
      }
      // Only operations of the API have keys, and their reasons are the contract's.
      const operation = route as Operation
      const outcome = reason as Reason
      addCall(tally, operation, outcome, nowMs)
      if (outcome !== "ok") {
        failureLog.note({ keyId, operation, reason: outcome, refusedCode }, nowMs, caller)
      }
      if (purchase !== null) {
        if (purchase.sighting !== undefined)
          addSite(purchase.sighting, formatTimestamp(new Date(nowMs)).slice(0, 10))
        if (reason === "ok") addItem(tally, purchase.itemId)
      }
      const second = Math.floor(nowMs / 1000)
      const shareOfKey = Math.min(networksMax, samplesMax / tallies.size)
      const pauseSeconds = Math.max(1, tallies.size / samplesMax)
      if (tally.samples >= shareOfKey && second - tally.sampledAtSecond < pauseSeconds) return
      tally.samples += 1
      tally.sampledAtSecond = second
      if (!isKeyAccepted) return
      const network = networkOf(caller.address())
      if (network !== "") addSample(tally, network, operation, nowMs)
    },
    countSignIn(outcome, username) {
      recorder.countSignIn(outcome)
      if (username === null || (outcome !== "wrong" && outcome !== "throttled")) return
      const name = `${outcome} ${username}`
      const known = signIns.get(name)
      if (known === undefined && signIns.size >= signInsMax) return
      signIns.set(name, { username, outcome, signIns: (known?.signIns ?? 0) + 1 })
    },
    writeSites: () => flush(false),
    flush: () => flush(),
    async close() {
      stopTimer()
      await flush()
    },
  }
}

/**
 * The first batch also has the counts that belong to no key; the rest of a long list of sites comes last. Keys
 * are in the order of the tables, so that a batch changes few pages of an embedded store.
 */
function* listBatches(
  tallies: ReadonlyMap<string, Tally>,
  { sites, ...rest }: Partial<Counts> & Pick<Counts, "sites">,
  day: string,
): Generator<Partial<Counts>, undefined> {
  const [firstSites = [], ...moreSites] = divide(sites, sitesOfBatch)
  let batch: Partial<Counts> & CountsOfKeys = {
    ...rest,
    sites: firstSites,
    ...noCalls(),
  }
  for (const keyId of [...tallies.keys()].sort()) {
    addTally(batch, keyId, tallies.get(keyId) ?? createTally(), day)
    if (rowsOf(batch) < batchRows) continue
    yield batch
    batch = noCalls()
  }
  yield batch
  for (const each of moreSites) yield { sites: each }
}

const noCalls = (): CountsOfKeys => ({ calls: [], sightings: [], networks: [], items: [] })

const rowsOf = (batch: Partial<Counts>) =>
  Object.values(batch).reduce((sum, { length }) => sum + length, 0)

/**
 * The calls of one key since the last write. Its lists are searched from the start: nearly all of them have one or
 * two entries, and a hundred thousand keys may be in use.
 */
type Tally = {
  readonly calls: CallTally[]
  readonly networks: NetworkTally[]
  /** How many calls were sampled for their network, those of evicted networks included. */
  samples: number
  sampledAtSecond: number
  /** Valid codes. */
  readonly items: Changeable<Pick<ItemCalls, "itemId" | "calls">>[]
}
type Changeable<T> = { -readonly [Name in keyof T]: T[Name] }
/** `startsAtMs` is the start of the hour. */
type CallTally = { operation: Operation; outcome: Reason; startsAtMs: number; calls: number }
type NetworkTally = { network: string; operation: Operation; lastUsedMs: number; samples: number }

const createTally = (): Tally => ({
  calls: [],
  networks: [],
  samples: 0,
  sampledAtSecond: 0,
  items: [],
})

function addCall({ calls }: Tally, operation: Operation, outcome: Reason, atMs: number): void {
  const startsAtMs = atMs - (atMs % hourMs)
  for (const each of calls) {
    if (
      each.operation === operation &&
      each.outcome === outcome &&
      each.startsAtMs === startsAtMs
    ) {
      each.calls += 1
      return
    }
  }
  calls.push({ operation, outcome, startsAtMs, calls: 1 })
}

/** Null stands for all items beyond the first ones. */
function addItem(tally: Tally, itemId: number | null): void {
  for (const each of tally.items) {
    if (each.itemId === itemId) {
      each.calls += 1
      return
    }
  }
  if (itemId === null || tally.items.length < itemsMax) tally.items.push({ itemId, calls: 1 })
  else addItem(tally, null)
}

/** Of too many networks, the one whose last call is the oldest is left out. */
function addSample(
  { networks }: Tally,
  network: string,
  operation: Operation,
  usedMs: number,
): void {
  for (const each of networks) {
    if (each.network === network && each.operation === operation) {
      each.samples += 1
      each.lastUsedMs = usedMs
      return
    }
  }
  if (networks.length >= networksMax) {
    const oldestMs = Math.min(...networks.map(({ lastUsedMs }) => lastUsedMs))
    const at = networks.findIndex(({ lastUsedMs }) => lastUsedMs === oldestMs)
    networks.splice(at, 1)
  }
  networks.push({ network, operation, lastUsedMs: usedMs, samples: 1 })
}

type CountsOfKeys = Readonly<{
  calls: UsageCount[]
  sightings: KeySighting[]
  networks: NetworkCalls[]
  items: ItemCalls[]
}>

/** If only some calls were sampled, those of a network are estimated from its share of the samples. */
function addTally(counts: CountsOfKeys, keyId: string, tally: Tally, today: string): void {
  let all = 0
  for (const { startsAtMs, ...call } of tally.calls) {
    counts.calls.push({ ...call, keyId, hour: formatTimestamp(new Date(startsAtMs)) })
    all += call.calls
  }
  const isEstimate = all > tally.samples
  for (const { network, operation, lastUsedMs, samples } of tally.networks) {
    const lastUsedAt = formatTimestamp(new Date(lastUsedMs))
    const calls = Math.round((samples * all) / tally.samples)
    counts.sightings.push({ keyId, network, lastUsedAt })
    const day = lastUsedAt.slice(0, 10)
    counts.networks.push({ keyId, network, operation, day, calls, isEstimate })
  }
  for (const { itemId, calls } of tally.items) {
    counts.items.push({ keyId, itemId, day: today, calls })
  }
}
