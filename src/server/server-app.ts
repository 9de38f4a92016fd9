/** Composition of a server: what a command has, and the listeners. */
import { hostname } from "node:os"
import { version } from "../../package.json"
import type { Config } from "../config/config.ts"
import { readDisk } from "../doctor/check-machine.ts"
import { sampleWorld } from "../domain/catalogue/sample-world.ts"
import type { PrepareSigning } from "../domain/keys/signed-answer.ts"
import type { Admission } from "../domain/running/admission.ts"
import type { StoreMeasures } from "../domain/usage/measures.ts"
import { every } from "../domain/values/time/every.ts"
import { createWorkQueue, untilNextTurn } from "../domain/values/work-queue.ts"
import { createAdjust } from "../feed/records/adjustment.ts"
import { createCompression } from "../http/api/answer/compression.ts"
import type { ApiServices } from "../http/api/answer/endpoint.ts"
import { createResponseCache, type ResponseCache } from "../http/api/answer/response-cache.ts"
import type { OperatorServices } from "../http/listener/program-routes.ts"
import { type Listener, openServer } from "../http/listener/server.ts"
import type { MetricsServices } from "../http/operator-api/metrics.ts"
import { openRefusalLog } from "../http/request/refusal-log.ts"
import { queueListReads } from "../load-shedding/list-queue.ts"
import { refusedClasses } from "../load-shedding/overload.ts"
import { readMemoryLimit, readUsedBytes } from "../load-shedding/process-memory.ts"
import { watchOverload } from "../load-shedding/watch-overload.ts"
import type { Log } from "../log/log.ts"
import { isStoreWritable, type MetricsMemory, rowOf } from "../metrics/memory.ts"
import { type Metrics, type MetricsOptions, openMetrics } from "../metrics/open-metrics.ts"
import { createRecorder, type Recorder } from "../metrics/recorder.ts"
import { watchImports } from "../metrics/watch-imports.ts"
import { type Exchange, joinNodes } from "../rate-limits/exchange.ts"
import { openRateLimits } from "../rate-limits/rate-limits.ts"
import type { MasterKey } from "../secrets/keys/key-vault.ts"
import { createKnownKeys, type KnownKeys } from "../secrets/keys/known-keys.ts"
import { subKey } from "../secrets/keys/sealing.ts"
import { createSigningKeyVault } from "../secrets/keys/signing-key-vault.ts"
import { createTokenHolders } from "../secrets/sign-in/token-holders.ts"
import { tokens } from "../secrets/sign-in/tokens.ts"
import { createKnownSigningKeys, type KnownSigningKeys } from "../signing/known-signing-keys.ts"
import { createSigning } from "../signing/signing.ts"
import { openCounter } from "../usage/counter.ts"
import { type App, assembleApp, openStoreFor } from "./app.ts"
import { type Housekeeping, openCleaning, openNodeHeartbeat } from "./housekeeping.ts"
import { createPages } from "./pages.ts"

export type ServerApp = App &
  Readonly<{
    listen(log: Log, options: ListenOptions): Listener
    /** One thread of each program runs it. Notes in the store that this program listens at `url`. */
    openHousekeeping(log: Log, url: string): Housekeeping
  }>

type OpenAdmission = (
  thread: Readonly<{
    log: Log
    recorder: Recorder
    measureStore(): StoreMeasures
  }>,
) => Admission & Readonly<{ close(): void }>

export type ListenOptions = Readonly<{
  /** One listener of a process watches the store and logs when it can no longer be used. */
  watchesStore: boolean
  /** The numbers of all threads, and which of them this is. */
  memory: MetricsMemory
  thread: number
  /** Load shedding, except in a test. */
  openAdmission?: OpenAdmission
  /** What is spent of the rate limits is told here. */
  exchange: Exchange
  /** Monotonic. */
  nowMs(): number
}>

const noteWritesEveryMs = 1_000

/** What is published or compared with other machines has the time of the wall clock. */
const wallClock = () => new Date()

