import { startPazar } from "../contenders/pazar.ts"
import { startPazarPostgres } from "../contenders/pazar-postgres.ts"
import { validationWorkload } from "../load/workloads.ts"
import { race } from "../report/race.ts"
import { speedFinding } from "../report/report.ts"
import { startPostgres } from "../stores/postgres.ts"
import { marketOf, type Part } from "./part.ts"

const connections = 64

export const postgres: Part = {
  name: "postgres",
  title: "Validating on PostgreSQL",
  async run({ options, cores, rounds, sqliteStore, say }) {
    const market = marketOf(options.purchases)
    const sqlite = await sqliteStore(market)
    const server = await startPostgres(cores.others, say)
    try {
      const store = await server.prepareStore(market)
      const onPostgres = await startPazarPostgres(store, server, cores.server)
      const onSqlite = await startPazar(sqlite, cores.server)
      try {
        const laps = await race(
          [
            { contender: onPostgres, workload: validationWorkload(store) },
            { contender: onSqlite, workload: validationWorkload(sqlite) },
          ],
          { ...rounds, connections },
        )
        const [own, other] = laps
        const what = `validation on PostgreSQL at ${connections} connections, against SQLite`
        const found = speedFinding(what, { atLeast: 0.65 }, own, other)
        return {
          findings: [found],
          laps,
          notes: [
            "CPU time is Pazar's and the database server's together. With two cores, the database server runs where there is room, beside Pazar and the generator.",
          ],
        }
      } finally {
        await Promise.all([onPostgres.stop(), onSqlite.stop()])
      }
    } finally {
      await server.stop()
    }
  },
}
