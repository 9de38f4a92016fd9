/** The metrics of one thread: it samples its own numbers, and renders those of all threads. */
import { listFamilies } from "./families.ts"
import type { MetricsMemory } from "./memory.ts"
import { readProcessFacts } from "./process-facts.ts"
import { openSampler, type Sampling } from "./sampler.ts"
import { renderFamilies } from "./text-format.ts"

export type Metrics = Readonly<{
  token: string
  /** In Prometheus' text format. Does no I/O, so a scrape is answered at once when the store is down. */
  render(): string
  close(): void
}>

export type MetricsOptions = Sampling &
  Readonly<{ token: string; memory: MetricsMemory; version: string }>

export function openMetrics(options: MetricsOptions): Metrics {
  const { token, memory, version, measureStore } = options
  const sampler = openSampler(options)
  return {
    token,
    render() {
      sampler.sample()
      const { replicaLagSeconds } = measureStore()
      const processFacts = readProcessFacts()
      const nowMs = Date.now()
      return renderFamilies(
        listFamilies({ memory, version, nowMs, replicaLagSeconds, processFacts }),
      )
    },
    close: sampler.close,
  }
}
