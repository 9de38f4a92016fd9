/** Compares the cost of a validation in a large marketplace with that in a small one. */
import type { Contender } from "../contenders/contender.ts"
import { startPazar, startPazarPostgres } from "../contenders/pazar.ts"
import { validationWorkload } from "../load/workloads.ts"
import { raceServers } from "../report/race.ts"
import { finding, type PartReport } from "../report/report.ts"
import { ratios, spreadOf } from "../report/statistics.ts"
import type { Marketplace } from "../stores/marketplace.ts"
import { withPostgres } from "../stores/postgres.ts"
import type { Store } from "../stores/stores.ts"
import { type Context, marketOf, type Part } from "./part.ts"

/** Until the pages that are asked for have been read from the disk. */
const usualSettleMs = 10_000
const largeSettleMs = 90_000
const largePurchases = 5_000_000
/** Until each of the 100,000 requests was sent once: the first call of a key costs several later ones. */
const keysSettleMs = 30_000

type Growth = Readonly<{
  what: string
  few: Size
  many: Size
  /** How much more a validation may cost. */
  atMost: number
  settleMs?: number
  /** On SQLite unless these say otherwise. */
  prepareStore?(market: Marketplace): Promise<Store>
  start?(store: Store): Promise<Contender>
}>
/** `name` as in "10000 purchases". */
type Size = Readonly<{ name: string; market: Marketplace }>

async function compareGrowth(context: Context, growth: Growth): Promise<PartReport> {
  const { what, few, many, atMost } = growth
  const isLarge = many.market.purchases >= largePurchases
  const { settleMs = isLarge ? largeSettleMs : usualSettleMs } = growth
  const { prepareStore = context.sqliteStore } = growth
  const { start = (store) => startPazar(store, context.cores.server) } = growth
  const enter = async ({ name, market }: Size) => {
    const store = await prepareStore(market)
    return { name, start: () => start(store), workload: validationWorkload(store) }
  }
  const racers = [await enter(few), await enter(many)] as const
  const laps = await raceServers(racers, { ...context.rounds, settleMs })
  const [ofFew, ofMany] = laps
  const grown = spreadOf(ratios(ofMany.cpuMicros, ofFew.cpuMicros))
  const asked = `${what} at ${many.name}, against ${few.name}`
  return { findings: [finding(asked, { atMost }, "×", grown)], laps }
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
    }),
}

export const postgresGrowth: Part = {
  name: "postgres-growth",
  title: "Validating among many purchases on PostgreSQL",
  run: (context) =>
    withPostgres(context, (server) =>
      compareGrowth(context, {
        what: "CPU a validation on PostgreSQL",
        few: ofPurchases(10_000),
        many: ofPurchases(context.options.manyPostgresPurchases),
        atMost: 1.3,
        prepareStore: server.prepareStore,
        start: (store) => startPazarPostgres(store, server, context.cores.server),
      }),
    ),
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
      start: (store) =>
        startPazar(store, context.cores.server, {
          PAZAR_RATE_LIMIT: "on",
          PAZAR_METRICS_TOKEN: "metrics-token-of-32-characters-or-more",
        }),
    }),
}
