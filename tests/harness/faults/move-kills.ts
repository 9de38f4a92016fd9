/**
 * Moves a store to and fro with the real command, killed at some moment and run again. Between the two the old store takes a sale, unless it was closed already; afterwards nothing may be missing.
 */
import { createHash } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readConfig } from "../../../src/config/config.ts"
import type { Environment } from "../../../src/config/settings.ts"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { StoreMoved } from "../../../src/domain/store.ts"
import { exportFeed } from "../../../src/feed/export-feed.ts"
import { requireAccount } from "../../../src/operations/catalogue/accounts.ts"
import { issueKey } from "../../../src/operations/keys/issue-key.ts"
import { type App, migrateApp, openApp } from "../../../src/server/app.ts"
import { purchaseRecord, put } from "../../contracts/store-records.ts"
import { killTree, runPazar, spawnPazar } from "../command.ts"
import { createRandom, randomFeed } from "../feed/random-feed.ts"
import { temporaryFolder } from "../program.ts"
import { sharePostgres } from "../stores/postgres.ts"

export type Struck = Readonly<{
  delayMs: number
  /** Whether the command was still running. */
  isMidway: boolean
  /** Whether the old store was closed when the command was killed. */
  isClosed: boolean
  problem: string | null
}>

type Kills = Readonly<{
  /** The first store. */
  kind: "sqlite" | "postgres"
  kills: number
  lines: number
  seed: number
  onKill(struck: Struck): void
}>

export async function killMoves(options: Kills): Promise<readonly Struck[]> {
  const folder = temporaryFolder()
  const random = createRandom(options.seed)
  const keyFile = join(folder, "master-key")
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString("base64"), { mode: 0o600 })
  const shared = { PAZAR_MASTER_KEY_FILE: keyFile }
  const first =
    options.kind === "sqlite"
      ? `sqlite:${join(folder, "0.db")}`
      : await (await sharePostgres()).createDatabase()
  let env: Environment = { ...shared, DATABASE_URL: first }
  const all: Struck[] = []
  try {
    const secret = await fill(env, folder, [...randomFeed(options.lines, random)].join(""))
    let wholeMs = 3_000
    for (let turn = 1; turn <= options.kills; turn += 1) {
      const target =
        env.DATABASE_URL?.startsWith("sqlite") === true
          ? await (await sharePostgres()).createDatabase()
          : `sqlite:${join(folder, `${turn}.db`)}`
      const args = ["move", "--to", target]
      const before = await withApp(env, (app) => digestOf(app, secret))
      const delayMs = random() * wholeMs * 1.1
      const running = await spawnPazar(folder, args, env)
      const ended = await Promise.race([running.ended, Bun.sleep(delayMs).then(() => null)])
      await killTree(running)
      const isClosed = await sell(env, turn)
      const struck = { delayMs, isMidway: ended === null, isClosed }
      const startedAt = performance.now()
      const again = ended?.status === 0 ? ended : await runPazar(folder, args, { env })
      if (ended === null) wholeMs = performance.now() - startedAt
      const next = { ...shared, DATABASE_URL: target }
      const problem =
        again.status === 0
          ? await compare(next, secret, before, isClosed ? null : turn)
          : again.stderr
      const noted = { ...struck, problem }
      all.push(noted)
      options.onKill(noted)
      if (again.status !== 0) break
      env = next
    }
    return all
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function fill(env: Environment, folder: string, feed: string): Promise<string> {
  await migrateApp(readConfig(env), () => {})
  const { status } = await runPazar(folder, ["import", "-"], { env, input: feed })
  if (status === 2) throw new Error("the feed could not be imported")
  return withApp(env, async (app) => {
    const account = await requireAccount(app.store.accounts, "author-1")
    const options = { kind: "sk", name: "", itemIds: null, expiresAt: null } as const
    return (await issueKey(app.keyServices(commandLine), account, options)).secret
  })
}

async function withApp<T>(env: Environment, use: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(readConfig(env))
  try {
    return await use(app)
  } finally {
    await app.close()
  }
}

const codeOf = (turn: number) => `sold-after-kill-${turn}`

/** True for a store that was closed: then only the new one takes the sale. */
async function sell(env: Environment, turn: number): Promise<boolean> {
  try {
    await withApp(env, ({ store }) => put(store, purchaseRecord(codeOf(turn), 1)))
    return false
  } catch (error) {
    if (error instanceof StoreMoved) return true
    throw error
  }
}

/** Everything that an export has but for the sales of this test, and whether the key still works and opens. */
async function digestOf({ store, vault }: App, secret: string): Promise<string> {
  const hash = createHash("sha256")
  await exportFeed(store.feed, async (lines) => {
    for (const line of lines.split("\n")) if (!line.includes("sold-after-kill")) hash.update(line)
  })
  for (const lookup of vault.lookups(secret)) {
    const found = await store.keys.findByLookup(lookup)
    const key = found && (await store.keys.find(found.id))
    if (key !== null) hash.update(vault.unseal(key.sealed, key))
  }
  const signing = await store.signingKeys.list()
  hash.update(signing.map(({ id }) => id).join())
  return hash.digest("hex")
}

/** Null if all is as before, with the sale of this turn. */
const compare = (env: Environment, secret: string, before: string, sold: number | null) =>
  withApp(env, async (app) => {
    if ((await digestOf(app, secret)) !== before) return "something differs"
    if (sold === null) return null
    const { id } = await requireAccount(app.store.accounts, "author-1")
    const authors = [id, ...(await app.store.accounts.list("", 100)).map((each) => each.id)]
    for (const author of authors) {
      if ((await app.store.purchases.listByCode(author, codeOf(sold))).length > 0) return null
    }
    return "the sale is missing"
  })
