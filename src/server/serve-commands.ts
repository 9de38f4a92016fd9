import { version } from "../../package.json"
import { type Config, readConfig } from "../config/config.ts"
import { checkMasterKey } from "../doctor/check-store.ts"
import { CannotRunError, type CommandContext, command } from "../platform/cli/command.ts"
import { hasErrorCode, StoreUnreachable } from "../platform/error.ts"
import { createLog, type Log } from "../platform/log.ts"
import { createMetrics, type Metrics } from "../usage/metrics.ts"
import { openServerApp, type ServerApp, type ThreadListener } from "./compose.ts"
import type { Listener } from "./listener.ts"
import { openThreads, type Threads, threadEntry } from "./listener-threads.ts"

export const commands = {
  serve: command({
    help: `Environment variables configure the server; docs/settings.md lists them. On SIGTERM, /readyz returns
503. The server accepts requests for five more seconds, completes those in flight and exits. SIGINT
(Ctrl+C) skips the five seconds.`,
    run: (_, context) =>
      serveUntilStopped(context, async ({ url }) => context.write(`listening on ${url}\n`)),
  }),
}

/** A load balancer that probes every two seconds then sees at least two failures. */
export const drainMs = 5_000

/** Calls `onListening` once, when the server accepts requests. Returns the exit status. */
export async function serveUntilStopped(
  context: CommandContext,
  onListening: (listener: Listener) => Promise<void>,
  demo: Partial<Pick<Config, "pictures" | "webhookReceiver">> = {},
): Promise<number> {
  context.ignoreHangup()
  const config = { ...readConfig(context.env), ...demo }
  const log = createLog(config.logLevel, context.writeLog)
  if (config.port !== 0) assertPortFree(config)
  const interrupted = context.untilInterrupted()
  const stopped = context.untilStopped().then(
    () => 0,
    (fault) => {
      log.error("uncaught error; stopping", fault)
      return 1
    },
  )
  const app = await openOnceReachable(() => openServerApp(config), stopped, log)
  if (app === null) {
    log.close()
    return stopped
  }
  let hasStoreFailed = false
  try {
    const metrics = createMetrics()
    metrics.server.startedAt = app.now().getTime() / 1000
    const { writeLog } = context
    const listener = await listenOnEveryThread(app, config, metrics, { log, writeLog })
    const stop = Promise.race([
      stopped,
      Promise.race([app.store.untilFailed(), listener.untilStoreFailed()]).then((fault) => {
        log.error("database failed; stopping", fault)
        hasStoreFailed = true
        return 1
      }),
    ])
    const { url } = listener
    await onListening(listener)
    const housekeeping = app.openHousekeeping(log, url, metrics)
    const schema = app.store.schemaVersion
    log.info("started", { url, version, store: config.store.kind, schema, threads: config.threads })
    const rotation = await checkMasterKey(app.store, config)
    if (rotation.hint !== null) log.warn(rotation.detail, { hint: rotation.hint })
    const status = await stop
    log.info("stopping")
    listener.drain()
    if (status === 0) await Promise.race([Bun.sleep(drainMs), interrupted])
    await listener.close()
    await housekeeping.close()
    log.info("stopped")
    return status
  } finally {
    log.close()
    // Closing the last connection would checkpoint a write-ahead log that was not saved to disk.
    if (!hasStoreFailed) await app.close()
  }
}

const retryAfterMs = 1_000

/** Retries: server and database may start together after a power cut. Returns null if `stopped` resolves first. */
async function openOnceReachable<T>(open: () => Promise<T>, stopped: Promise<unknown>, log: Log) {
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof StoreUnreachable)) throw error
      log.failure("waiting for the database", error)
    }
    const isStopped = await Promise.race([
      stopped.then(() => true),
      Bun.sleep(retryAfterMs).then(() => false),
    ])
    if (isStopped) return null
  }
}

async function listenOnEveryThread(
  app: ServerApp,
  config: Config,
  metrics: Metrics,
  { log, writeLog }: Pick<CommandContext, "writeLog"> & Readonly<{ log: Log }>,
): Promise<Listener & Pick<Threads, "untilStoreFailed">> {
  const opened = Promise.withResolvers<Threads>()
  const readThreads = async () => [
    main.readMetrics(),
    ...(await (await opened.promise).readMetrics()),
  ]
  const options = { watchesStore: true, metrics, readThreads }
  const main: ThreadListener = listen(() => app.listen(log, options), config)
  const { url, drain, close, readMetrics: readMain } = main
  // With PORT=0 the operating system chose the port, which the other threads must share.
  const port = config.port === 0 ? Number(new URL(url).port) : config.port
  const shared = { config: { ...config, port }, readMain, log, writeLog }
  const threads = await openThreads({ entry: threadEntry, count: config.threads - 1, ...shared })
  opened.resolve(threads)
  return {
    url,
    untilStoreFailed: threads.untilStoreFailed,
    drain() {
      drain()
      threads.drain()
    },
    async close() {
      await Promise.all([close(), threads.close()])
    },
  }
}

/** Threads share the port, and so could a second server: opening it without sharing fails if another one uses it. */
function assertPortFree({ host, port }: Config): void {
  const open = () => Bun.listen({ hostname: host, port, socket: { data() {} } })
  listen(open, { host, port }).stop(true)
}

function listen<T>(open: () => T, { host, port }: { host: string; port: number }): T {
  try {
    return open()
  } catch (cause) {
    const why = hasErrorCode(cause, "EADDRINUSE") ? "the address is in use" : String(cause)
    throw new CannotRunError(
      `cannot listen on ${host}:${port}: ${why}; set HOST, or PORT=0 for a free port`,
      { cause },
    )
  }
}
