/** The operation that matters most, against everybody. */
import { captureAnswer, startLimit } from "../contenders/limit.ts"
import { startPazarSqlite } from "../contenders/pazar-sqlite.ts"
import { cpuNote, race, rateRatio } from "../race.ts"
import { finding } from "../report.ts"
import { paths, validationWorkload, withConstantAnswer } from "../workloads.ts"
import { marketOf, type Part } from "./part.ts"

export const validation: Part = {
  name: "validation",
  title: "Validating a purchase",
  async run({ options, cores, rounds, sqliteStore }) {
    const store = await sqliteStore(marketOf(options.purchases))
    const workload = validationWorkload(store)
    const pazar = await startPazarSqlite(store, cores.server)
    const answer = await captureAnswer(pazar.port, workload)
    const limit = await startLimit(paths.validation, answer, cores.server)
    const constant = withConstantAnswer(workload, answer.body ?? "")
    try {
      const [own, least] = await race(
        [
          { contender: pazar, workload },
          { contender: limit, workload: constant },
        ],
        { ...rounds, rounds: 2 * rounds.rounds },
      )
      if (own === undefined || least === undefined) throw new Error("a race without racers")
      const found = finding(
        "validation, against the limit",
        { atLeast: 0.7 },
        "×",
        rateRatio(own, least),
        cpuNote(own, least),
      )
      return { findings: [found], laps: [own, least], notes: [] }
    } finally {
      await Promise.all([pazar.stop(), limit.stop()])
    }
  },
}
