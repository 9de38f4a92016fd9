/**
 * Compares contenders on a noisy machine: all of them run at once, one at a time is
 * loaded, in short rounds, in another order each round. A disturbance affects all alike, and ratios are
 * taken within a round.
 */
import type { Contender } from "../contenders/contender.ts"
import { saturate, type Workload } from "../load/load.ts"
import { cpuSecondsOf, machineCpuSeconds } from "../processes/processes.ts"
import { median, quantile, ratios, type Spread, shuffle, spreadOf } from "./statistics.ts"

export type Racer = Readonly<{
  contender: Contender
  workload: Workload
  /** Called before each of its laps. */
  prepare?: () => void
}>

export type Rounds = Readonly<{
  rounds: number
  /** Before the first round, for each: compilers and caches need some time to warm. */
  settleMs: number
  connections: number
  warmUpMs: number
  countedMs: number
}>

export type Laps = Readonly<{
  name: string
  rates: readonly number[]
  cpuMicros: readonly number[]
  /** The database server's part of it; empty where there is none. */
  databaseMicros: readonly number[]
  p50s: readonly number[]
  p99s: readonly number[]
  /** How much of its core the load generator used: near 1, it is the bottleneck. */
  loadShares: readonly number[]
  /** Cores that other programs used, also the contenders that are not asked. */
  strangers: readonly number[]
  requests: number
}>

/** One for each racer, in the order they were given. */
type LapsOf<Racers extends readonly unknown[]> = { -readonly [At in keyof Racers]: Laps }

export async function race<const Racers extends readonly Racer[]>(
  racers: Racers,
  rounds: Rounds,
): Promise<LapsOf<Racers>> {
  const laps = new Map(racers.map((racer) => [racer, emptyLaps(racer.contender.name)]))
  for (const racer of racers) {
    await runLap(racer, { ...rounds, countedMs: rounds.settleMs }, emptyLaps(""))
  }
  for (let round = 0; round < rounds.rounds; round += 1) {
    for (const racer of shuffle(racers, Math.random)) {
      const own = laps.get(racer)
      if (own !== undefined) await runLap(racer, rounds, own)
    }
  }
  // One for each racer, so of the same length.
  return [...laps.values()] as LapsOf<Racers>
}

type StartingRacer = Omit<Racer, "contender"> & Readonly<{ start(): Promise<Contender> }>

/** Starts a server for each racer, under its name, and stops all of them in the end. */
export async function raceServers<
  const Racers extends readonly (StartingRacer & Readonly<{ name: string }>)[],
>(racers: Racers, rounds: Rounds): Promise<LapsOf<Racers>> {
  const started: Racer[] = []
  try {
    for (const { name, start, ...racer } of racers) {
      started.push({ ...racer, contender: { ...(await start()), name } })
    }
    // One for each racer, so of the same length.
    return (await race(started, rounds)) as LapsOf<Racers>
  } finally {
    await Promise.all(started.map(({ contender }) => contender.stop()))
  }
}

/** Each lap has a server of its own, which has answered nothing yet. */
export async function raceCold<const Racers extends readonly StartingRacer[]>(
  racers: Racers,
  rounds: Pick<Rounds, "rounds" | "connections" | "countedMs">,
): Promise<LapsOf<Racers>> {
  const laps = new Map(racers.map((racer) => [racer, emptyLaps("")]))
  for (let round = 0; round < rounds.rounds; round += 1) {
    for (const [racer, own] of shuffle([...laps], Math.random)) {
      const contender = await racer.start()
      own.name = contender.name
      try {
        await runLap({ ...racer, contender }, { ...rounds, warmUpMs: 0 }, own)
      } finally {
        await contender.stop()
      }
    }
  }
  // One for each racer, so of the same length.
  return [...laps.values()] as LapsOf<Racers>
}

const emptyLaps = (name: string) => ({
  name,
  rates: [] as number[],
  cpuMicros: [] as number[],
  databaseMicros: [] as number[],
  p50s: [] as number[],
  p99s: [] as number[],
  loadShares: [] as number[],
  strangers: [] as number[],
  requests: 0,
})

async function runLap(
  racer: Racer,
  length: Pick<Rounds, "connections" | "warmUpMs" | "countedMs">,
  laps: ReturnType<typeof emptyLaps>,
): Promise<void> {
  const { contender, workload, prepare } = racer
  prepare?.()
  let [cpuSeconds, databaseSeconds, machineSeconds] = [0, 0, 0]
  const pids = contender.pids()
  const databasePids = contender.databasePids?.() ?? []
  const { requests, seconds, latenciesMs, loadCpuSeconds } = await saturate(
    { port: contender.port, workload, ...length },
    {
      onStart() {
        cpuSeconds = -cpuSecondsOf(pids)
        databaseSeconds = -cpuSecondsOf(databasePids)
        machineSeconds = -machineCpuSeconds()
      },
      onEnd() {
        cpuSeconds += cpuSecondsOf(pids)
        databaseSeconds += cpuSecondsOf(databasePids)
        machineSeconds += machineCpuSeconds()
      },
    },
  )
  // On a machine that is busy with other things, a long list may not come in time.
  if (requests === 0) return runLap(racer, length, laps)
  laps.rates.push(requests / seconds)
  laps.cpuMicros.push((cpuSeconds / requests) * 1e6)
  if (databasePids.length > 0) laps.databaseMicros.push((databaseSeconds / requests) * 1e6)
  laps.p50s.push(quantile(latenciesMs, 0.5))
  laps.p99s.push(quantile(latenciesMs, 0.99))
  laps.loadShares.push(loadCpuSeconds / seconds)
  laps.strangers.push((machineSeconds - cpuSeconds - loadCpuSeconds) / seconds)
  laps.requests += requests
}

export const medianOf = (
  laps: Laps,
  of: Exclude<keyof Laps, "name" | "requests" | "databaseMicros">,
) => median(laps[of])

/** From here on the generator, not the server, decides the rate. */
const isBottleneck = (laps: Laps) => medianOf(laps, "loadShares") > 0.9

/**
 * How much faster `one` is than `other`, by rates. The ratio by CPU time suffers less from other programs, and is
 * used where the generator was the bottleneck.
 */
export function compareSpeed(one: Laps, other: Laps): Readonly<{ ratio: Spread; note: string }> {
  const byCpu = spreadOf(ratios(other.cpuMicros, one.cpuMicros))
  if (isBottleneck(one) || isBottleneck(other)) {
    return { ratio: byCpu, note: "by CPU time: the generator was the bottleneck" }
  }
  const note = `by CPU time ${byCpu.median.toFixed(2)}`
  return { ratio: spreadOf(ratios(one.rates, other.rates)), note }
}
