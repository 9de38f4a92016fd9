import { captureAnswer, startLimit } from "../contenders/limit.ts"
import { startPazar } from "../contenders/pazar.ts"
import { listWorkload, paths, withConstantAnswer } from "../load/workloads.ts"
import { raceCold } from "../report/race.ts"
import { finding } from "../report/report.ts"
import { median, ratios, spreadOf } from "../report/statistics.ts"
import { marketOf, type Part } from "./part.ts"

/** Until every list has been read, rendered and kept. */
const countedMs = 5_000
const [rounds, quickRounds] = [7, 3]

/** Both servers are fresh in each round, so that the limit's compilers are as cold as ours. */
export const listCold: Part = {
  name: "list-cold",
  title: "Listing 1,000 items from a cold server",
  async run({ options, cores, sqliteStore }) {
    const store = await sqliteStore(marketOf(options.purchases))
    const workload = listWorkload(store)
    const start = () => startPazar(store, cores.server)
    const first = await start()
    const answer = await captureAnswer(first.port, workload)
    await first.stop()
    const laps = await raceCold(
      [
        { start, workload },
        {
          start: () => startLimit(paths.list, answer, cores.server),
          workload: withConstantAnswer(workload, answer.body ?? ""),
        },
      ],
      {
        rounds: options.rounds ?? (options.isQuick ? quickRounds : rounds),
        connections: options.connections,
        countedMs,
      },
    )
    const [own, limit] = laps
    const showMs = (p99s: readonly number[]) => `${median(p99s).toFixed(0)} ms`
    return {
      findings: [
        finding(
          "list of 1,000 items in the first seconds, against sending the same constant bytes, by CPU time",
          { atLeast: 0.6 },
          "×",
          spreadOf(ratios(limit.cpuMicros, own.cpuMicros)),
        ),
        finding(
          "p99 of a list of 1,000 items in the first seconds, against sending the same constant bytes",
          { atMost: 3 },
          "×",
          spreadOf(ratios(own.p99s, limit.p99s)),
          `p99 ${showMs(own.p99s)}; the limit ${showMs(limit.p99s)}`,
        ),
      ],
      laps,
      notes: [
        `A fresh server in each round, loaded for ${countedMs / 1000} s from its first request on.`,
      ],
    }
  },
}
