import { startPazar } from "../contenders/pazar.ts"
import { compareGrowth } from "./many-against-few.ts"
import type { Part } from "./part.ts"

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
      prepareStore: context.sqliteStore,
      start: (store) => startPazar(store, context.cores.server),
    }),
}
