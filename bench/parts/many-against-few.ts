/** What a validation costs in a large store against a small one. */
import type { Contender } from "../contenders/contender.ts"
import type { Marketplace } from "../marketplace.ts"
import { type Racer, race } from "../race.ts"
import { finding, type PartReport } from "../report.ts"
import { ratios, spreadOf } from "../statistics.ts"
import type { Store } from "../stores.ts"
import { validationWorkload } from "../workloads.ts"
import { type Context, marketOf } from "./part.ts"

const few = 10_000
/** Until the pages that are asked for have come from the disk. */
const settleMs = 10_000

type Growth = Readonly<{
  database: string
  many: number
  prepareStore(market: Marketplace): Promise<Store>
  start(store: Store): Promise<Contender>
}>

export async function compareGrowth(
  { rounds }: Context,
  { database, many, prepareStore, start }: Growth,
): Promise<PartReport> {
  const enter = async (purchases: number): Promise<Racer> => {
    const store = await prepareStore(marketOf(purchases))
    const contender = { ...(await start(store)), name: `${purchases} purchases` }
    return { contender, workload: validationWorkload(store) }
  }
  const small = await enter(few)
  const large = await enter(many)
  try {
    const laps = await race([small, large], { ...rounds, settleMs })
    const [ofFew, ofMany] = laps
    const grown = spreadOf(ratios(ofMany.cpuMicros, ofFew.cpuMicros))
    const what = `CPU a validation on ${database} at ${many} purchases, against ${few}`
    return { findings: [finding(what, { atMost: 1.3 }, "×", grown)], laps, notes: [] }
  } finally {
    await Promise.all([small.contender.stop(), large.contender.stop()])
  }
}
