import { startPazar } from "../contenders/pazar.ts"
import { compareGrowth } from "./many-against-few.ts"
import { ofPurchases, type Part } from "./part.ts"

export const growth: Part = {
  name: "growth",
  title: "Validating among many purchases",
  run: (context) =>
    compareGrowth(context, {
      what: "CPU a validation on SQLite",
      few: ofPurchases(10_000),
      many: ofPurchases(context.options.manyPurchases),
      prepareStore: context.sqliteStore,
      start: (store) => startPazar(store, context.cores.server),
    }),
}