/** What all listeners of a process share. */
type Base = Readonly<{
  config: Config
  app: App
  master: MasterKey
  knownSigningKeys: KnownSigningKeys
}>

/**
 * `now` decides how long sessions, links, keys and limits last. Throws MigrationNeeded where there is no
 * store, or an older one.
 */
export const openServerApp = (config: Config, now: () => Date): Promise<ServerApp> =>
  openStoreFor("serve", config, async (store, master) => {
    const vault = createSigningKeyVault(master)
    const { signingKeys, keyChanges } = store
    const knownSigningKeys = createKnownSigningKeys({ signingKeys, keyChanges, vault })
    await knownSigningKeys.read()
    const app = assembleApp(config, store, master, now)
    return {
      ...app,
      listen: (log, options) => listen({ config, app, master, knownSigningKeys }, log, options),
      openHousekeeping: (log, url) => openHousekeepingOf(config, app, log, url),
    }
  })

function listen(base: Base, log: Log, options: ListenOptions): Listener {
  const { config, app, master } = base
  const { store } = app
  const { memory, thread, watchesStore, openAdmission = openLoadShedding } = options
  const row = rowOf(memory, thread)
  const recorder = createRecorder(row)
  const admission = openAdmission({ log, recorder, measureStore: store.measure })
  const counter = openCounter({
    counts: store.counts,
    row,
    recorder,
    now: wallClock,
    every,
    onFault: (fault) => log.failure("usage could not be written", fault),
  })
  const limits = openLimits(base, options, recorder)
  const knownKeys = createKnownKeys({
    keys: store.keys,
    keyChanges: store.keyChanges,
    vault: app.vault,
  })
  const cache = createResponseCache()
  const { prepareSigning, readKeySet } = createSigning(base.knownSigningKeys, {
    now: wallClock,
    receiptDays: config.receiptDays,
  })
  const metrics = openMetricsOf(base, options, {
    keys: knownKeys.counts,
    lists: cache.counts,
  })
  const stops = [
    admission.close,
    metrics?.close,
    metrics !== null && watchesStore ? watchCommands(base, log, recorder) : undefined,
    every(noteWritesEveryMs, () => recorder.noteWrites(store.measure().writes)),
    openRefusalLog(log, row, every),
  ]
  const listener = openServer({
    host: config.host,
    port: config.port,
    threads: config.threads,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    idleSeconds: config.idleSeconds,
    version,
    api: createApi(base, limits, knownKeys, cache, prepareSigning),
    readKeySet,
    operator: createOperatorServices(base, limits, metrics, options.nowMs),
    createPages: (url) =>
      createPages({
        config,
        app,
        master,
        url,
        wallClock,
        log,
        countSignIn: counter.countSignIn,
      }),
    recorder,
    count: counter.count,
    admission,
    store: {
      ask: store.probe,
      isWritable: () => isStoreWritable(memory, Date.now()),
      isWatched: watchesStore,
    },
    log,
  })
  return {
    ...listener,
    async close() {
      await listener.close()
      for (const stop of stops) stop?.()
      await limits.close()
      await counter.close()
    },
  }
}

type Limits = ReturnType<typeof openLimits>

/** The rate limits of this thread; the main thread also tells other nodes. */
function openLimits(
  { config, app, master }: Base,
  { thread, exchange, nowMs }: ListenOptions,
  recorder: Recorder,
) {
  const { nodeMessages } = app.store
  const { calls, badKeys, tokens, close } = openRateLimits({
    policy: config.rateLimit,
    hashKey: subKey(master, "rate limits"),
    exchange,
    nowMs,
    every,
    onRefused: recorder.countRateLimited,
  })
  const leaveNodes =
    thread === 0 && nodeMessages !== null ? joinNodes(exchange, nodeMessages) : async () => {}
  return {
    calls,
    badKeys,
    tokens,
    async close() {
      close()
      await leaveNodes()
    },
  }
}

