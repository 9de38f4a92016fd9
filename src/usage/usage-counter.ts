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
/** Far above what makes a key stand out; a key shipped in a product has thousands. */
const networksMax = 64

export function openUsageCounter(usage: UsageStore, now: () => Date): UsageCounter {
  let counts = new Map<string, { -readonly [Name in keyof UsageCount]: UsageCount[Name] }>()
  let sightings = new Map<string, Map<string, KeySighting>>()
  let thinnedAtMs = 0

  async function flush(): Promise<void> {
    if (counts.size === 0) return
    const [writtenCounts, writtenSightings] = [counts, sightings]
    counts = new Map()
    sightings = new Map()
    try {
      await usage.add(
        [...writtenCounts.values()],
        [...writtenSightings.values()].flatMap((networks) => [...networks.values()]),
      )
    } catch {
      for (const [bucket, kept] of writtenCounts) {
        const since = counts.get(bucket)
        counts.set(bucket, { ...kept, calls: kept.calls + (since?.calls ?? 0) })
      }
      for (const [keyId, kept] of writtenSightings) {
        sightings.set(keyId, new Map([...kept, ...(sightings.get(keyId) ?? [])]))
      }
      return
    }
    if (now().getTime() - thinnedAtMs < thinEveryMs) return
    thinnedAtMs = now().getTime()
    await usage.thin(formatTimestamp(now())).catch(() => {})
  }
  const timer = setInterval(flush, flushEveryMs)

  return {
    count(keyId, operation, outcome, network) {
      const at = formatTimestamp(now())
      const hour = `${at.slice(0, 13)}:00:00Z`
      const bucket = `${keyId} ${operation} ${outcome} ${hour}`
      const kept = counts.get(bucket)
      if (kept === undefined) counts.set(bucket, { keyId, operation, outcome, hour, calls: 1 })
      else kept.calls += 1
      const networks = sightings.get(keyId) ?? new Map<string, KeySighting>()
      if (networks.size < networksMax || networks.has(network)) {
        networks.set(network, { keyId, network, lastUsedAt: at })
      }
      sightings.set(keyId, networks)
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
