/** Stores of both kinds in which every page has something to show, and people who can sign in. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { anywhere, type CoreMap } from "../processes/processes.ts"
import { dataFolder, environment, runPazar } from "../processes/program.ts"
import type { Filled } from "./fill-pages.ts"
import { type Marketplace, usernameOf } from "./marketplace.ts"
import { startPostgres } from "./postgres.ts"
import { addPostgresSites, addSqliteSites } from "./sites.ts"
import { copyStore, type Store } from "./stores.ts"

export const market: Marketplace = {
  accounts: 3_000,
  items: 40_000,
  purchases: 2_000_000,
  seed: 1,
  isUneven: true,
}
const folder = join(dataFolder, "pages")

export const operatorName = "deniz"
export const password = "kiraz bülbül pencere"

type Preparing = Readonly<{
  cores: CoreMap
  sqliteStore(market: Marketplace): Promise<Store>
  say(text: string): void
}>

export type PageStore = Readonly<{ kind: "SQLite" | "PostgreSQL"; store: Store; filled: Filled }>

/** On a copy of each store: what pages show is of the last days, and visitors write. */
export async function onPageStores<T>(
  { cores, sqliteStore, say }: Preparing,
  work: (on: PageStore) => Promise<T>,
): Promise<readonly T[]> {
  const kept = await sqliteStore(market)
  addSqliteSites(kept)
  const store = copyStore(kept, folder)
  const server = await startPostgres(cores.others, say)
  try {
    const onSqlite = await work({ kind: "SQLite", store, filled: await fill(store) })
    const keptThere = await server.prepareStore(market)
    await addPostgresSites(server, keptThere)
    const there = await server.copyStore(keptThere, "bench_pages")
    const filled = await fill(there)
    await server.query(there, "VACUUM ANALYZE")
    return [onSqlite, await work({ kind: "PostgreSQL", store: there, filled })]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill({ program, settings }: Store): Promise<Filled> {
  const tell = (...args: string[]) => runPazar(args, settings, program, `${password}\n`)
  for (const author of [0, 1]) await tell("account", "password", usernameOf(author))
  await tell("operator", "create", operatorName)
  const script = join(import.meta.dir, "fill-pages.ts")
  const child = Bun.spawn(anywhere([process.execPath, script, `${market.accounts}`]), {
    env: environment(settings),
    stderr: "inherit",
  })
  const output = await child.stdout.text()
  if ((await child.exited) !== 0) throw new Error("the store could not be filled")
  return JSON.parse(output)
}
