/** Composition of a server: what a command has, and the listeners. */
import { hostname } from "node:os"
import { version } from "../../package.json"
import type { Config } from "../config/config.ts"
import { readDisk } from "../doctor/check-machine.ts"
import { sampleWorld } from "../domain/catalogue/sample-world.ts"
import { every } from "../domain/values/time/every.ts"
import { createWorkQueue, untilNextTurn } from "../domain/values/work-queue.ts"
import { createAdjust } from "../feed/records/adjustment.ts"
import { createCompression } from "../http/api/answer/compression.ts"
import { createResponseCache } from "../http/api/answer/response-cache.ts"
import { createPages } from "../http/listener/pages.ts"
import { type Listener, openServer } from "../http/listener/server.ts"
import { openRefusalLog } from "../http/request/refusal-log.ts"
import { queueListReads } from "../load-shedding/list-queue.ts"
import type { Log } from "../log/log.ts"
import { isStoreWritable, type MetricsMemory, rowOf } from "../metrics/memory.ts"
import { openMetrics } from "../metrics/open-metrics.ts"
import { createRecorder } from "../metrics/recorder.ts"
import { watchImports } from "../metrics/watch-imports.ts"
import { type Exchange, joinNodes } from "../rate-limits/exchange.ts"
import { openRateLimits } from "../rate-limits/rate-limits.ts"
import type { MasterKey } from "../secrets/keys/key-vault.ts"
import { createKnownKeys } from "../secrets/keys/known-keys.ts"
import { subKey } from "../secrets/keys/sealing.ts"
import { createSigningKeyVault } from "../secrets/keys/signing-key-vault.ts"
import { createNoteVault } from "../secrets/sign-in/note-vault.ts"
import { createPasswordHasher } from "../secrets/sign-in/password-hasher.ts"
import { createSecondFactorVault } from "../secrets/sign-in/second-factor-vault.ts"
import { createTokenHolders } from "../secrets/sign-in/token-holders.ts"
import { tokens } from "../secrets/sign-in/tokens.ts"
import { createCodeThrottle } from "../sign-in-throttles/code-throttle.ts"
import { createSignInThrottle } from "../sign-in-throttles/sign-in-throttle.ts"
import { createKnownSigningKeys, type KnownSigningKeys } from "../signing/known-signing-keys.ts"
import { createSigning } from "../signing/signing.ts"
import { openCounter } from "../usage/counter.ts"
import { type App, assembleApp, openStoreFor } from "./app.ts"
import { readConsoleStatus } from "./console-status.ts"
import { type Housekeeping, openHousekeeping } from "./housekeeping.ts"
import type { OpenAdmission } from "./load-shedding.ts"
import { type NodeHeartbeat, openNodeHeartbeat } from "./node-heartbeat.ts"

export type ServerApp = App &
  Readonly<{
    listen(log: Log, options: ListenOptions): Listener
    /** One thread of each program runs it. */
    openHousekeeping(log: Log): Housekeeping
    /** Notes in the store that this program listens at `url`. */
    openNodeHeartbeat(log: Log, url: string): NodeHeartbeat
  }>

export type ListenOptions = Readonly<{
  /** One listener of a process watches the store and logs when it can no longer be used. */
  watchesStore: boolean
  /** The numbers of all threads, and which of them this is. */
  memory: MetricsMemory
  thread: number
  openAdmission: OpenAdmission
  /** What is spent of the rate limits is told here. */
  exchange: Exchange
  /** Monotonic. */
  nowMs(): number
}>

const noteWritesEveryMs = 1_000

/** What is published or compared with other machines has the time of the wall clock. */
const wallClock = () => new Date()

/**
 * `now` decides how long sessions, links, keys and limits last. Throws MigrationNeeded where there is no
 * store, or an older one.
 */
export const openServerApp = (config: Config, now: () => Date): Promise<ServerApp> =>
  openStoreFor("serve", config, async (store, master) => {
    const vault = createSigningKeyVault(master)
    const knownSigningKeys = createKnownSigningKeys({ ...store, vault })
    await knownSigningKeys.read()
    return assemble(config, assembleApp(config, store, master, now), master, knownSigningKeys)
  })

