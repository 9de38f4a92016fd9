/** What a validation costs in a large marketplace against a small one. */
import type { Contender } from "../contenders/contender.ts"
import type { Marketplace } from "../marketplace.ts"
import { type Racer, race } from "../race.ts"
import { finding, type PartReport } from "../report.ts"
import { ratios, spreadOf } from "../statistics.ts"
import type { Store } from "../stores.ts"
import { validationWorkload } from "../workloads.ts"
import type { Context } from "./part.ts"

/** Until the pages have been read from the disk. */
const settleMs = 10_000

type Growth = Readonly<{
  what: string
  few: Size
  many: Size
  /** How much more a validation may cost. */
  atMost?: number
  prepareStore(market: Marketplace): Promise<Store>
  start(store: Store): Promise<Contender>
}>
/** `name` as in "10000 purchases". */
type Size = Readonly<{ name: string; market: Marketplace }>

export async function compareGrowth(
  { rounds }: Context,
  { what, few, many, atMost = 1.3, prepareStore, start }: Growth,
): Promise<PartReport> {
  const enter = async ({ name, market }: Size): Promise<Racer> => {
    const store = await prepareStore(market)
    const contender = { ...(await start(store)), name }
    return { contender, workload: validationWorkload(store) }
  }
  const small = await enter(few)
  const large = await enter(many)
  try {
    const laps = await race([small, large], { ...rounds, settleMs })
    const [ofFew, ofMany] = laps
    const grown = spreadOf(ratios(ofMany.cpuMicros, ofFew.cpuMicros))
    const asked = `${what} at ${many.name}, against ${few.name}`
    return { findings: [finding(asked, { atMost }, "×", grown)], laps, notes: [] }
  } finally {
    await Promise.all([small.contender.stop(), large.contender.stop()])
  }
}
