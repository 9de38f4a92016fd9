/**
 * The tail of the latency at half of the saturated rate. The limit at the same rate shows how much of it
 * comes from the runtime, the generator and the machine; the limit with busy waiting shows how much
 * comes from utilisation alone.
 */
import { captureAnswer, startLimit } from "../contenders/limit.ts"
import { startPazar } from "../contenders/pazar.ts"
import { type Pace, startPacedLoad } from "../load/paced-load.ts"
import { paths, validationWorkload, withConstantAnswer } from "../load/workloads.ts"
import { medianOf, race } from "../report/race.ts"
import { finding } from "../report/report.ts"
import { median, quantile, ratios, spreadOf } from "../report/statistics.ts"
import { marketOf, type Part } from "./part.ts"

const saturatedRounds = 3
/** The runtime's compilers use the server's core for milliseconds until everything is compiled. */
const settleMs = 10_000
const warmUpMs = 500
const roundMs = 2_000

export const latency: Part = {
  name: "latency",
  title: "How long a validation takes at half the possible rate",
  async run({ options, cores, rounds, sqliteStore }) {
    const store = await sqliteStore(marketOf(options.purchases))
    const workload = validationWorkload(store)
    const pazar = await startPazar(store, cores.server)
    const answer = await captureAnswer(pazar.port, workload)
    const limit = await startLimit(paths.validation, answer, cores.server)
    const servers = [pazar, limit]
    try {
      const constant = withConstantAnswer(workload, answer.body ?? "")
      const [laps, limitLaps] = await race(
        [
          { contender: pazar, workload },
          { contender: limit, workload: constant },
        ],
        { ...rounds, rounds: saturatedRounds, settleMs },
      )
      const busyMicros = medianOf(laps, "cpuMicros") - medianOf(limitLaps, "cpuMicros")
      const busy = await startLimit(paths.validation, answer, cores.server, busyMicros)
      servers.push(busy)
      const ratePerSecond = medianOf(laps, "rates") / 2
      const pace = { connections: rounds.connections, ratePerSecond, isSpinning: true }
      const ours = runner({ ...pace, port: pazar.port, workload })
      const limits = runner({ ...pace, port: limit.port, workload: constant })
      const busyLimits = runner({ ...pace, port: busy.port, workload: constant })
      const all = [ours, limits, busyLimits]
      for (const each of all) await measureTail(each.pace, settleMs)
      for (let round = 0; round < rounds.rounds; round += 1) {
        for (const each of all) each.tails.push(await measureTail(each.pace, roundMs))
      }
      const note = [
        describe(ours.tails),
        `the limit: ${describe(limits.tails)}`,
        `the limit, as busy: ${describe(busyLimits.tails)}`,
      ].join("; ")
      return {
        findings: [
          finding(
            "validation at half the saturated rate, p99 against the limit's that is as busy",
            {
              atMost: 8,
              because:
                "the rest is the garbage collector, which comes as often for the runtime's own objects and has more of ours to go through; five times the p50, the target before, is less than the limit itself has",
            },
            "×",
            spreadOf(ratios(p99sOf(ours.tails), p99sOf(busyLimits.tails))),
            note,
          ),
        ],
        laps: [laps],
        notes: [
          `All were sent ${Math.round(ratePerSecond)} requests a second, evenly; the busy limit does nothing for ${busyMicros.toFixed(0)} µs before each answer.`,
        ],
      }
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  },
}

type Tail = Readonly<{ p50: number; p99: number }>
type Runner = Readonly<{ pace: Pace; tails: Tail[] }>

const runner = (pace: Pace): Runner => ({ pace, tails: [] })

async function measureTail(pace: Pace, countedMs: number): Promise<Tail> {
  const load = await startPacedLoad(pace)
  try {
    await load.run(warmUpMs)
    load.takeLatenciesMs()
    await load.run(countedMs)
    const latenciesMs = load.takeLatenciesMs()
    return { p50: quantile(latenciesMs, 0.5), p99: quantile(latenciesMs, 0.99) }
  } finally {
    load.stop()
  }
}

const p50sOf = (tails: readonly Tail[]) => tails.map(({ p50 }) => p50)
const p99sOf = (tails: readonly Tail[]) => tails.map(({ p99 }) => p99)

function describe(tails: readonly Tail[]): string {
  const [p50s, p99s] = [p50sOf(tails), p99sOf(tails)]
  return `p50 ${median(p50s).toFixed(2)} ms, p99 ${median(p99s).toFixed(2)} ms, ${median(ratios(p99s, p50s)).toFixed(0)} ×`
}
