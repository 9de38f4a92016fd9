import { startPazar } from "../contenders/pazar.ts"
import { startPacedLoad } from "../paced-load.ts"
import { medianOf, race } from "../race.ts"
import { finding } from "../report.ts"
import { median, quantile, ratios, spreadOf } from "../statistics.ts"
import { validationWorkload } from "../workloads.ts"
import { marketOf, type Part } from "./part.ts"

const saturatedRounds = 3
const roundMs = 2_000

export const latency: Part = {
  name: "latency",
  title: "How long a validation takes at half the possible rate",
  async run({ options, cores, rounds, sqliteStore }) {
    const store = await sqliteStore(marketOf(options.purchases))
    const workload = validationWorkload(store)
    const pazar = await startPazar(store, cores.server)
    try {
      const saturated = { ...rounds, rounds: saturatedRounds }
      const [laps] = await race([{ contender: pazar, workload }], saturated)
      const ratePerSecond = medianOf(laps, "rates") / 2
      const { port } = pazar
      const { connections } = rounds
      const pace = { port, workload, connections, ratePerSecond, isSpinning: true }
      const load = await startPacedLoad(pace)
      const [p50s, p99s]: [number[], number[]] = [[], []]
      await load.run(roundMs)
      load.takeLatenciesMs()
      for (let round = 0; round < rounds.rounds; round += 1) {
        await load.run(roundMs)
        const latenciesMs = load.takeLatenciesMs()
        p50s.push(quantile(latenciesMs, 0.5))
        p99s.push(quantile(latenciesMs, 0.99))
      }
      load.stop()
      const note = `p50 ${median(p50s).toFixed(2)} ms, p99 ${median(p99s).toFixed(2)} ms`
      const ratio = spreadOf(ratios(p99s, p50s))
      return {
        findings: [
          finding(
            "validation at half the saturated rate, p99 against p50",
            { atMost: 5 },
            "×",
            ratio,
            note,
          ),
        ],
        laps: [laps],
        notes: [`Sent at ${Math.round(ratePerSecond)} requests a second, evenly.`],
      }
    } finally {
      await pazar.stop()
    }
  },
}
