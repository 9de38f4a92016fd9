/**
 * Stores of generated marketplaces, filled by `pazar import` and kept in `bench/data`: a large one takes
 * minutes to build, and is built once.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { anywhere } from "../processes/processes.ts"
import {
  dataFolder,
  environment,
  pazarCommand,
  runPazar,
  type Settings,
} from "../processes/program.ts"
import { keyOf, type Marketplace } from "./marketplace.ts"

/** A filled store and how to open it. `keys` has a key for each account. */
export type Store = Readonly<{ market: Marketplace; settings: Settings; keys: readonly string[] }>

export async function prepareSqliteStore(
  market: Marketplace,
  say: (text: string) => void,
): Promise<Store> {
  const folder = join(dataFolder, `sqlite-${sizeOf(market)}`)
  const settings = { DATABASE_URL: `sqlite:${join(folder, "pazar.db")}` }
  return prepareStore(market, folder, settings, say, { async before() {}, async after() {} })
}

export const pathOfStore = ({ settings }: Store) =>
  (settings.DATABASE_URL ?? "").replace(/^sqlite:/, "")

export const sizeOf = ({ accounts, items, purchases, seed }: Marketplace) =>
  `${accounts}-${items}-${purchases}-${seed}`

/** The steps before and after the import that a kind of store needs. */
type Surroundings = Readonly<{ before(): Promise<void>; after(): Promise<void> }>

/** The keys are written last, so a store that has them is complete. */
export async function prepareStore(
  market: Marketplace,
  folder: string,
  settings: Settings,
  say: (text: string) => void,
  { before, after }: Surroundings,
): Promise<Store> {
  const keysPath = join(folder, "keys.json")
  if (!existsSync(keysPath)) {
    say(`building a store of ${market.purchases} purchases, once`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await before()
    await runPazar(["migrate"], settings)
    await importFeed(market, settings)
    await after()
    const keys = Array.from({ length: market.accounts }, (_, account) => keyOf(account))
    writeFileSync(keysPath, JSON.stringify(keys))
  }
  return { market, settings, keys: JSON.parse(readFileSync(keysPath, "utf8")) }
}

const feedCommand = ({ accounts, items, purchases, seed }: Marketplace) => [
  process.execPath,
  join(import.meta.dir, "generate-feed.ts"),
  ...["--accounts", `${accounts}`, "--items", `${items}`],
  ...["--purchases", `${purchases}`, "--seed", `${seed}`],
]

async function importFeed(market: Marketplace, settings: Settings): Promise<void> {
  // A pipe of the shell: the feed does not pass through us.
  const pipe = `${quoted(feedCommand(market))} | ${quoted([...pazarCommand, "import", "-"])}`
  const child = Bun.spawn(anywhere(["sh", "-c", pipe]), {
    env: environment(settings),
    stderr: "inherit",
  })
  const summary = JSON.parse((await child.stdout.text()) || "{}")
  const expected = market.accounts + market.items + market.purchases
  if (summary.accepted !== expected) {
    throw new Error(`the import took ${summary.accepted} of ${expected} records`)
  }
}

const quoted = (command: readonly string[]) =>
  command.map((word) => `'${word.replaceAll("'", `'''`)}'`).join(" ")

/** The feed of a marketplace as a file. */
export async function writeFeed(market: Marketplace, path: string): Promise<void> {
  const child = Bun.spawn(anywhere(feedCommand(market)), { stdout: Bun.file(path) })
  if ((await child.exited) !== 0) throw new Error("the feed could not be written")
}
