/** Composition of a server: what a command has, and the listeners. */
import { version } from "../../package.json"
import type { Config } from "../config/config.ts"
import { pollImportMetrics } from "../counters/import-metrics.ts"
import type { Metrics } from "../counters/metrics.ts"
import { renderMetrics } from "../counters/render-metrics.ts"
import { openUsageCounter, type UsageCounter } from "../counters/usage-counter.ts"
import { readDiskSpace } from "../doctor/disk-space.ts"
import { createTestCatalog } from "../domain/catalog/test-catalog.ts"
import type { InFlight, RateLimits } from "../domain/limits/request-limits.ts"
import { isWritable } from "../domain/usage/write-times.ts"
import { every } from "../domain/values/time/timers.ts"
import { openRequestCounts } from "../http/api/request-log.ts"
import type { ApiServices } from "../http/api/response/endpoint.ts"
import { createResponseCache } from "../http/api/response/response-cache.ts"
import type { OperatorServices } from "../http/listener/operator-routes.ts"
import { type Listener, openServer } from "../http/listener/server.ts"
import type { Pages } from "../http/pages/app/page-app.ts"
import { createInFlight } from "../limits/in-flight.ts"
import { createRateLimits } from "../limits/rate-limits.ts"
import type { Log } from "../log/log.ts"
import { createSiteSlots } from "../operations/catalog/site-operations.ts"
import { createKeyCipher, createSigningKeyCipher } from "../secrets/ciphers.ts"
import { createKeyCache, type KeyCache } from "../secrets/keys/key-cache.ts"
import { createTokenHolders, tokens } from "../secrets/sign-in/tokens.ts"
import { createSigning, createSigningKeyCache, type Signing } from "../signing/response-signing.ts"
import { type App, createApp, openStoreFor } from "./app.ts"
import type { BackgroundTask } from "./background-task.ts"
import { openDailyBackups } from "./daily-backups.ts"
import { openHousekeeping } from "./housekeeping.ts"
import { openWebhooks } from "./server-webhooks.ts"

export type ServerApp = App &
  Readonly<{
    listen(log: Log, options: ListenOptions): ThreadListener
    /** One thread of each program runs it. Notes in the store that this program listens at `url`. */
    openHousekeeping(log: Log, url: string, metrics: Metrics): BackgroundTask
  }>

export type ThreadListener = Listener &
  Readonly<{
    /** The metrics of this thread, as of now. */
    readMetrics(): Metrics
  }>

export type ListenOptions = Readonly<{
  /** One listener of a process watches the store and logs when it can no longer be used. */
  watchesStore: boolean
  /** The metrics of this thread. */
  metrics: Metrics
  /** Returns the metrics of every thread. Never throws. */
  readThreads(): Promise<readonly Metrics[]>
  /** Only a test passes its own. */
  inFlight?: InFlight
  /** Monotonic: that of the machine, except in a test. */
  nowMs?(): number
}>

type Base = Readonly<{ config: Config; app: App; signing: Signing; knownKeys: KeyCache }>

/** Throws MigrationNeeded where there is no store, or an older one. Only a test passes another clock. */
export const openServerApp = (config: Config, now = () => new Date()): Promise<ServerApp> =>
  openStoreFor("serve", config, async (store, masterKeys) => {
    const nowMs = () => performance.now()
    const cipher = createSigningKeyCipher(masterKeys)
    const known = createSigningKeyCache({ signingKeys: store.signingKeys, cipher, nowMs })
    await known.read()
    const { receiptDays, threads } = config
    const signing = createSigning(known, { now, receiptDays })
    const knownKeys = createKeyCache({
      keys: store.keys,
      keyCipher: createKeyCipher(masterKeys),
      nowMs,
    })
    const keys = { ...store.keys, ...knownKeys.changes }
    const app = createApp(config, { ...store, keys }, masterKeys, now)
    return {
      ...app,
      listen: (log, options) => listen({ config, app, signing, knownKeys }, log, options),
      openHousekeeping(log, url, metrics) {
        const webhooks = openWebhooks({ app, metrics, log })
        return openHousekeeping(app, log, { url, threads }, [
          webhooks,
          ...openBackupsOf(config, app, log),
        ])
      },
    }
  })

