import { startPazar } from "../contenders/pazar.ts"
import { validationWorkload } from "../load/workloads.ts"
import { type Cores, pinProcess } from "../processes/processes.ts"
import { raceServers } from "../report/race.ts"
import { finding } from "../report/report.ts"
import { ratios, spreadOf } from "../report/statistics.ts"
import { marketOf, type Part } from "./part.ts"

/**
 * With two cores the generator has to share them with the server. It then counts on both sides: server and
 * generator on one core, against both of them on two.
 */
export const cores: Part = {
  name: "cores",
  title: "Two cores against one",
  async run({ options, cores, rounds, sqliteStore }) {
    const what = "validation on two cores, against one"
    const target = { atLeast: 1.7 }
    const { server, twoServers, load, isLoadApart } = cores
    if (twoServers === null) {
      const notes = ["Needs two cores and `taskset`."]
      return { findings: [finding(what, target, "×", null)], notes }
    }
    const store = await sqliteStore(marketOf(options.purchases))
    const workload = validationWorkload(store)
    const enter = (name: string, itsCores: Cores, threads: string) => ({
      name,
      start: () => startPazar(store, itsCores, { PAZAR_THREADS: threads }),
      workload,
      prepare: () => pinProcess(process.pid, isLoadApart ? load : itsCores),
    })
    try {
      const laps = await raceServers(
        [enter("one core", server, "1"), enter("two cores", twoServers, "2")],
        rounds,
      )
      const [single, double] = laps
      return {
        findings: [finding(what, target, "×", spreadOf(ratios(double.rates, single.rates)))],
        laps,
        notes: [
          isLoadApart
            ? "The generator has a core of its own."
            : "Server and generator together on one core, against both of them on two.",
        ],
      }
    } finally {
      pinProcess(process.pid, load)
    }
  },
}
