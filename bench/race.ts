/**
 * Compares servers on a noisy machine. All run at the same time, and short rounds load one at a time in changing
 * order. A disturbance affects all equally, and ratios are computed within a round.
 */
import type { Contender } from "./contenders/contender.ts"
import { saturate, type Workload } from "./load/load.ts"
import { cpuSecondsOf } from "./processes.ts"
import { shuffle } from "./statistics.ts"

export type Racer = Readonly<{ contender: Contender; workload: Workload }>

export type Laps = Readonly<{
  rates: number[]
  cpuMicros: number[]
  /** The share of its core that the load generator used. Near 1, the generator is the bottleneck. */
  loadShares: number[]
}>

export const connections = 64
/** Compilers and caches need time to warm up. */
const settleMs = 4_000
const [warmUpMs, countedMs] = [200, 700]

/** Stops the servers in the end. The laps have the order of the racers. */
export async function race(racers: readonly Racer[], rounds: number): Promise<readonly Laps[]> {
  const laps = new Map(racers.map((racer) => [racer, emptyLaps()]))
  try {
    for (const racer of racers) await runLap(racer, settleMs, emptyLaps())
    for (let round = 0; round < rounds; round += 1) {
      for (const [racer, own] of shuffle([...laps], Math.random)) {
        await runLap(racer, countedMs, own)
      }
    }
    return [...laps.values()]
  } finally {
    await Promise.all(racers.map(({ contender }) => contender.stop()))
  }
}

const emptyLaps = (): Laps => ({ rates: [], cpuMicros: [], loadShares: [] })

async function runLap({ contender, workload }: Racer, countedMs: number, laps: Laps) {
  const pids = contender.pids()
  let cpuSeconds = 0
  const { requests, seconds, loadCpuSeconds } = await saturate(
    { port: contender.port, workload, connections, warmUpMs, countedMs },
    {
      onStart() {
        cpuSeconds = -cpuSecondsOf(pids)
      },
      onEnd() {
        cpuSeconds += cpuSecondsOf(pids)
      },
    },
  )
  if (requests === 0) throw new Error(`${contender.name} did not respond`)
  laps.rates.push(requests / seconds)
  laps.cpuMicros.push((cpuSeconds / requests) * 1e6)
  laps.loadShares.push(loadCpuSeconds / seconds)
}
