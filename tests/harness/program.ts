/** The whole program on its own database, in a temporary folder. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { type Config, readConfig } from "../../src/config/config.ts"
import type { IssuedKind } from "../../src/contract/operation.ts"
import { exportFeed, type FeedImport, importFeed } from "../../src/feed/feed-operations.ts"
import type { FeedOrigin } from "../../src/feed/import-run.ts"
import { asOfWrite } from "../../src/feed/parse-line.ts"
import type { RejectedLine } from "../../src/feed/rejections.ts"
import { type IssuedKey, issueKey } from "../../src/keys/key-operations.ts"
import { createPasswordHasher, type PasswordHasher } from "../../src/people/password.ts"
import type { Environment } from "../../src/platform/cli/command.ts"
import { createInFlight } from "../../src/platform/http/in-flight.ts"
import { createLog } from "../../src/platform/log.ts"
import type { Problem } from "../../src/platform/problem.ts"
import type { BackgroundTask } from "../../src/platform/timers.ts"
import { type App, migrateApp } from "../../src/server/app.ts"
import { openServerApp, type ThreadListener } from "../../src/server/compose.ts"
import { createMetrics } from "../../src/usage/metrics.ts"
import { type Line, toFeed } from "./records.ts"
import { writeEmptySqlite } from "./stores/create-stores.ts"
import { withoutLimits } from "./stores/store-records.ts"
import { migratedStoreOf } from "./stores/test-stores.ts"

export type Program = Readonly<{
  app: App
  url: string
  folder: string
  hasher: PasswordHasher
  logged(): string
  load(
    lines: readonly Line[] | string | Uint8Array,
    mode?: LoadMode,
    origin?: FeedOrigin,
  ): Promise<Loaded>
  dump(): Promise<string>
  issue(
    username: string,
    kind?: IssuedKind,
    itemIds?: readonly number[] | null,
    isSiteRequired?: boolean,
  ): Promise<IssuedKey>
  /** Starts the background work of a server thread, such as sending webhooks. It ends with the program. */
  startHousekeeping(): void
  close(): Promise<void>
}>

export type LoadMode = FeedImport["mode"]

export type Loaded = Readonly<{
  accepted: number
  rejected: number
  rejectedLines: readonly (Pick<Problem, "field" | "code"> & { line: number })[]
  rejectedText: string
}>

/** Hashing takes a thousandth of the time; few tests are about the cost. */
export const lowestCost = { memoryCost: 8, timeCost: 1 }

export const temporaryFolder = () => mkdtempSync(join(tmpdir(), "pazar-test-"))

export async function startProgram(
  env: Environment = {},
  changes: Partial<
    Pick<Config, "idleSeconds" | "passwordCost" | "pictures" | "webhookReceiver">
  > & {
    nowMs?: () => number
  } = {},
  inFlight = createInFlight(),
  now: () => Date = () => new Date(),
): Promise<Program> {
  const folder = temporaryFolder()
  const file = join(folder, "data/pazar.db")
  const store = env.DATABASE_URL === undefined ? await migratedStoreOf(folder) : null
  if (env.DATABASE_URL === undefined && store === null) await writeEmptySqlite(file)
  const settings = readConfig({
    PORT: "0",
    // Tests send requests faster than any client.
    PAZAR_RATE_LIMIT: "off",
    PAZAR_THREADS: "1",
    DATABASE_URL: `sqlite:${file}`,
    ...store,
    ...env,
  })
  const config = { ...settings, passwordCost: lowestCost, ...changes }
  await migrateApp(config, () => {})
  const app = await openServerApp(config, now)
  let log = ""
  const logger = createLog(config.logLevel, (text) => {
    log += text
  })
  const metrics = createMetrics()
  let housekeeping: BackgroundTask | null = null
  const listener: ThreadListener = app.listen(logger, {
    metrics,
    readThreads: async () => [listener.readMetrics()],
    watchesStore: config.metricsToken !== null,
    inFlight,
    nowMs: changes.nowMs ?? (() => performance.now()),
  })
  return {
    app,
    url: listener.url,
    folder,
    hasher: createPasswordHasher(config.passwordCost),
    logged() {
      logger.flush()
      return log
    },
    load: (lines, mode = "batches", origin = { source: "test", via: "file" }) =>
      load(app, lines, mode, origin),
    dump: () => gather((write) => exportFeed(app.store.feed, write)),
    async issue(username, kind = "sk", itemIds = null, isSiteRequired = false) {
      const account = await requireAccount(app.store.accounts, username)
      const options = { kind, name: "Test", itemIds, isSiteRequired, expiresAt: null }
      return issueKey(app.keyServices(commandLine), account, options)
    },
    startHousekeeping() {
      housekeeping ??= app.openHousekeeping(logger, listener.url, metrics)
    },
    async close() {
      await listener.close()
      await housekeeping?.close()
      await app.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function gather(
  run: (write: (text: string) => Promise<void>) => Promise<unknown>,
): Promise<string> {
  let all = ""
  await run(async (text) => {
    all += text
  })
  return all
}

async function load(
  app: App,
  lines: readonly Line[] | string | Uint8Array,
  mode: LoadMode,
  origin: FeedOrigin,
): Promise<Loaded> {
  const rejectedLines: Loaded["rejectedLines"][number][] = []
  let rejectedText = ""
  const text = typeof lines === "string" || lines instanceof Uint8Array ? lines : toFeed(lines)
  async function* readBytes() {
    yield typeof text === "string" ? new TextEncoder().encode(text) : text
  }
  const options = {
    feed: app.store.feed,
    prepareKey: app.prepareKey,
    ...origin,
    chooseAsOf: asOfWrite,
    fullSync: null,
    limits: withoutLimits,
    batchRecords: 1_000,
    now: app.now,
    onRejected({ line, problems: [{ field, code }] }: RejectedLine, bytes: Uint8Array | null) {
      rejectedLines.push({ line, field, code })
      rejectedText += `${new TextDecoder().decode(bytes ?? undefined)}\n`
    },
    onDefaulted: () => {},
    onProgress: () => {},
  }
  const { counts } = await importFeed({ ...options, mode, readBytes })
  const { accepted, rejected } = counts
  return { accepted, rejected, rejectedLines, rejectedText }
}
