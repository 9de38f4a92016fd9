/**
 * How evenly a server answers that has time: at half the rate it could do. The limit, at the same rate
 * and in turn, tells how much of the tail is the runtime's, the generator's and the machine's.
 */
import { captureAnswer, startLimit } from "../contenders/limit.ts"
import { startPazar } from "../contenders/pazar.ts"
import { type Pace, startPacedLoad } from "../paced-load.ts"
import { medianOf, race } from "../race.ts"
import { finding } from "../report.ts"
import { median, quantile, ratios, spreadOf } from "../statistics.ts"
import { paths, validationWorkload, withConstantAnswer } from "../workloads.ts"
import { marketOf, type Part } from "./part.ts"

const saturatedRounds = 3
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
    try {
      const constant = withConstantAnswer(workload, answer.body ?? "")
      const saturated = { ...rounds, rounds: saturatedRounds }
      const [laps] = await race(
        [
          { contender: pazar, workload },
          { contender: limit, workload: constant },
        ],
        saturated,
      )
      const ratePerSecond = medianOf(laps, "rates") / 2
      const pace = { connections: rounds.connections, ratePerSecond, isSpinning: true }
      const ours: Tail[] = []
      const theirs: Tail[] = []
      for (let round = 0; round < rounds.rounds; round += 1) {
        ours.push(await measureTail({ ...pace, port: pazar.port, workload }))
        theirs.push(await measureTail({ ...pace, port: limit.port, workload: constant }))
      }
      const note = `${describe(ours)}; the limit: ${describe(theirs)}, ${ratioOf(theirs).median.toFixed(0)} ×`
      return {
        findings: [
          finding(
            "validation at half the saturated rate, p99 against p50",
            { atMost: 5 },
            "×",
            ratioOf(ours),
            note,
          ),
        ],
        laps: [laps],
        notes: [`Both were sent ${Math.round(ratePerSecond)} requests a second, evenly.`],
      }
    } finally {
      await Promise.all([pazar.stop(), limit.stop()])
    }
  },
}

type Tail = Readonly<{ p50: number; p99: number }>

async function measureTail(pace: Pace): Promise<Tail> {
  const load = await startPacedLoad(pace)
  try {
    await load.run(warmUpMs)
    load.takeLatenciesMs()
    await load.run(roundMs)
    const latenciesMs = load.takeLatenciesMs()
    return { p50: quantile(latenciesMs, 0.5), p99: quantile(latenciesMs, 0.99) }
  } finally {
    load.stop()
  }
}

const p50sOf = (tails: readonly Tail[]) => tails.map(({ p50 }) => p50)
const p99sOf = (tails: readonly Tail[]) => tails.map(({ p99 }) => p99)
const ratioOf = (tails: readonly Tail[]) => spreadOf(ratios(p99sOf(tails), p50sOf(tails)))
const describe = (tails: readonly Tail[]) =>
  `p50 ${median(p50sOf(tails)).toFixed(2)} ms, p99 ${median(p99sOf(tails)).toFixed(2)} ms`
