/**
 * Counts calls in memory and writes them every two seconds, so that no answer waits for it; less often
 * when tens of thousands of keys are in use. A crash loses the counts since the last write; only the
 * numbers on the pages depend on them.
 */

import type { ApiKey, Operation } from "../domain/api-key.ts"
import type { Reason } from "../domain/error.ts"
import type { Every } from "../domain/every.ts"
import { publicTestKey } from "../domain/public-test-key.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import type { KeySighting, UsageCount, UsageStore } from "../domain/usage.ts"

export type UsageCounter = Readonly<{
  /**
   * True when `see` should be called with the network of the call. The public test key belongs to no
   * account, so its calls are not counted.
   */
  count(keyId: ApiKey["id"], operation: Operation, outcome: Reason): boolean
  see(keyId: ApiKey["id"], network: string): void
  /** Writes the counts so far. Counts that cannot be written are kept for the next time. */
  flush(): Promise<void>
  /** Stops the timer and writes the rest. */
  close(): Promise<void>
}>

const flushEveryMs = 2_000
const hourMs = 3_600_000
/**
 * The latest networks of each key are kept between two writes. This is far above the number that makes a
 * key look shipped. After as many calls only one a second is looked at: finding the network of a call
 * costs a tenth of answering it.
 */
const networksMax = 64

/** Writing a row takes some microseconds, and an embedded store answers no request meanwhile. */
const batchRows = 500

/** The pause before the next write grows with the rows of this one. */
const pauseMsEachRow = 0.1

/** The calls of one key since the last write. */
type Tally = {
  readonly calls: Calls[]
  /** In the order of their last call: the first is evicted. */
  readonly networks: Map<string, KeySighting>
  sightings: number
  seenAtSecond: number
}
type Calls = { -readonly [Name in keyof UsageCount]: UsageCount[Name] }

export type UsageCounting = Readonly<{
  usage: Pick<UsageStore, "add">
  now: () => Date
  every: Every
  onFault(fault: unknown): void
}>

export function openUsageCounter({ usage, now, every, onFault }: UsageCounting): UsageCounter {
  let tallies = new Map<string, Tally>()
  let lastWrite = Promise.resolve()
  let pausedUntilMs = 0
  const hourAt = createHourClock()

  function tallyOf(keyId: string): Tally {
    const kept = tallies.get(keyId)
    if (kept !== undefined) return kept
    const tally = { calls: [], networks: new Map(), sightings: 0, seenAtSecond: 0 }
    tallies.set(keyId, tally)
    return tally
  }
  function add({ calls }: Tally, count: UsageCount): void {
    for (const each of calls) {
      if (isSameCall(each, count)) {
        each.calls += count.calls
        return
      }
    }
    calls.push({ ...count })
  }
  function see({ networks }: Tally, sighting: KeySighting): void {
    networks.delete(sighting.network)
    networks.set(sighting.network, sighting)
    const [oldest] = networks.keys()
    if (networks.size > networksMax && oldest !== undefined) networks.delete(oldest)
  }

  async function write(): Promise<void> {
    if (tallies.size === 0) return
    const rest = tallies
    tallies = new Map()
    let rows = 0
    while (rest.size > 0) {
      const batch = takeBatch(rest)
      const all = [...batch.values()]
      const counts = all.flatMap(({ calls }) => calls)
      const sightings = all.flatMap(({ networks }) => [...networks.values()])
      try {
        await usage.add(counts, sightings)
      } catch (fault) {
        onFault(fault)
        putBack(new Map([...batch, ...rest]))
        return
      }
      rows += counts.length + sightings.length
      if (rest.size > 0) await Bun.sleep(0)
    }
    pausedUntilMs = now().getTime() + rows * pauseMsEachRow
  }
  /** Adds newer counts on top of the unwritten ones, so that the latest networks stay last. */
  function putBack(unwritten: Map<string, Tally>): void {
    const since = tallies
    tallies = unwritten
    for (const [keyId, { calls, networks }] of since) {
      const tally = tallyOf(keyId)
      for (const each of calls) add(tally, each)
      for (const sighting of networks.values()) see(tally, sighting)
    }
  }
  /** Writes run one after another: an awaited flush has written all that was counted before it. */
  function flush(): Promise<void> {
    lastWrite = lastWrite.then(write)
    return lastWrite
  }
  const stopTimer = every(flushEveryMs, () => {
    if (now().getTime() >= pausedUntilMs) void flush()
  })

  return {
    count(keyId, operation, outcome) {
      if (keyId === publicTestKey.id) return false
      const ms = now().getTime()
      const tally = tallyOf(keyId)
      add(tally, { keyId, operation, outcome, hour: hourAt(ms), calls: 1 })
      const second = Math.floor(ms / 1000)
      if (tally.sightings >= networksMax && tally.seenAtSecond === second) return false
      tally.sightings += 1
      tally.seenAtSecond = second
      return true
    },
    see(keyId, network) {
      see(tallyOf(keyId), { keyId, network, lastUsedAt: formatTimestamp(now()) })
    },
    flush,
    async close() {
      stopTimer()
      await flush()
    },
  }
}

/** Takes some keys out of `rest`, the first ones. */
function takeBatch(rest: Map<string, Tally>): Map<string, Tally> {
  const batch = new Map<string, Tally>()
  let rows = 0
  for (const [keyId, tally] of rest) {
    batch.set(keyId, tally)
    rest.delete(keyId)
    rows += tally.calls.length + tally.networks.size
    if (rows >= batchRows) break
  }
  return batch
}

const isSameCall = (one: UsageCount, other: UsageCount) =>
  one.operation === other.operation && one.outcome === other.outcome && one.hour === other.hour

/** The hour of a moment as text. The text is made once an hour. */
function createHourClock(): (ms: number) => string {
  let startMs = Number.NaN
  let shown = ""
  return (ms) => {
    const hourStartMs = ms - (ms % hourMs)
    if (hourStartMs !== startMs) shown = formatTimestamp(new Date(hourStartMs))
    startMs = hourStartMs
    return shown
  }
}
