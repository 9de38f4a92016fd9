/** CPU time per validation with many purchases against few, and the size of the database. */
import { statSync } from "node:fs"
import { startPazar, startPazarPostgres } from "../contenders/pazar.ts"
import { validationWorkload } from "../load/workloads.ts"
import { race } from "../race.ts"
import type { Row } from "../report.ts"
import { ratios, spreadOf } from "../statistics.ts"
import { withPostgres } from "../stores/bench-postgres.ts"
import { type Store, storePath } from "../stores/bench-stores.ts"
import { type Context, marketOf, type Part } from "./part.ts"

const few = 10_000

export const sizes: Part = {
  name: "sizes",
  async run(context) {
    const { purchases, cores, sqliteStore } = context
    const small = await sqliteStore(marketOf(few))
    const large = await sqliteStore(marketOf(purchases))
    const start = (store: Store) => startPazar(store, cores.server)
    return [
      await compare(context, "SQLite", start, small, large),
      await withPostgres(context, async (server) => {
        const startOn = (store: Store) => startPazarPostgres(store, server, cores.server)
        const [one, many] = [
          await server.prepareStore(marketOf(few)),
          await server.prepareStore(marketOf(purchases)),
        ]
        return compare(context, "PostgreSQL", startOn, one, many)
      }),
      {
        what: "disk space per purchase, SQLite",
        measured: statSync(storePath(large)).size / purchases,
        unit: "bytes",
        note: `${purchases} purchases`,
      },
    ]
  },
}

async function compare(
  { rounds, purchases }: Context,
  kind: string,
  start: (store: Store) => ReturnType<typeof startPazar>,
  small: Store,
  large: Store,
): Promise<Row> {
  const [few, many] = await race(
    [
      { contender: await start(small), workload: validationWorkload(small) },
      { contender: await start(large), workload: validationWorkload(large) },
    ],
    rounds,
  )
  if (few === undefined || many === undefined) throw new Error("a race without laps")
  return {
    what: `CPU time per validation, ${kind}: ${purchases} vs. 10000 purchases`,
    measured: spreadOf(ratios(many.cpuMicros, few.cpuMicros)),
    unit: "×",
    note: `${spreadOf(many.cpuMicros).median.toFixed(0)} µs`,
  }
}
