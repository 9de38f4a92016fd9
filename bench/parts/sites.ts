/** Measures a validation that names its site, without and with a limit. */
import type { Contender } from "../contenders/contender.ts"
import { startPazar, startPazarPostgres } from "../contenders/pazar.ts"
import type { Workload } from "../load/load.ts"
import { sitedWorkload } from "../load/workloads.ts"
import { type Laps, raceServers } from "../report/race.ts"
import { finding, type PartReport, type Target } from "../report/report.ts"
import { median, ratios, spreadOf } from "../report/statistics.ts"
import { withPostgres } from "../stores/postgres.ts"
import { addPostgresSites, addSqliteSites } from "../stores/sites.ts"
import type { Store } from "../stores/stores.ts"
import { type Context, marketOf, type Part } from "./part.ts"

/** One start of two equal servers differs from the next by up to 3 %. */
const starts = 3
/** From one write of the counts to the next, so that each lap has one: sites are written with them. */
const countedMs = 2_000
const settleMs = 4_000

const siteTarget = {
  atMost: 1.08,
  because:
    "4 to 5 µs of 83 for a longer body, the normal form of the site, its note, and 200 new sites written every two seconds, which were not told apart",
}

type Start = (store: Store) => Promise<Contender>

async function raceSites({ rounds }: Context, store: Store, start: Start): Promise<PartReport> {
  const [plain, sited] = [sitedWorkload(store, "none", false), sitedWorkload(store, "none", true)]
  const limited = sitedWorkload(store, "one", true)
  const licensed = sitedWorkload(store, "by licence", true)
  const raced: (readonly [Laps, Laps, Laps, Laps])[] = []
  for (let nth = 1; nth <= starts; nth += 1) {
    const enter = (name: string, workload: Workload) => ({
      name: `${name}, ${store.market.purchases} purchases, start ${nth}`,
      start: () => start(store),
      workload,
    })
    raced.push(
      await raceServers(
        [
          enter("no site", plain),
          enter("site, no limit", sited),
          enter("site, limit", limited),
          enter("site, limit by licence", licensed),
        ],
        { ...rounds, rounds: Math.ceil(rounds.rounds / starts), countedMs, settleMs },
      ),
    )
  }
  const compare = (what: string, target: Target, one: 1 | 2 | 3, other: 0 | 1) => {
    const byStart = raced.map((laps) => ratios(laps[one].cpuMicros, laps[other].cpuMicros))
    return finding(
      `CPU a validation with ${what}, at ${store.market.purchases} purchases`,
      target,
      "×",
      spreadOf(byStart.flat()),
      `by start ${byStart.map((each) => median(each).toFixed(2)).join(", ")}`,
    )
  }
  return {
    findings: [
      compare("a site, against none", siteTarget, 1, 0),
      compare("a limit of sites, against a site alone", { atMost: 1.5 }, 2, 1),
      compare("limits by licence, against a site alone", { atMost: 1.5 }, 3, 1),
    ],
    laps: raced.flat(),
  }
}

export const sites: Part = {
  name: "sites",
  title: "Validating with the site that asks",
  async run(context) {
    const { cores, options, sqliteStore } = context
    const reports: PartReport[] = []
    for (const purchases of [100_000, options.manyPurchases]) {
      const store = await sqliteStore(marketOf(purchases))
      addSqliteSites(store)
      reports.push(await raceSites(context, store, (of) => startPazar(of, cores.server)))
    }
    return {
      findings: reports.flatMap(({ findings }) => findings),
      laps: reports.flatMap(({ laps = [] }) => laps),
      notes: ["There are one and a half times as many sites as purchases."],
    }
  },
}

export const postgresSites: Part = {
  name: "postgres-sites",
  title: "Validating with the site that asks, on PostgreSQL",
  run: (context) =>
    withPostgres(context, async (server) => {
      const { cores, options } = context
      const store = await server.prepareStore(marketOf(options.manyPostgresPurchases))
      await addPostgresSites(server, store)
      return raceSites(context, store, (of) => startPazarPostgres(of, server, cores.server))
    }),
}
