/** The metrics of one thread: it samples its own numbers, and renders those of all threads. */
import { type CacheCounts, poolNames, type StoreMeasures } from "../domain/usage/measures.ts"
import type { Every } from "../domain/values/time/timers.ts"
import { listFamilies, renderFamilies } from "./families.ts"
import { type CacheName, cacheNames, cacheResults } from "./labels.ts"
import { type MetricsMemory, resetGauges, starts } from "./memory.ts"
import { readProcessFacts } from "./process-facts.ts"

export type Metrics = Readonly<{
  token: string
  /** In Prometheus' text format. Does no I/O, so a scrape is answered at once when the store is down. */
  render(): string
  close(): void
}>

export type MetricsOptions = Sampling &
  Readonly<{ token: string; memory: MetricsMemory; version: string }>

export function openMetrics(options: MetricsOptions): Metrics {
  const { token, memory, version } = options
  const sampler = openSampler(options)
  return {
    token,
    render() {
      sampler.sample()
      const processFacts = readProcessFacts()
      const nowMs = Date.now()
      return renderFamilies(listFamilies({ memory, version, nowMs, processFacts }))
    },
    close: sampler.close,
  }
}

type Sampler = Readonly<{ sample(): void; close(): void }>

type Sampling = Readonly<{
  row: Float64Array
  measureStore(): StoreMeasures
  /** Those of the HTTP side; the store measures its own. */
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
    const { pools } = measureStore()
    addCache("keys", caches.keys)
    addCache("lists", caches.lists)
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

  resetGauges(row)
  row[starts.threads] = 1
  const stop = every(sampleEveryMs, () => {
    sampleLag()
    sample()
  })
  return { sample, close: stop }
}
