/** Compares an operation with the limit, for the parts that measure only that. */
import type { Contender } from "../contenders/contender.ts"
import { captureAnswer, startLimit } from "../contenders/limit.ts"
import { startPazar } from "../contenders/pazar.ts"
import type { Workload } from "../load.ts"
import { race } from "../race.ts"
import { type PartReport, speedFinding } from "../report.ts"
import type { Store } from "../stores.ts"
import { withConstantAnswer } from "../workloads.ts"
import { type Context, marketOf } from "./part.ts"

export type Comparison = Readonly<{
  what: string
  path: string
  atLeast: number
  workload(store: Store, pazar: Contender): Workload | Promise<Workload>
}>

export async function compareWithLimit(
  { options, cores, rounds, sqliteStore }: Context,
  { what, path, atLeast, workload: prepare }: Comparison,
): Promise<PartReport> {
  const store = await sqliteStore(marketOf(options.purchases))
  const pazar = await startPazar(store, cores.server)
  const workload = await prepare(store, pazar)
  const answer = await captureAnswer(pazar.port, workload)
  const limit = await startLimit(path, answer, cores.server)
  try {
    const constant = withConstantAnswer(workload, answer.body ?? "")
    const [own, least] = await race(
      [
        { contender: pazar, workload },
        { contender: limit, workload: constant },
      ],
      rounds,
    )
    const found = speedFinding(what, { atLeast }, own, least)
    return { findings: [found], laps: [own, least], notes: [] }
  } finally {
    await Promise.all([pazar.stop(), limit.stop()])
  }
}
