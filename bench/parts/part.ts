/** A part of the report: its input and its result. */

import type { Options } from "../options.ts"
import type { CoreMap } from "../processes/processes.ts"
import type { Rounds } from "../report/race.ts"
import type { PartReport } from "../report/report.ts"
import type { Marketplace } from "../stores/marketplace.ts"
import type { Store } from "../stores/stores.ts"

export type Context = Readonly<{
  options: Options
  cores: CoreMap
  /** Of the usual length, or shorter for a quick look. */
  rounds: Rounds
  sqliteStore(market: Marketplace): Promise<Store>
  say(text: string): void
}>

export type Part = Readonly<{
  name: string
  title: string
  run(context: Context): Promise<PartReport>
}>

/** Until every list is in the cache; `list-cold` measures the time before. */
export const listSettleMs = 6_000

/** A thousand items for each author. */
export const marketOf = (purchases: number): Marketplace => ({
  accounts: 20,
  items: 20_000,
  purchases,
  seed: 1,
})
