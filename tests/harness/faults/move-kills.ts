/**
 * Moves a database back and forth with the real command, which is killed and run again. After a kill the old database
 * must be usable, and gets a sale, or the new one complete. At the end of each turn the new one must have every record
 * exactly once.
 */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commandLine } from "../../../src/access/actor.ts"
import { requireAccount } from "../../../src/accounts/account-operations.ts"
import { readConfig } from "../../../src/config/config.ts"
import { exportFeed } from "../../../src/feed/feed-operations.ts"
import { issueKey } from "../../../src/keys/key-operations.ts"
import type { Environment } from "../../../src/platform/cli/command.ts"
import { MigrationNeeded } from "../../../src/platform/database/schema-versions.ts"
import { StoreUnavailable } from "../../../src/platform/error.ts"
import { type App, migrateApp, openApp } from "../../../src/server/app.ts"
import { MasterKeyError } from "../../../src/store/master-key.ts"
import { createRandom, randomFeed } from "../feed/random-feed.ts"
import { temporaryFolder } from "../program.ts"
import { killTree, runPazar, spawnPazar } from "../run-pazar.ts"
import { sharePostgres } from "../stores/postgres-server.ts"
import { purchaseRecord, put } from "../stores/store-records.ts"

export type MoveKill = Readonly<{ isMidway: boolean; problem: string | null }>

type Kills = Readonly<{
  kind: "sqlite" | "postgres"
  kills: number
  lines: number
  seed: number
  onKill(): void
}>

export async function killMoves(options: Kills): Promise<readonly MoveKill[]> {
  const folder = temporaryFolder()
  const random = createRandom(options.seed)
  const keyFile = join(folder, "master-key")
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString("base64"), { mode: 0o600 })
  const createPostgres = async () => (await sharePostgres()).createDatabase()
  const settingsOf = (url: string) => ({ PAZAR_MASTER_KEY_FILE: keyFile, DATABASE_URL: url })
  let env = settingsOf(
    options.kind === "sqlite" ? `sqlite:${join(folder, "0.db")}` : await createPostgres(),
  )
  const all: MoveKill[] = []
  try {
    const secret = await fill(env, folder, [...randomFeed(options.lines, random)].join(""))
    let before = await withApp(env, (app) => readAll(app, secret))
    let wholeMs = 3_000
    for (let turn = 1; turn <= options.kills; turn += 1) {
      const target = settingsOf(
        env.DATABASE_URL.startsWith("sqlite")
          ? await createPostgres()
          : `sqlite:${join(folder, `${turn}.db`)}`,
      )
      const args = ["move", "--to", target.DATABASE_URL]
      const delayMs = random() * wholeMs * 1.1
      const running = await spawnPazar(folder, args, env)
      const ended = await Promise.race([running.ended, Bun.sleep(delayMs).then(() => null)])
      await killTree(running)
      // Killed between its two commits, the command has left two equal databases.
      const sold = (await isUsable(target)) ? [] : [`sold-${turn}`]
      for (const code of sold)
        await withApp(env, ({ store }) => put(store, purchaseRecord(code, 1)))
      const isMoved = !(await isUsable(env))
      const startedAt = performance.now()
      const again = await runPazar(folder, args, { env })
      if (ended === null) wholeMs = performance.now() - startedAt
      const isComplete = again.status === (isMoved ? 2 : 0)
      const after = isComplete ? await withApp(target, (app) => readAll(app, secret)) : null
      const problem = after === null ? again.stderr : describeProblem(before, after, sold)
      all.push({ isMidway: ended === null, problem })
      options.onKill()
      if (after === null) break
      before = after
      env = target
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

/** Returns false for a missing or empty database, and for one that was moved. */
const isUsable = (env: Environment) =>
  withApp(env, async () => true).catch((error) => {
    const isExpected = [MasterKeyError, MigrationNeeded, StoreUnavailable]
    if (isExpected.some((kind) => error instanceof kind)) return false
    throw error
  })

/** Every line of an export, and the secrets that the master key decrypts. */
async function readAll({ store, keyCipher }: App, secret: string): Promise<readonly string[]> {
  let text = ""
  await exportFeed(store.feed, async (lines) => {
    text += lines
  })
  const key = await store.keys.findByLookup(...keyCipher.lookups(secret))
  const found = key && (await store.keys.find(key.id))
  const opened = found === null ? [] : [`key ${keyCipher.decrypt(found.encrypted, found)}`]
  const signing = (await store.signingKeys.list()).map(({ id }) => `signing key ${id}`)
  return [...text.split("\n"), ...opened, ...signing]
}

/** Returns null if the new database has the data of the old one, and its sale after the kill. */
function describeProblem(
  before: readonly string[],
  after: readonly string[],
  sold: readonly string[],
): string | null {
  const existing = new Set(before)
  const found = new Set(after)
  const lost = before.filter((line) => !found.has(line)).length
  const doubled = after.length - found.size - (before.length - existing.size)
  const added = after.filter((line) => !existing.has(line))
  const isSold =
    added.length === sold.length && sold.every((code) => added.some((line) => line.includes(code)))
  return lost === 0 && doubled === 0 && isSold
    ? null
    : `${lost} lost, ${doubled} doubled, ${added.length} added and ${sold.length} sold`
}