/** The four operations. */
function createApi(
  { config, app: { store, now } }: Base,
  { calls, badKeys }: Limits,
  knownKeys: KnownKeys,
  cache: ResponseCache,
  prepareSigning: PrepareSigning,
): ApiServices {
  // One page and one piece a turn: SQLite answers without yielding, and compressing needs a core.
  const items = queueListReads(store.items, createWorkQueue(1, untilNextTurn))
  return {
    catalogue: { accounts: store.accounts, items, purchases: store.purchases },
    sampleWorld,
    now,
    calls,
    badKeys,
    findCachedKey: knownKeys.findCached,
    lookUpKey: knownKeys.lookUp,
    siteLocale: config.siteLocale,
    cache,
    compression: createCompression(createWorkQueue(1, untilNextTurn)),
    prepareSigning,
    inOwnTurn: createWorkQueue(1, untilNextTurn),
  }
}

/** The paths with operator tokens: feed, sign-in links and metrics. */
function createOperatorServices(
  { config, app }: Base,
  limits: Limits,
  metrics: MetricsServices | null,
  nowMs: () => number,
): OperatorServices {
  const { store, feedSecrets, feedDefaults, now } = app
  const { audit, feed, accounts, signInLinks, operatorTokens } = store
  const { operatorToken } = config
  return {
    findHolder: createTokenHolders({ operatorTokens, operatorToken, now, nowMs }),
    tokenLimit: limits.tokens,
    feed: { feed, audit, now, secrets: feedSecrets, adjust: createAdjust(feedDefaults, null) },
    links: { accounts, signInLinks, audit, tokens, now },
    metrics,
  }
}

function openMetricsOf(
  { config: { metricsToken: token }, app }: Base,
  { memory, thread }: ListenOptions,
  caches: MetricsOptions["caches"],
): Metrics | null {
  if (token === null) return null
  return openMetrics({
    token,
    memory,
    row: rowOf(memory, thread),
    version,
    every,
    measureStore: app.store.measure,
    caches,
    nowMs: () => performance.now(),
  })
}

/** Notes in the metrics what commands did in processes of their own. */
function watchCommands({ config, app }: Base, log: Log, recorder: Recorder): () => void {
  const { feed, pulls, metadata } = app.store
  return watchImports({
    feed,
    pulls,
    metadata,
    recorder,
    every,
    now: wallClock,
    readDiskFree: () => readDisk(config)?.freeBytes ?? null,
    onFault: (fault) => log.failure("import runs could not be read", fault),
  })
}

/** Refuses requests of a thread that has too much to do, and tells the log and the metrics. */
const openLoadShedding: OpenAdmission = ({ log, recorder, measureStore }) => {
  const memoryLimit = readMemoryLimit()
  let worstLevel = 0
  return watchOverload({
    measureStore,
    readMemoryShare: () => readUsedBytes() / memoryLimit,
    freeMemory: () => Bun.gc(true),
    onChange(shedding) {
      const { level, cause } = shedding
      recorder.noteShedding(level)
      if (level === 0) log.info("overload ended: all requests are served")
      if (cause !== null && level > worstLevel) {
        log.warn("overload: requests are refused", { cause, refused: refusedClasses(shedding) })
      }
      worstLevel = level === 0 ? 0 : Math.max(worstLevel, level)
    },
    onRefused: recorder.countShed,
    nowMs: () => performance.now(),
    every,
  })
}

function openHousekeepingOf(
  { threads }: Config,
  { store, now }: App,
  log: Log,
  url: string,
): Housekeeping {
  const cleaning = openCleaning(
    {
      sessions: store.sessions,
      invitations: store.invitations,
      operatorSignIn: store.operatorSignIn,
      audit: store.audit,
      signInLinks: store.signInLinks,
      signInFailures: store.signInFailures,
      counts: store.counts,
      feed: store.feed,
      now,
    },
    log,
  )
  const heartbeat = openNodeHeartbeat(
    { nodes: store.nodes, now: wallClock, every, log },
    { id: tokens.create(), host: hostname(), url, version, threads },
  )
  return {
    async close() {
      await Promise.all([cleaning.close(), heartbeat.close()])
    },
  }
}
