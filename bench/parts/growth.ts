/** Compares the cost of a validation in a large marketplace with that in a small one. */
import type { Contender } from "../contenders/contender.ts"
import { startPazar } from "../contenders/pazar.ts"
import { startPazarPostgres } from "../contenders/pazar-postgres.ts"
import { validationWorkload } from "../load/workloads.ts"
import { type Racer, race } from "../report/race.ts"
import { finding, type PartReport } from "../report/report.ts"
import { ratios, spreadOf } from "../report/statistics.ts"
import type { Marketplace } from "../stores/marketplace.ts"
import { startPostgres } from "../stores/postgres.ts"
import type { Store } from "../stores/stores.ts"
import { type Context, marketOf, type Part } from "./part.ts"

/** Until the pages have been read from the disk. */
const usualSettleMs = 10_000
/** Until each of the 100,000 requests was sent once: the first call of a key costs several later ones. */
const keysSettleMs = 30_000

type Growth = Readonly<{
  what: string
  few: Size
  many: Size
  /** How much more a validation may cost. */
  atMost: number
  settleMs?: number
  prepareStore(market: Marketplace): Promise<Store>
  start(store: Store): Promise<Contender>
}>
/** `name` as in "10000 purchases". */
type Size = Readonly<{ name: string; market: Marketplace }>

async function compareGrowth(
  { rounds }: Context,
  { what, few, many, atMost, settleMs = usualSettleMs, prepareStore, start }: Growth,
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

const ofPurchases = (purchases: number) => ({
  name: `${purchases} purchases`,
  market: marketOf(purchases),
})

export const growth: Part = {
  name: "growth",
  title: "Validating among many purchases",
  run: (context) =>
    compareGrowth(context, {
      what: "CPU a validation on SQLite",
      few: ofPurchases(10_000),
      many: ofPurchases(context.options.manyPurchases),
      atMost: 1.3,
      prepareStore: context.sqliteStore,
      start: (store) => startPazar(store, context.cores.server),
    }),
}

export const postgresGrowth: Part = {
  name: "postgres-growth",
  title: "Validating among many purchases on PostgreSQL",
  async run(context) {
    const { cores, options, say } = context
    const server = await startPostgres(cores.others, say)
    try {
      return await compareGrowth(context, {
        what: "CPU a validation on PostgreSQL",
        few: ofPurchases(10_000),
        many: ofPurchases(options.manyPostgresPurchases),
        atMost: 1.3,
        prepareStore: server.prepareStore,
        start: (store) => startPazarPostgres(store, server, cores.server),
      })
    } finally {
      await server.stop()
    }
  },
}

/** The same items and purchases, and as many keys in use as there are accounts. */
const ofAccounts = (accounts: number) => ({
  name: `${accounts} accounts`,
  market: { accounts, items: 100_000, purchases: 100_000, seed: 1 },
})

export const accounts: Part = {
  name: "accounts",
  title: "Validating for many authors",
  run: (context) =>
    compareGrowth(context, {
      what: "CPU a validation on SQLite",
      few: ofAccounts(20),
      many: ofAccounts(100_000),
      atMost: 1.3,
      settleMs: keysSettleMs,
      prepareStore: context.sqliteStore,
      start: (store) => startPazar(store, context.cores.server),
    }),
}

/** The same items and purchases, and one key in use for each account. */
const ofKeys = (accounts: number) => ({
  name: `${accounts} keys`,
  market: { accounts, items: 20_000, purchases: 100_000, seed: 1 },
})

/** Everything that costs a little for each key in use is on: limits, counting and metrics. */
export const keys: Part = {
  name: "keys",
  title: "Validating with many keys in use",
  run: (context) =>
    compareGrowth(context, {
      what: "CPU a validation on SQLite, with limits and metrics",
      few: ofKeys(20),
      many: ofKeys(5_000),
      atMost: 1.25,
      prepareStore: context.sqliteStore,
      start: (store) =>
        startPazar(store, context.cores.server, {
          PAZAR_RATE_LIMIT: "on",
          PAZAR_METRICS_TOKEN: "metrics-token-of-32-characters-or-more",
        }),
    }),
}
