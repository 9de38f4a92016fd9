/** The cost of the rate limits for a validation, with few keys in use and with many. */
import { startPazar } from "../contenders/pazar.ts"
import { validationWorkload } from "../load/workloads.ts"
import { raceServers } from "../report/race.ts"
import { finding } from "../report/report.ts"
import { ratios, spreadOf } from "../report/statistics.ts"
import type { Part } from "./part.ts"

const marketOf = (accounts: number) => ({ accounts, items: 20_000, purchases: 100_000, seed: 1 })

export const rateLimits: Part = {
  name: "rate-limits",
  title: "Validating with and without rate limits",
  async run({ cores, rounds, sqliteStore }) {
    const enter = async (accounts: number, limits: "on" | "off") => {
      const store = await sqliteStore(marketOf(accounts))
      return {
        name: `${accounts} keys, limits ${limits}`,
        start: () => startPazar(store, cores.server, { PAZAR_RATE_LIMIT: limits }),
        workload: validationWorkload(store),
      }
    }
    const laps = await raceServers(
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
    return { findings: [cost(20, fewOn, fewOff), cost(5_000, manyOn, manyOff)], laps }
  },
}
