import { startPazarPostgres } from "../contenders/pazar-postgres.ts"
import { startPostgres } from "../postgres.ts"
import { compareGrowth } from "./many-against-few.ts"
import { ofPurchases, type Part } from "./part.ts"

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
        prepareStore: server.prepareStore,
        start: (store) => startPazarPostgres(store, server, cores.server),
      })
    } finally {
      await server.stop()
    }
  },
}
