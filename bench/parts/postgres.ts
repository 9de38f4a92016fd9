import { startPazar, startPazarPostgres } from "../contenders/pazar.ts"
import { validationWorkload } from "../load/workloads.ts"
import { raceServers } from "../report/race.ts"
import { speedFinding } from "../report/report.ts"
import { withPostgres } from "../stores/postgres.ts"
import { marketOf, type Part } from "./part.ts"

const connections = 64

export const postgres: Part = {
  name: "postgres",
  title: "Validating on PostgreSQL",
  run: (context) =>
    withPostgres(context, async (server) => {
      const { options, cores, rounds, sqliteStore } = context
      const market = marketOf(options.purchases)
      const sqlite = await sqliteStore(market)
      const store = await server.prepareStore(market)
      const laps = await raceServers(
        [
          {
            name: "pazar, PostgreSQL",
            start: () => startPazarPostgres(store, server, cores.server),
            workload: validationWorkload(store),
          },
          {
            name: "pazar",
            start: () => startPazar(sqlite, cores.server),
            workload: validationWorkload(sqlite),
          },
        ],
        { ...rounds, connections },
      )
      const what = `validation on PostgreSQL at ${connections} connections, against SQLite`
      return {
        findings: [speedFinding(what, { atLeast: 0.65 }, ...laps)],
        laps,
        notes: [
          "CPU time is Pazar's and the database server's together. With two cores, the database server runs where there is room, beside Pazar and the generator.",
        ],
      }
    }),
}
