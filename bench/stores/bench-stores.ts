/**
 * Databases of generated marketplaces, filled by `pazar import`. They are built once and cached in `bench/data`,
 * because a large one takes minutes.
 */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { unpinned } from "../processes.ts"
import {
  dataFolder,
  environment,
  ownProgram,
  type Program,
  revisionOf,
  runPazar,
  type Settings,
} from "../program.ts"
import { keyOf, type Marketplace, usernameOf } from "./marketplace.ts"

export type Store = Readonly<{
  market: Marketplace
  /** The program that filled and migrated the database. */
  program: Program
  settings: Settings
  keys: readonly string[]
}>

export async function prepareSqliteStore(
  market: Marketplace,
  say: (text: string) => void,
  program = ownProgram,
): Promise<Store> {
  const other = program === ownProgram ? "" : `-${revisionOf(program).commit}`
  const folder = join(dataFolder, `sqlite-${sizeOf(market)}${other}`)
  const settings = settingsOf(folder)
  return prepareStore({ market, program, folder, settings, say })
}

const settingsOf = (folder: string) => ({ DATABASE_URL: `sqlite:${join(folder, "pazar.db")}` })

/** Copies the database for a part that writes, because the cached one must not change. */
export function copyStore(store: Store, folder: string): Store {
  rmSync(folder, { recursive: true, force: true })
  cpSync(dirname(storePath(store)), folder, { recursive: true })
  return { ...store, settings: settingsOf(folder) }
}

export const storePath = ({ settings }: Store) =>
  (settings.DATABASE_URL ?? "").replace(/^sqlite:/, "")

export const sizeOf = ({ accounts, items, purchases, seed }: Marketplace) =>
  `${accounts}-${items}-${purchases}-${seed}`

type Preparation = Readonly<{
  market: Marketplace
  program: Program
  folder: string
  settings: Settings
  say(text: string): void
  /** Steps before and after the import that depend on the kind of database. */
  before?(): Promise<void>
  after?(): Promise<void>
}>

/** The operator and the first author can sign in to every database with this password. */
export const [operatorName, password] = ["deniz", "kiraz bülbül pencere"]

/** Builds the database unless it is cached. The file `complete` is written last and marks a complete database. */
export async function prepareStore(preparation: Preparation): Promise<Store> {
  const { market, program, folder, settings, say, before, after } = preparation
  const completeFile = join(folder, "complete")
  const run = (...args: string[]) => runPazar(args, settings, program, `${password}\n`)
  if (!existsSync(completeFile)) {
    say(`building a database of ${market.purchases} purchases, once`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await before?.()
    await run("migrate")
    await importFeed(market, settings, program)
    // Another version is compared by its validations only, and may have other commands.
    if (program === ownProgram) {
      await run("account", "password", usernameOf(0))
      await run("operator", "create", operatorName)
    }
    await after?.()
    writeFileSync(completeFile, "")
  }
  // The cached database may be of an older version.
  await run("migrate")
  fillPageCache(folder)
  const keys = Array.from({ length: market.accounts }, (_, account) => keyOf(account))
  return { market, program, settings, keys }
}

/** Reads all files of a folder. The system may have dropped them, and a race would measure the disk. */
export function fillPageCache(folder: string): void {
  Bun.spawnSync(["find", folder, "-type", "f", "-exec", "md5sum", "{}", "+"], { stdout: "ignore" })
}

const feedCommand = ({ accounts, items, purchases, seed }: Marketplace) => [
  process.execPath,
  join(import.meta.dir, "generate-feed.ts"),
  ...[accounts, items, purchases, seed].map(String),
]

async function importFeed(
  market: Marketplace,
  settings: Settings,
  { command }: Program,
): Promise<void> {
  // A pipe of the shell, so that the feed does not pass through this process.
  const pipe = `${quoted(feedCommand(market))} | ${quoted([...command, "import", "-"])}`
  const child = Bun.spawn(unpinned(["sh", "-c", pipe]), {
    env: environment(settings),
    stderr: "inherit",
  })
  const summary = JSON.parse((await child.stdout.text()) || "{}")
  const expected = market.accounts + market.items + market.purchases
  if (summary.accepted !== expected) {
    throw new Error(`the import accepted ${summary.accepted} of ${expected} records`)
  }
}

const quoted = (command: readonly string[]) =>
  command.map((word) => `'${word.replaceAll("'", `'''`)}'`).join(" ")

export async function writeFeed(market: Marketplace, path: string): Promise<void> {
  // Otherwise the end of a longer file would remain.
  rmSync(path, { force: true })
  const child = Bun.spawn(unpinned(feedCommand(market)), { stdout: Bun.file(path) })
  if ((await child.exited) !== 0) throw new Error("the feed could not be written")
}