function assemble(
  config: Config,
  app: App,
  master: MasterKey,
  knownSigningKeys: KnownSigningKeys,
): ServerApp {
  const { store, vault, feedSecrets, feedDefaults, now, keyServices } = app
  const { siteLocale, siteName, supportUrl, signInUrl, metricsToken, receiptDays } = config
  return {
    ...app,
    listen(log, { watchesStore, memory, thread, openAdmission, exchange, nowMs }) {
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
      const closeRefusalLog = openRefusalLog(log, row, every)
      const knownKeys = createKnownKeys({ ...store, vault })
      const rateLimits = openRateLimits({
        policy: config.rateLimit,
        hashKey: subKey(master, "rate limits"),
        exchange,
        nowMs,
        every,
        onRefused: recorder.countRateLimited,
      })
      const hasNodes = thread === 0 && store.nodeMessages !== null
      const leaveNodes = hasNodes ? joinNodes(exchange, store.nodeMessages) : async () => {}
      const cache = createResponseCache()
      // One page and one piece a turn: SQLite answers without yielding, and compressing needs a core.
      const items = queueListReads(store.items, createWorkQueue(1, untilNextTurn))
      const compression = createCompression(createWorkQueue(1, untilNextTurn))
      const metrics =
        metricsToken === null
          ? null
          : openMetrics({
              ...{ token: metricsToken, memory, row, version, every, measureStore: store.measure },
              caches: { keys: knownKeys.counts, lists: cache.counts },
              nowMs: () => performance.now(),
            })
      const stopWatching =
        metrics === null || !watchesStore
          ? () => {}
          : watchImports({
              feed: store.feed,
              pulls: store.pulls,
              metadata: store.metadata,
              recorder,
              every,
              now: wallClock,
              readDiskFree: () => readDisk(config)?.freeBytes ?? null,
              onFault: (fault) => log.failure("import runs could not be read", fault),
            })
      const stopNotingWrites = every(noteWritesEveryMs, () =>
        recorder.noteWrites(store.measure().writes),
      )
      const { prepareSigning, readKeySet } = createSigning(knownSigningKeys, {
        now: wallClock,
        receiptDays,
      })
      const listener = openServer({
        ...config,
        api: {
          ...{ catalogue: { ...store, items }, sampleWorld, now },
          ...{ calls: rateLimits.calls, badKeys: rateLimits.badKeys },
          ...{ findCachedKey: knownKeys.findCached, lookUpKey: knownKeys.lookUp },
          ...{ siteLocale, cache, compression, prepareSigning },
          inOwnTurn: createWorkQueue(1, untilNextTurn),
        },
        readKeySet,
        tokenLimit: rateLimits.tokens,
        operator: {
          ...store,
          tokens,
          now,
          secrets: feedSecrets,
          adjust: createAdjust(feedDefaults, null),
        },
        findHolder: createTokenHolders({ ...store, ...config, now, nowMs }),
        metrics,
        recorder,
        createPages(url) {
          const shared = {
            ...{ store, vault, tokens, now, keyServices, siteLocale },
            site: { name: siteName, supportUrl, signInUrl },
            noteVault: createNoteVault(master),
            publicUrl: config.publicUrl ?? url,
            publicHost: config.publicUrl === null ? null : new URL(config.publicUrl).hostname,
          }
          const failures = store.signInFailures
          const ofOperators = {
            ...{ failures, now },
            digest: (text: string) => tokens.digest(`operator ${text}`),
          }
          return createPages(
            {
              ...shared,
              hasher: createPasswordHasher(config.passwordCost),
              onSignIn(outcome, username, network) {
                counter.countSignIn(outcome, username)
                log.info("sign-in", { outcome, network, ...(username !== null && { username }) })
              },
              throttle: createSignInThrottle({ failures, digest: tokens.digest, now }),
              pictures: config.pictures,
            },
            {
              ...shared,
              // A queue of their own: however many authors sign in, operators need not wait for them.
              hasher: createPasswordHasher(config.passwordCost),
              onSignIn: (outcome, operator, network) =>
                log.info("operator sign-in", {
                  outcome,
                  network,
                  ...(operator !== null && { operator }),
                }),
              throttle: createSignInThrottle(ofOperators),
              codeThrottle: createCodeThrottle(ofOperators),
              ...{ wallClock, secondFactorVault: createSecondFactorVault(master) },
              isSecondFactorRequired: config.isOperatorTotpRequired,
              readStatus: () => readConsoleStatus(config, store, wallClock),
              settings: config.settings,
            },
          )
        },
        count: counter.count,
        admission,
        version,
        askStore: store.probe,
        isStoreWritable: () => isStoreWritable(memory, Date.now()),
        watchesStore,
        every,
        log,
      })
      return {
        ...listener,
        async close() {
          await listener.close()
          admission.close()
          metrics?.close()
          stopWatching()
          stopNotingWrites()
          closeRefusalLog()
          rateLimits.close()
          await leaveNodes()
          await counter.close()
        },
      }
    },
    openHousekeeping: (log) => openHousekeeping({ ...store, now }, log),
    openNodeHeartbeat: (log, url) =>
      openNodeHeartbeat(
        { nodes: store.nodes, now: wallClock, every, log },
        { id: tokens.create(), host: hostname(), url, version, threads: config.threads },
      ),
  }
}
