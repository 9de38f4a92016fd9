/**
 * Commands that are killed and run again. Afterwards the database must equal the database of an undisturbed run, and the
 * current master key alone must decrypt every secret.
 */
import { Database } from "bun:sqlite"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readConfig } from "../../../src/config/config.ts"
import type { Environment } from "../../../src/platform/cli/command.ts"
import { openApp } from "../../../src/server/app.ts"
import { createRandom, randomFeed } from "../feed/random-feed.ts"
import { temporaryFolder } from "../program.ts"
import { createStore, killTree, readPazar, runPazar, spawnPazar } from "../run-pazar.ts"
import type { StoreKind } from "../stores/test-stores.ts"
import { digestOf } from "./import-kills.ts"

type KillOptions = Readonly<{ kind: StoreKind; kills: number; seed: number; onKill(): void }>
export type CommandKills = Readonly<{
  midway: number
  problems: readonly string[]
}>

const rows = 20_000
const masterKeys = [7, 8].map((byte) => Buffer.alloc(32, byte).toString("base64"))

export async function killPulls({ kind, kills, seed, onKill }: KillOptions): Promise<CommandKills> {
  const folder = temporaryFolder()
  const shop = new Database(join(folder, "shop.db"))
  shop.run("CREATE TABLE sales (code, item, price)")
  const insert = shop.prepare("INSERT INTO sales VALUES (?, ?, 19.99)")
  shop.transaction(() => {
    for (let row = 0; row < rows; row += 1) insert.run(crypto.randomUUID(), 1 + (row % 200))
  })()
  shop.close()
  const common = "'USD' AS currency, '2026-01-01T00:00:00Z'"
  writeFileSync(
    join(folder, "pull.json"),
    JSON.stringify({
      connection: `sqlite:${join(folder, "shop.db")}`,
      accounts: `SELECT 'ada' AS username, 'ada@example.com' AS email, 0 AS balance, ${common} AS registered_at`,
      items: `SELECT DISTINCT item AS id, 'ada' AS author, 'Item' AS name, 'Plugins' AS category, 19 AS "price.regular", 199 AS "price.extended", ${common} AS published_at FROM sales`,
      purchases: `SELECT code AS purchase_code, item AS item_id, 'Regular' AS license_type, price, 0 AS downloaded, ${common} AS date FROM sales ORDER BY rowid`,
    }),
  )
  const sealing = { PAZAR_MASTER_KEY: masterKeys[0] ?? "" }
  const create = async () => {
    rmSync(join(folder, "data"), { recursive: true, force: true })
    const env = { ...(await kind.createEnvironment()), ...sealing }
    await createStore(folder, env)
    return { env, after: env }
  }
  const options = { folder, kills, seed, onKill, args: ["pull", join(folder, "pull.json")] }
  return killCommands({ ...options, next: create }).finally(() =>
    rmSync(folder, { recursive: true }),
  )
}

export async function killRotations(options: KillOptions): Promise<CommandKills> {
  const { kind, kills, seed, onKill } = options
  const folder = temporaryFolder()
  const store = await kind.createEnvironment()
  const env = (turn: number) => ({ ...store, PAZAR_MASTER_KEY: masterKeys[turn % 2] ?? "" })
  await createStore(folder, env(0))
  const keys = Array.from({ length: 2_000 }, (_, at) =>
    JSON.stringify({
      type: "account",
      username: `a${at}`,
      email: `a${at}@example.com`,
      api_key: `an imported key ${at}`,
    }),
  )
  const input = `${keys.join("\n")}\n${[...randomFeed(1_000, createRandom(seed))].join("")}`
  await readPazar(folder, ["import", "-"], { env: env(0), input })
  await readPazar(folder, ["webhook", "create", "a1", "--url", "https://hooks.example.com/"], {
    env: env(0),
  })
  let turn = 0
  const next = async () => {
    turn += 1
    const after = env(turn)
    return { env: { ...after, PAZAR_MASTER_KEY_PREVIOUS: env(turn - 1).PAZAR_MASTER_KEY }, after }
  }
  const args = ["master-key", "reseal"]
  return killCommands({ folder, kills, seed, onKill, args, next }).finally(() =>
    rmSync(folder, { recursive: true }),
  )
}

type Commands = Omit<KillOptions, "kind"> &
  Readonly<{
    folder: string
    args: readonly string[]
    /** Prepares the next run: the settings of the command, and the settings that must suffice afterwards. */
    next(): Promise<Readonly<{ env: Environment; after: Environment }>>
  }>

async function killCommands({ folder, args, kills, seed, onKill, next }: Commands) {
  const random = createRandom(seed)
  const first = await next()
  const startedAt = performance.now()
  const problems = await findProblems(folder, args, first.env)
  const wholeMs = performance.now() - startedAt
  const expected = await readStore(folder, first.after)
  let midway = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const { env, after } = await next()
    const running = await spawnPazar(folder, args, env)
    const ended = await Promise.race([
      running.ended,
      Bun.sleep(random() * wholeMs * 1.1).then(() => null),
    ])
    await killTree(running)
    if (ended === null) midway += 1
    problems.push(...(await findProblems(folder, args, env)))
    problems.push(...(await findProblems(folder, ["doctor"], after)))
    if ((await readStore(folder, after)) !== expected) problems.push(`kill ${kill}: other content`)
    onKill()
  }
  return { midway, problems }
}

async function findProblems(folder: string, args: readonly string[], env: Environment) {
  const { status, stdout, stderr } = await runPazar(folder, args, { env })
  return status === 0 ? [] : [`${args[0]} exits with ${status}: ${stderr}${stdout.slice(0, 500)}`]
}

async function readStore(folder: string, env: Environment): Promise<string> {
  const app = await openApp(
    readConfig({ DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}`, ...env }),
  )
  return digestOf(app).finally(() => app.close())
}
