/**
 * Counts calls in memory and writes them every two seconds, so that no answer waits for it. A crash
 * loses at most those two seconds of counts; nothing but the pages' numbers depends on them.
 */
import type { ApiKey, Operation } from "../domain/api-key.ts"
import type { Reason } from "../domain/error.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import type { KeySighting, UsageCount, UsageStore } from "../domain/usage.ts"

export type UsageCounter = Readonly<{
  count(keyId: ApiKey["id"], operation: Operation, outcome: Reason, network: string): void
  /** Writes what was counted so far. What cannot be written is kept for the next time. */
  flush(): Promise<void>
  /** Stops the clock and writes the rest. */
  close(): Promise<void>
}>

const flushEveryMs = 2_000
const thinEveryMs = 3_600_000
/**
 * Of each key between two writes, the latest ones. Far above what makes a key stand out; a key
 * shipped in a product has thousands.
 */
const networksMax = 64

type Calls = { -readonly [Name in keyof UsageCount]: UsageCount[Name] }

export function openUsageCounter(
  usage: UsageStore,
  now: () => Date,
  onFault: (fault: unknown) => void,
): UsageCounter {
  let counts = new Map<string, Calls>()
  let sightings = new Map<string, Map<string, KeySighting>>()
  let thinnedAtMs = 0
  let lastWrite = Promise.resolve()

  function add({ keyId, operation, outcome, hour, calls }: UsageCount): void {
    const bucket = `${keyId} ${operation} ${outcome} ${hour}`
    const kept = counts.get(bucket)
    if (kept === undefined) counts.set(bucket, { keyId, operation, outcome, hour, calls })
    else kept.calls += calls
  }
  /** The latest stands last, so that the oldest is the first to go. */
  function see(sighting: KeySighting): void {
    const { keyId, network } = sighting
    const networks = sightings.get(keyId) ?? new Map<string, KeySighting>()
    networks.delete(network)
    networks.set(network, sighting)
    const [oldest] = networks.keys()
    if (networks.size > networksMax && oldest !== undefined) networks.delete(oldest)
    sightings.set(keyId, networks)
  }
  const seen = () => [...sightings.values()].flatMap((networks) => [...networks.values()])

  async function write(): Promise<void> {
    if (counts.size === 0) return
    const [writtenCounts, writtenSightings] = [counts, sightings]
    const writing = usage.add([...counts.values()], seen())
    counts = new Map()
    sightings = new Map()
    try {
      await writing
    } catch (fault) {
      onFault(fault)
      const since = { counts: [...counts.values()], sightings: seen() }
      counts = writtenCounts
      sightings = writtenSightings
      since.counts.forEach(add)
      since.sightings.forEach(see)
      return
    }
    if (now().getTime() - thinnedAtMs < thinEveryMs) return
    thinnedAtMs = now().getTime()
    await usage.thin(formatTimestamp(now())).catch(onFault)
  }
  /** One after the other: whoever waits for a flush has everything written that came before. */
  function flush(): Promise<void> {
    lastWrite = lastWrite.then(write)
    return lastWrite
  }
  const timer = setInterval(flush, flushEveryMs)

  return {
    count(keyId, operation, outcome, network) {
      const at = formatTimestamp(now())
      add({ keyId, operation, outcome, hour: `${at.slice(0, 13)}:00:00Z`, calls: 1 })
      see({ keyId, network, lastUsedAt: at })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
