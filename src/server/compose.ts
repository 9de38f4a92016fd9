/** Composition of a server: the app of commands, listeners and background tasks. */
import { version } from "../../package.json"
import { createTokenHolders, tokens } from "../access/token.ts"
import type { ApiServices } from "../api/endpoint.ts"
import { openRequestCounts } from "../api/request-log.ts"
import type { Config } from "../config/config.ts"
import { readDiskSpace } from "../doctor/check-machine.ts"
import { createDoctorPasses } from "../doctor/doctor-pass.ts"
import { createKeyCache, type KeyCache } from "../keys/authenticate-operations.ts"
import { createKeyCipher } from "../keys/key.ts"
import { createRateLimits, type RateLimits } from "../keys/rate-limits.ts"
import type { Pages } from "../people/page-app.tsx"
import type { WriteTimes } from "../platform/database/sql.ts"
import { createInFlight, type InFlight } from "../platform/http/in-flight.ts"
import type { Log } from "../platform/log.ts"
import { every } from "../platform/timers.ts"
import { createDownloadLinks } from "../purchases/purchase.ts"
import { createReleaserIds } from "../purchases/site.ts"
import { createSiteSlots } from "../purchases/site-operations.ts"
import { type Catalog, createTestCatalog } from "../purchases/test-catalog.ts"
import {
  cacheSigningKeys,
  createSigning,
  createSigningKeyCipher,
  type Signing,
} from "../signing/signing-key.ts"
import { type Metrics, renderMetrics } from "../usage/metrics.ts"
import { openUsageCounter, type UsageCounter } from "../usage/usage-counter.ts"
import { type App, createApp, openStoreFor } from "./app.ts"
import { openHousekeeping } from "./housekeeping.ts"
import { pollImportMetrics } from "./import-metrics.ts"
import { openServer } from "./listener.ts"
import type { OperatorServices } from "./operator-routes.ts"

export type ServerApp = Awaited<ReturnType<typeof openServerApp>>
export type ThreadListener = ReturnType<typeof listen>

type ListenOptions = Readonly<{
  /** True on one thread of each process, which logs when the database becomes unavailable. */
  watchesStore: boolean
  metrics: Metrics
  /** Returns the metrics of every thread. Never throws. */
  readThreads(): Promise<readonly Metrics[]>
  /** Only tests set it. */
  inFlight?: InFlight
  /** A monotonic clock. Only tests set it. */
  nowMs?(): number
}>

type Base = Readonly<{ config: Config; app: App; signing: Signing; keyCache: KeyCache }>

/** Throws MigrationNeeded if the database does not exist or is older. Only tests set `now`. */
export const openServerApp = (config: Config, now = () => new Date()) =>
  openStoreFor("serve", config, async (store, masterKeys) => {
    const nowMs = () => performance.now()
    const cipher = createSigningKeyCipher(masterKeys)
    const { signingKeys } = store
    const readSigningKeys = cacheSigningKeys({ signingKeys, cipher, nowMs })
    await readSigningKeys()
    const signing = createSigning(readSigningKeys, { now, receiptDays: config.receiptDays })
    const keyCipher = createKeyCipher(masterKeys)
    const keyCache = createKeyCache({ keys: store.keys, keyCipher, nowMs })
    const keys = { ...store.keys, ...keyCache.changes }
    const app = createApp(config, { ...store, keys }, masterKeys, now)
    return {
      ...app,
      listen: (log: Log, options: ListenOptions) =>
        listen({ config, app, signing, keyCache }, log, options),
      openHousekeeping: (log: Log, url: string, metrics: Metrics) =>
        openHousekeeping({ config, app, url, metrics, log }),
    }
  })

