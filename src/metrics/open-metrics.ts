/** The metrics of one thread: it samples its own numbers, and sums those of all threads. */
import { type CacheCounts, poolNames, type StoreMeasures } from "../domain/usage/measures.ts"
import type { Every } from "../domain/values/time/timers.ts"
import { listFamilies, renderFamilies } from "./families.ts"
import { type CacheName, cacheNames, cacheResults } from "./labels.ts"
import { readProcessFacts } from "./process-facts.ts"
import { starts } from "./row.ts"

/** Returns the row of every thread. Never throws. */
export type ReadRows = () => Promise<readonly Float64Array[]>

export type Metrics = Readonly<{
  token: string
  /** In Prometheus' text format. Does no I/O, so a scrape also works when the store is down. */
  render(): Promise<string>
  close(): void
}>

export type MetricsOptions = Sampling &
  Readonly<{ token: string; readRows: ReadRows; version: string }>

export function openMetrics(options: MetricsOptions): Metrics {
  const { token, readRows, version } = options
  const sampler = openSampler(options)
  return {
    token,
    async render() {
      sampler.sample()
      const rows = await readRows()
      const processFacts = readProcessFacts()
      const nowMs = Date.now()
      return renderFamilies(listFamilies({ rows, version, nowMs, processFacts }))
    },
    close: sampler.close,
  }
}

type Sampler = Readonly<{ sample(): void; close(): void }>

type Sampling = Readonly<{
  row: Float64Array
  measureStore(): StoreMeasures
  caches: Readonly<Record<CacheName, Readonly<CacheCounts>>>
  nowMs(): number
  every: Every
}>

const sampleEveryMs = 1_000
/** The lag is the worst of this many samples, so that a scrape every 15 seconds misses none. */
const lagsKept = 15

/** Copies the measures of one thread into its row, once a second and before an answer of its own. */
export function openSampler({ row, measureStore, caches, nowMs, every }: Sampling): Sampler {
  const counted = new Map<CacheName, CacheCounts>()
  const lags: number[] = []
  let expectedAtMs = nowMs() + sampleEveryMs

  /** Adds what is new since the last sample: the row may hold the counts of a thread that died. */
  function addCache(name: CacheName, { hits, misses }: Readonly<CacheCounts>): void {
    const before = counted.get(name) ?? { hits: 0, misses: 0 }
    counted.set(name, { hits, misses })
    const start = starts.cacheLookups + cacheNames.indexOf(name) * cacheResults.length
    row[start] = (row[start] ?? 0) + hits - before.hits
    row[start + 1] = (row[start + 1] ?? 0) + misses - before.misses
  }
  function sample(): void {
    const { pools, writes } = measureStore()
    addCache("keys", caches.keys)
    addCache("lists", caches.lists)
    row[starts.writeSucceededAt] = writes.succeededAtMs
    row[starts.writeFailedAt] = writes.failedAtMs
    if (pools === null) return
    for (const [at, name] of poolNames.entries()) {
      row[starts.poolsInUse + at] = pools[name].inUse
      row[starts.poolsWaiting + at] = pools[name].waiting
      row[starts.poolsMax + at] = pools[name].max
    }
  }
  function sampleLag(): void {
    lags.push(Math.max(0, nowMs() - expectedAtMs) / 1000)
    if (lags.length > lagsKept) lags.shift()
    row[starts.eventLoopLag] = Math.max(...lags)
    expectedAtMs = nowMs() + sampleEveryMs
  }

  row[starts.threads] = 1
  const stop = every(sampleEveryMs, () => {
    sampleLag()
    sample()
  })
  return { sample, close: stop }
}