function listen(base: Base, log: Log, options: ListenOptions): ThreadListener {
  const { config, app, signing } = base
  const { store } = app
  const { metrics, watchesStore } = options
  const { inFlight = createInFlight(), nowMs = () => performance.now() } = options
  const onFault = (fault: unknown) => log.failure("failed to write usage", fault)
  const counter = openUsageCounter({
    counts: store.counts,
    metrics,
    now: app.now,
    every,
    onFault,
  })
  const limits = createRateLimits(config.failedValidationsMax, nowMs)
  const isScraped = watchesStore && config.metricsToken !== null
  const stopWatching = isScraped ? watchImportsOf(base, log, metrics) : () => {}
  const closeRequestCounts = openRequestCounts(log, metrics, every)
  const isStoreWritable = () => isWritable(store.writeTimes(), Date.now())
  let pages: Promise<Pages> | null = null
  const listener = openServer({
    settings: config,
    version,
    api: createApi(base, { limits, inFlight }, counter),
    readKeySet: signing.readKeySet,
    operator: createOperatorServices(base, limits, options, nowMs),
    // Loaded by the first visit: pages are two fifths of the program, and no validation needs them.
    findPages() {
      pages ??= import("./server-pages.ts").then(({ createPages }) =>
        createPages(config, app, listener.url, log, metrics, isStoreWritable),
      )
      return pages
    },
    metrics,
    count: counter.count,
    inFlight,
    store: { ping: store.probe, isWritable: isStoreWritable, isPolled: watchesStore },
    log,
  })
  return {
    ...listener,
    readMetrics() {
      metrics.inFlight = inFlight.count()
      if (watchesStore) metrics.server.storeWritable = isStoreWritable() ? 1 : 0
      return metrics
    },
    async close() {
      await listener.close()
      stopWatching()
      closeRequestCounts()
      await counter.close()
    },
  }
}

/** None unless the settings ask for them. */
function openBackupsOf(
  { store, backupFolder: folder }: Config,
  { store: { metadata }, now }: App,
  log: Log,
): readonly BackgroundTask[] {
  if (folder === null || store.kind !== "sqlite") return []
  return [openDailyBackups({ path: store.path, folder, metadata, now, every, log })]
}

function createApi(
  { config, app, signing, knownKeys }: Base,
  { limits, inFlight }: Readonly<{ limits: RateLimits; inFlight: InFlight }>,
  { flush: writeSites }: Pick<UsageCounter, "flush">,
): ApiServices {
  const { store, now } = app
  return {
    catalog: {
      accounts: store.accounts,
      items: store.items,
      purchases: store.purchases,
      sites: createSiteSlots({ sites: store.sites, writeSites, now }),
    },
    testCatalog: createTestCatalog(store.metadata, now),
    now,
    limits,
    inFlight,
    findCachedKey: knownKeys.findCached,
    findStaleKey: knownKeys.findStale,
    lookUpKey: knownKeys.lookUp,
    siteLocale: config.siteLocale,
    cache: createResponseCache(),
    prepareSigning: signing.prepareSigning,
  }
}

/** The paths with tokens: feed, sign-in links and metrics. */
function createOperatorServices(
  { config: { operatorToken, metricsToken: token }, app }: Base,
  limits: RateLimits,
  { readThreads }: Pick<ListenOptions, "readThreads">,
  nowMs: () => number,
): OperatorServices {
  const { store, feedSecrets: secrets, now } = app
  const { audit, feed, accounts, signInLinks, operatorTokens } = store
  return {
    findHolder: createTokenHolders({ operatorTokens, operatorToken, now, nowMs }),
    limits,
    feed: { feed, audit, now, secrets },
    links: { accounts, signInLinks, audit, tokens, now },
    metrics:
      token === null
        ? null
        : { token, render: async () => renderMetrics(await readThreads(), version) },
  }
}

/** Records what commands did in processes of their own. */
const watchImportsOf = (
  { config, app: { store, now } }: Base,
  log: Log,
  metrics: Metrics,
): (() => void) =>
  pollImportMetrics({
    feed: store.feed,
    pulls: store.pulls,
    metadata: store.metadata,
    metrics,
    every,
    now,
    readDiskFree: () => readDiskSpace(config)?.freeBytes ?? null,
    onFault: (fault) => log.failure("failed to read import runs", fault),
  })
