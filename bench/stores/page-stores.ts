/** Stores of both kinds in which every page has something to show, and people who can sign in. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { anywhere } from "../processes/processes.ts"
import { dataFolder, environment, runPazar, type Settings } from "../processes/program.ts"
import type { Filled } from "./fill-pages.ts"
import { type Marketplace, usernameOf } from "./marketplace.ts"
import { withPostgres } from "./postgres.ts"
import { addPostgresSites, addSqliteSites } from "./sites.ts"
import { copyStore, type Store, settingsOf, storeOf } from "./stores.ts"

export const market: Marketplace = {
  accounts: 3_000,
  items: 40_000,
  purchases: 2_000_000,
  seed: 1,
  isUneven: true,
}
const [filledFolder, folder] = [join(dataFolder, "pages-filled"), join(dataFolder, "pages")]
const [filledDatabase, database] = ["bench_pages_filled", "bench_pages"]

export const operatorName = "deniz"
export const password = "kiraz bülbül pencere"

type Preparing = Parameters<typeof withPostgres>[0] &
  Readonly<{ sqliteStore(market: Marketplace): Promise<Store> }>

export type PageStore = Readonly<{ kind: "SQLite" | "PostgreSQL"; store: Store; filled: Filled }>

/** On a copy of each store, because visitors write. */
export async function onPageStores<T>(
  preparing: Preparing,
  work: (on: PageStore) => Promise<T>,
): Promise<readonly T[]> {
  return withPostgres(preparing, async (server) => {
    // Side by side: each takes minutes.
    const [onSqlite, onPostgres] = await Promise.all([
      keepForToday("SQLite", settingsOf(filledFolder), async () => {
        const kept = await preparing.sqliteStore(market)
        addSqliteSites(kept)
        return copyStore(kept, filledFolder)
      }),
      keepForToday("PostgreSQL", server.settingsOf(filledDatabase), async () => {
        const kept = await server.prepareStore(market)
        await addPostgresSites(server, kept)
        return server.copyStore(kept, filledDatabase)
      }),
    ])
    const first = await work({ ...onSqlite, store: copyStore(onSqlite.store, folder) }).finally(
      () => rmSync(folder, { recursive: true, force: true }),
    )
    const store = await server.copyStore(onPostgres.store, database)
    await server.query(store, "VACUUM ANALYZE")
    return [first, await work({ ...onPostgres, store })]
  })
}

/** Pages show the last days, so a filled store is good for one day. */
async function keepForToday(
  kind: PageStore["kind"],
  settings: Settings,
  build: () => Promise<Store>,
): Promise<PageStore> {
  const path = join(dataFolder, `pages-${kind}.json`)
  const today = new Date().toISOString().slice(0, 10)
  if (existsSync(path)) {
    const { day, filled }: { day: string; filled: Filled } = JSON.parse(readFileSync(path, "utf8"))
    if (day === today) {
      await runPazar(["migrate"], settings)
      return { kind, store: storeOf(market, settings), filled }
    }
    rmSync(path)
  }
  const store = await build()
  const filled = await fill(store)
  writeFileSync(path, JSON.stringify({ day: today, filled }))
  return { kind, store, filled }
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
