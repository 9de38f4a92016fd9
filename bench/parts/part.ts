import type { CoreMap } from "../processes.ts"
import type { Program } from "../program.ts"
import type { Row } from "../report.ts"
import type { Store } from "../stores/bench-stores.ts"
import type { Marketplace } from "../stores/marketplace.ts"

export type Context = Readonly<{
  isQuick: boolean
  rounds: number
  purchases: number
  others: readonly Program[]
  cores: CoreMap
  sqliteStore(market: Marketplace, program?: Program): Promise<Store>
  say(text: string): void
}>

export type Part = Readonly<{ name: string; run(context: Context): Promise<readonly Row[]> }>

/** A thousand items per author. */
export const marketOf = (purchases: number, seed = 2): Marketplace => ({
  accounts: 20,
  items: 20_000,
  purchases,
  seed,
})
