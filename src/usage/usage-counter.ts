/**
 * Counts calls in memory and writes them every two seconds, so that no answer waits for it; less often
 * when thousands of keys are in use. A crash loses the counts since the last write; only the
 * numbers on the pages depend on them.
 */

import type { ApiKey, Operation } from "../domain/api-key.ts"
import type { Reason } from "../domain/error.ts"
import type { Every } from "../domain/every.ts"
import { publicTestKey } from "../domain/public-test-key.ts"
import type { AskedPurchase } from "../domain/purchase.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import type { UsageStore } from "../domain/usage.ts"
import {
  addCalls,
  addItem,
  addSamples,
  createTally,
  listItemCalls,
  listNetworkCalls,
  listSightings,
  mergeTally,
  networksMax,
  rowsOf,
  type Tally,
} from "./tally.ts"

export type UsageCounter = Readonly<{
  /**
   * `purchase` is null where the call found none. True when `see` should be called with the network of the
   * call. The public test key belongs to no account, so its calls are not counted.
   */
  count(
    keyId: ApiKey["id"],
    operation: Operation,
    outcome: Reason,
    purchase: AskedPurchase | null,
  ): boolean
  see(keyId: ApiKey["id"], operation: Operation, network: string): void
  /** Writes the counts so far. Counts that cannot be written are kept for the next time. */
  flush(): Promise<void>
  /** Stops the timer and writes the rest. */
  close(): Promise<void>
}>

const flushEveryMs = 2_000
const hourMs = 3_600_000
/**
 * How many calls are sampled between two writes, of all keys together: finding the network of a call costs a
 * tenth of answering it. A key that has used its share is sampled once a second. Twenty busy keys get as
 * many as they have networks.
 */
const samplesMax = 20 * networksMax

/** Writing a row takes some microseconds, and an embedded store answers no request meanwhile. */
const batchRows = 500

/** The pause before the next write grows with the rows of this one. At 5 µs a row, writing takes 2 % of the time. */
const pauseMsEachRow = 0.25

export type UsageCounting = Readonly<{
  usage: Pick<UsageStore, "add">
  now: () => Date
  every: Every
  onFault(fault: unknown): void
}>

export function openUsageCounter({ usage, now, every, onFault }: UsageCounting): UsageCounter {
  let tallies = new Map<string, Tally>()
  let lastWrite = Promise.resolve()
  /** How many more times the timer passes without a write. */
  let pauses = 0
  const hourAt = createHourClock()

  function tallyOf(keyId: string): Tally {
    const kept = tallies.get(keyId)
    if (kept !== undefined) return kept
    const tally = createTally()
    tallies.set(keyId, tally)
    return tally
  }

  async function write(): Promise<void> {
    if (tallies.size === 0) return
    // In the order of the tables, so that a batch changes few pages of an embedded store.
    const rest = new Map([...tallies].sort(byKey))
    tallies = new Map()
    let rows = 0
    while (rest.size > 0) {
      const batch = takeBatch(rest)
      const all = [...batch]
      const day = formatTimestamp(now()).slice(0, 10)
      try {
        await usage.add(
          all.flatMap(([, { calls }]) => calls),
          all.flatMap(([keyId, tally]) => listSightings(keyId, tally)),
          {
            networks: all.flatMap(([keyId, tally]) => listNetworkCalls(keyId, tally)),
            items: all.flatMap(([keyId, tally]) => listItemCalls(keyId, tally, day)),
          },
        )
      } catch (fault) {
        onFault(fault)
        putBack(new Map([...batch, ...rest]))
        return
      }
      for (const [, tally] of all) rows += rowsOf(tally)
      if (rest.size > 0) await Bun.sleep(0)
    }
    pauses = Math.floor((rows * pauseMsEachRow) / flushEveryMs)
  }
  function putBack(unwritten: Map<string, Tally>): void {
    const since = tallies
    tallies = unwritten
    for (const [keyId, newer] of since) mergeTally(tallyOf(keyId), newer)
  }
  /** Writes run one after another: an awaited flush has written all that was counted before it. */
  function flush(): Promise<void> {
    lastWrite = lastWrite.then(write)
    return lastWrite
  }
  const stopTimer = every(flushEveryMs, () => {
    if (pauses === 0) void flush()
    else pauses -= 1
  })

  return {
    count(keyId, operation, outcome, purchase) {
      if (keyId === publicTestKey.id) return false
      const ms = now().getTime()
      const tally = tallyOf(keyId)
      addCalls(tally, { keyId, operation, outcome, hour: hourAt(ms), calls: 1 })
      if (purchase !== null && outcome === "ok") addItem(tally, purchase.itemId, 1)
      const second = Math.floor(ms / 1000)
      const shareOfKey = Math.min(networksMax, samplesMax / tallies.size)
      if (tally.samples >= shareOfKey && tally.sampledAtSecond === second) return false
      tally.samples += 1
      tally.sampledAtSecond = second
      return true
    },
    see(keyId, operation, network) {
      addSamples(tallyOf(keyId), network, now().getTime(), operation, 1)
    },
    flush,
    async close() {
      stopTimer()
      await flush()
    },
  }
}

const byKey = ([one]: [string, Tally], [other]: [string, Tally]) =>
  one < other ? -1 : Number(one > other)

/** Takes some keys out of `rest`, the first ones. */
function takeBatch(rest: Map<string, Tally>): Map<string, Tally> {
  const batch = new Map<string, Tally>()
  let rows = 0
  for (const [keyId, tally] of rest) {
    batch.set(keyId, tally)
    rest.delete(keyId)
    rows += rowsOf(tally)
    if (rows >= batchRows) break
  }
  return batch
}

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
