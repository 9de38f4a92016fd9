import { parentPort, workerData } from "node:worker_threads"
import { createLog } from "../platform/log.ts"
import type { Metrics } from "../usage/metrics.ts"
import { openServerApp, type ServerApp, type ThreadListener } from "./compose.ts"
import type {
  MessageFromThread,
  MessageToThread,
  ThreadCommand,
  ThreadOptions,
} from "./listener-threads.ts"

const send = (message: MessageFromThread) => parentPort?.postMessage(message)

async function start(options: ThreadOptions): Promise<void> {
  const { config, metrics } = options
  const log = createLog(config.logLevel, (text) => send({ kind: "log", text }))
  const opened = Promise.withResolvers<Readonly<{ app: ServerApp; listener: ThreadListener }>>()

  const scrapes: ((threads: readonly Metrics[]) => void)[] = []
  const readThreads = () =>
    new Promise<readonly Metrics[]>((resolve) => {
      scrapes.push(resolve)
      send({ kind: "scrape" })
    })

  async function run(command: ThreadCommand | "sample"): Promise<void> {
    // A command may arrive while the thread starts.
    const { app, listener } = await opened.promise
    if (command === "sample") return send({ kind: "sample", metrics: listener.readMetrics() })
    if (command === "drain") return listener.drain()
    await listener.close()
    await app.close()
    log.close()
    send({ kind: "closed" })
  }
  // Registered before anything else, because messages without a listener are lost.
  parentPort?.on("message", (message: MessageToThread) => {
    if (typeof message === "string") void run(message)
    else for (const resolve of scrapes.splice(0)) resolve(message.threads)
  })

  const app = await openServerApp(config)
  const listener = app.listen(log, { watchesStore: false, metrics, readThreads })
  opened.resolve({ app, listener })
  void app.store.untilFailed().then((fault) => send({ kind: "store-failed", fault }))
  send({ kind: "listening" })
}

// An error here ends the thread; the main thread logs it and starts another.
void start(workerData)
