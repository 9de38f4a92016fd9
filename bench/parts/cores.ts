import { startPazar } from "../contenders/pazar.ts"
import { type Laps, race } from "../race.ts"
import { finding } from "../report.ts"
import { spreadOf } from "../statistics.ts"
import { validationWorkload } from "../workloads.ts"
import { marketOf, type Part } from "./part.ts"

/** So much of what the generator left counts as all of it. */
const isAll = 0.9

export const cores: Part = {
  name: "cores",
  title: "Two cores against one",
  async run({ options, cores, rounds, sqliteStore }) {
    const what = "validation on two cores, against one"
    const target = { atLeast: 1.7 }
    if (cores.twoServers === null) {
      const notes = ["Needs two cores and `taskset`."]
      return { findings: [finding(what, target, "×", null)], laps: [], notes }
    }
    const store = await sqliteStore(marketOf(options.purchases))
    const workload = validationWorkload(store)
    const one = await startPazar(store, cores.server)
    const two = await startPazar(store, cores.twoServers, 2)
    try {
      const laps = await race(
        [
          { contender: { ...one, name: "one core" }, workload },
          { contender: { ...two, name: "two cores" }, workload },
        ],
        rounds,
      )
      const [single, double] = laps
      const ratio = spreadOf(scaling(single, double, cores.isLoadApart))
      return {
        findings: [finding(what, target, "×", ratio)],
        laps,
        notes: [
          cores.isLoadApart
            ? "The generator has a core of its own."
            : "The generator runs on one of the two cores. Where the server used up what was left, its rate is scaled to two whole cores.",
        ],
      }
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
  },
}

function scaling(one: Laps, two: Laps, isLoadApart: boolean): readonly number[] {
  return two.rates.map((rate, round) => {
    const used = (rate * (two.cpuMicros[round] ?? 0)) / 1e6
    const left = 2 - (two.loadShares[round] ?? 0)
    const isScaled = !isLoadApart && used >= isAll * left
    return (rate / (one.rates[round] ?? Number.NaN)) * (isScaled ? 2 / left : 1)
  })
}
