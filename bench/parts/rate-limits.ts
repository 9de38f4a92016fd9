/** The cost of the rate limits for a validation, with few keys in use and with many. */
import { startPazar } from "../contenders/pazar.ts"
import { validationWorkload } from "../load/workloads.ts"
import { type Racer, race } from "../report/race.ts"
import { finding } from "../report/report.ts"
import { ratios, spreadOf } from "../report/statistics.ts"
import type { Part } from "./part.ts"

const marketOf = (accounts: number) => ({ accounts, items: 20_000, purchases: 100_000, seed: 1 })

export const rateLimits: Part = {
  name: "rate-limits",
  title: "Validating with and without rate limits",
  async run({ cores, rounds, sqliteStore }) {
    const racers: Racer[] = []
    const enter = async (accounts: number, limits: "on" | "off") => {
      const store = await sqliteStore(marketOf(accounts))
      const server = await startPazar(store, cores.server, { PAZAR_RATE_LIMIT: limits })
      const contender = { ...server, name: `${accounts} keys, limits ${limits}` }
      const racer = { contender, workload: validationWorkload(store) }
      racers.push(racer)
      return racer
    }
    try {
      const laps = await race(
        [
          await enter(20, "off"),
          await enter(20, "on"),
          await enter(5_000, "off"),
          await enter(5_000, "on"),
        ],
        rounds,
      )
      const [fewOff, fewOn, manyOff, manyOn] = laps
      const cost = (keys: number, on: typeof fewOn, off: typeof fewOff) =>
        finding(
          `CPU a validation with rate limits, against without, ${keys} keys`,
          { atMost: 1.02 },
          "×",
          spreadOf(ratios(on.cpuMicros, off.cpuMicros)),
        )
      return {
        findings: [cost(20, fewOn, fewOff), cost(5_000, manyOn, manyOff)],
        laps,
        notes: [],
      }
    } finally {
      await Promise.all(racers.map(({ contender }) => contender.stop()))
    }
  },
}
