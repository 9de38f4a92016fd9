import { startPazar } from "../contenders/pazar.ts"
import { compareGrowth } from "./many-against-few.ts"
import type { Part } from "./part.ts"

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
      prepareStore: context.sqliteStore,
      start: (store) =>
        startPazar(store, context.cores.server, {
          PAZAR_RATE_LIMIT: "on",
          PAZAR_METRICS_TOKEN: "metrics-token-of-32-characters-or-more",
        }),
    }),
}