function listen(base: Base, log: Log, options: ListenOptions) {
  const { config, app, signing } = base
  const { store, now } = app
  const { metrics, watchesStore } = options
  const { inFlight = createInFlight(), nowMs = () => performance.now() } = options
  const onFault = (fault: unknown) => log.failure("failed to write usage", fault)
  const counter = openUsageCounter({ counts: store.counts, metrics, now, every, onFault })
  const limits = createRateLimits(config.failedValidationsMax, config.threads, nowMs)
  const api = createApi(base, { limits, inFlight }, counter)
  const isScraped = watchesStore && config.metricsToken !== null
  const stopPolling = isScraped
    ? pollImportMetrics({
        ...store,
        metrics,
        every,
        now,
        readDiskFree: () => readDiskSpace(config)?.freeBytes ?? null,
        onFault: (fault) => log.failure("failed to read import runs", fault),
      })
    : () => {}
  const closeRequestCounts = openRequestCounts(log, metrics, every)
  const isStoreWritable = () => isWritable(store.writeTimes())
  const doctorPasses = createDoctorPasses(app.masterKeys)
  let pages: Promise<Pages> | null = null
  const listener = openServer({
    settings: config,
    version,
    api,
    downloadLinks: createDownloadLinks(app.masterKeys, config.downloadSecret),
    readSigningKeys: signing.readKeys,
    operator: createOperatorServices(base, limits, options, nowMs),
    isDoctorPass: (pass) => doctorPasses.isValid(pass, Date.now()),
    // Loaded on the first visit: pages are a large part of the program, and validations do not need them.
    findPages() {
      pages ??= import("./compose-pages.ts").then(({ createPages }) =>
        createPages(config, app, {
          url: listener.url,
          log,
          signIns: metrics.signIns,
          isWritable: isStoreWritable,
          readThreads: options.readThreads,
          buyers: { slots: api.data.sites, limits },
        }),
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
      stopPolling()
      closeRequestCounts()
      await counter.close()
    },
  }
}

/** Longer than the minute between two heartbeats, which are writes too. */
const failureHeldMs = 90_000

/** Returns false until a later write succeeded and none failed for a while: on a full disk a small write can fit. */
function isWritable({ succeededAtMs, failedAtMs }: Readonly<WriteTimes>): boolean {
  if (failedAtMs === 0) return true
  return succeededAtMs > failedAtMs && performance.now() - failedAtMs >= failureHeldMs
}

function createApi(
  { config, app, signing, keyCache }: Base,
  { limits, inFlight }: Readonly<{ limits: RateLimits; inFlight: InFlight }>,
  { flush: writeSites }: Pick<UsageCounter, "flush">,
): ApiServices<Catalog> {
  const { store, now } = app
  const releaserOf = createReleaserIds(app.masterKeys)
  return {
    data: {
      accounts: store.accounts,
      items: store.items,
      purchases: store.purchases,
      sales: store.sales,
      sites: createSiteSlots({ sites: store.sites, limits, releaserOf, writeSites, now }),
      now,
    },
    testData: createTestCatalog(store.metadata, now),
    now,
    limits,
    inFlight,
    keyCache,
    siteLocale: config.siteLocale,
    prepareSigning: signing.prepareSigning,
  }
}

/** The paths that require a token: feed, sign-in links, purchases and metrics. */
function createOperatorServices(
  { config: { operatorToken, metricsToken: token }, app }: Base,
  limits: RateLimits,
  { readThreads }: Pick<ListenOptions, "readThreads">,
  nowMs: () => number,
): OperatorServices {
  const { store, prepareKey, now } = app
  const { audit, feed, accounts, signInLinks, operatorTokens, sales, sites } = store
  return {
    findHolder: createTokenHolders({ operatorTokens, operatorToken, now, nowMs }),
    limits,
    feed: { feed, audit, now, prepareKey },
    links: { accounts, signInLinks, audit, tokens, now },
    purchases: { sales, sites, now },
    metrics:
      token === null
        ? null
        : { token, render: async () => renderMetrics(await readThreads(), version) },
  }
}
