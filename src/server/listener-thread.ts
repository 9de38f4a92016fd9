/** The edge of a thread: a listener of its own on the address that all threads share. */
import { parentPort, workerData } from "node:worker_threads"
import type { Metrics } from "../counters/metrics.ts"
import { createLog } from "../log/log.ts"
import type {
  MessageFromThread,
  MessageToThread,
  ThreadCommand,
  ThreadOptions,
} from "./listener-threads.ts"
import { openServerApp, type ServerApp, type ThreadListener } from "./server-app.ts"

const tell = (message: MessageFromThread) => parentPort?.postMessage(message)

async function run(options: ThreadOptions): Promise<void> {
  const { config, metrics } = options
  const log = createLog(config.logLevel, (text) => tell({ kind: "log", text }))
  const opened = Promise.withResolvers<Readonly<{ app: ServerApp; listener: ThreadListener }>>()

  const scrapes: ((threads: readonly Metrics[]) => void)[] = []
  const readThreads = () =>
    new Promise<readonly Metrics[]>((resolve) => {
      scrapes.push(resolve)
      tell({ kind: "scrape" })
    })

  async function obey(order: ThreadCommand | "sample"): Promise<void> {
    // An order may come while the thread starts.
    const { app, listener } = await opened.promise
    if (order === "sample") return tell({ kind: "sample", metrics: listener.readMetrics() })
    if (order === "drain") return listener.drain()
    await listener.close()
    await app.close()
    log.close()
    tell({ kind: "closed" })
  }
  // From the start and for good: a message that nothing listens for is lost.
  parentPort?.on("message", (message: MessageToThread) => {
    if (typeof message === "string") void obey(message)
    else for (const resolve of scrapes.splice(0)) resolve(message.threads)
  })

  const app = await openServerApp(config)
  const listener = app.listen(log, { watchesStore: false, metrics, readThreads })
  opened.resolve({ app, listener })
  void app.store.untilFailed().then((fault) => tell({ kind: "store-failed", fault }))
  tell({ kind: "listening" })
}

// An error here ends the thread; the main thread logs it and starts another.
void run(workerData)
