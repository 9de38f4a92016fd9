import type { Contender } from "../contenders/contender.ts"
import { startPazar } from "../contenders/pazar.ts"
import { startPacedLoad } from "../load/paced-load.ts"
import { validationWorkload } from "../load/workloads.ts"
import type { Row } from "../report.ts"
import { median, spreadOf } from "../statistics.ts"
import { withPostgres } from "../stores/bench-postgres.ts"
import type { Store } from "../stores/bench-stores.ts"
import { marketOf, type Part } from "./part.ts"

const visits = 7
/** Traffic before the measurement, so that pages have counts to show. */
const trafficMs = 3_000

export const pages: Part = {
  name: "pages",
  async run(context) {
    const { purchases, sqliteStore, cores } = context
    const market = marketOf(purchases)
    const on = async (kind: string, store: Store) => {
      const server = await startPazar(store, cores.server)
      try {
        return await measure(kind, server, store)
      } finally {
        await server.stop()
      }
    }
    return [
      ...(await on("SQLite", await sqliteStore(market))),
      ...(await withPostgres(context, async (server) =>
        on("PostgreSQL", await server.prepareStore(market)),
      )),
    ]
  },
}

async function measure(kind: string, { port }: Contender, store: Store): Promise<readonly Row[]> {
  const workload = validationWorkload(store)
  const load = await startPacedLoad({ port, workload, ratePerSecond: 500 })
  await load.measureP99(Bun.sleep(trafficMs))
  load.stop()
  // Loaded here, because it loads part of the program and would slow the load generator in other parts.
  const { listPages } = await import("../load/visit-pages.ts")
  const timed: { path: string; ms: number; kilobytes: number }[] = []
  for (const { visitor, path } of await listPages(`http://127.0.0.1:${port}`)) {
    const times: number[] = []
    let kilobytes = 0
    for (let visit = 0; visit < visits; visit += 1) {
      const startedAt = performance.now()
      const { text } = await visitor.get(path)
      times.push(performance.now() - startedAt)
      kilobytes = Buffer.byteLength(text) / 1_000
    }
    timed.push({ path, ms: median(times), kilobytes })
  }
  const most = (of: "ms" | "kilobytes") => timed.toSorted((a, b) => b[of] - a[of])[0]
  const [slowest, largest] = [most("ms"), most("kilobytes")]
  return [
    {
      what: `pages, ${kind}: response time`,
      measured: spreadOf(timed.map(({ ms }) => ms)),
      unit: "ms",
      note: `${timed.length} pages`,
    },
    {
      what: `slowest page, ${kind}`,
      measured: slowest?.ms ?? null,
      unit: "ms",
      note: slowest?.path ?? "",
    },
    {
      what: `largest page, ${kind}`,
      measured: largest?.kilobytes ?? null,
      unit: "KB",
      note: largest?.path ?? "",
    },
  ]
}
