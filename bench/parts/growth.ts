import { startPazar } from "../contenders/pazar.ts"
import { compareGrowth } from "./many-against-few.ts"
import type { Part } from "./part.ts"

export const growth: Part = {
  name: "growth",
  title: "Validating among many purchases",
  run: (context) =>
    compareGrowth(context, {
      database: "SQLite",
      many: context.options.manyPurchases,
      prepareStore: context.sqliteStore,
      start: (store) => startPazar(store, context.cores.server),
    }),
}
