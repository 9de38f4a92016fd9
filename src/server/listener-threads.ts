/** Listener threads on one port. The main one writes the log lines, sums the metrics and replaces crashed ones. */
import { Worker } from "node:worker_threads"
import type { Config } from "../config/config.ts"
import type { Log } from "../platform/log.ts"
import { withTimeout } from "../platform/timers.ts"
import { createMetrics, type Metrics } from "../usage/metrics.ts"

export type ThreadCommand = "drain" | "close"
/** `sample` requests the metrics of the thread. `threads` is the response to a `scrape`. */
export type MessageToThread = ThreadCommand | "sample" | Readonly<{ threads: readonly Metrics[] }>
export type MessageFromThread =
  | Readonly<{ kind: "listening" }>
  | Readonly<{ kind: "log"; text: string }>
  | Readonly<{ kind: "closed" }>
  | Readonly<{ kind: "sample"; metrics: Metrics }>
  | Readonly<{ kind: "scrape" }>
  | Readonly<{ kind: "store-failed"; fault: Error }>

export type Threads = Awaited<ReturnType<typeof openThreads>>

/** In the same folder, because `bun build --compile` puts all modules into one. */
export const threadEntry = new URL("./listener-thread.ts", import.meta.url)

export type ThreadOptions = Readonly<{
  config: Config
  /** The initial metrics, taken over from the thread that crashed. */
  metrics: Metrics
}>

type ThreadsOptions = Readonly<{
  /** The module of the threads: `threadEntry`, except in tests. */
  entry: URL
  count: number
  /** Listeners share the main thread's port, so it must not be 0. */
  config: Config
  readMain(): Metrics
  log: Log
  writeLog(text: string): void
}>

/** Limits the CPU time of a thread that repeatedly fails to start. */
const replaceAfterMs = 1_000
/** Far below the scrape timeout of Prometheus, which is ten seconds. */
const sampleMsMax = 500

/** Resolves when all threads listen. Rejects if one fails. */
export async function openThreads(options: ThreadsOptions) {
  const { entry, count, config, readMain, log, writeLog } = options
  const samples = Array.from({ length: count }, createMetrics)
  const findSample = (thread: number) => samples[thread] ?? createMetrics()
  const storeFailure = Promise.withResolvers<Error>()
  let isClosing = false
  const alive = new Map<Worker, number>()

  function start(thread: number): Worker {
    const workerData: ThreadOptions = { config, metrics: findSample(thread) }
    const worker = new Worker(entry, { workerData })
    alive.set(worker, thread)
    worker.on("error", (fault) => log.failure("thread crashed; starting a new one", fault))
    worker.on("message", async (message: MessageFromThread) => {
      if (message.kind === "log") writeLog(message.text)
      if (message.kind === "store-failed") storeFailure.resolve(message.fault)
      if (message.kind === "scrape")
        send(worker, { threads: [readMain(), ...(await readMetrics())] })
      if (message.kind === "sample") {
        samples[thread] = message.metrics
        sampled.get(thread)?.()
      }
    })
    worker.once("exit", () => alive.delete(worker))
    return worker
  }
  function keepAlive(worker: Worker, thread: number): void {
    worker.once("exit", async () => {
      findSample(thread).inFlight = 0
      await Bun.sleep(replaceAfterMs)
      if (!isClosing) keepAlive(start(thread), thread)
    })
  }
  const sampled = new Map<number, () => void>()
  async function sample([worker, thread]: readonly [Worker, number]): Promise<void> {
    const response = Promise.withResolvers<void>()
    sampled.set(thread, response.resolve)
    send(worker, "sample")
    await withTimeout(response.promise, sampleMsMax, () =>
      log.warn("thread did not respond to a scrape; using its last values", { thread }),
    )
  }
  let reading: Promise<unknown> | null = null
  async function readMetrics(): Promise<readonly Metrics[]> {
    reading ??= Promise.all([...alive].map(sample)).finally(() => {
      reading = null
    })
    await reading
    return samples
  }
  const forAll = (work: (worker: Worker) => Promise<unknown>) =>
    Promise.all([...alive.keys()].map(work))

  const first = Array.from({ length: count }, (_, at) => start(at))
  try {
    await forAll((worker) => untilMessage(worker, "listening"))
  } catch (error) {
    await forAll((worker) => worker.terminate())
    throw error
  }
  for (const [at, worker] of first.entries()) keepAlive(worker, at)

  return {
    /** Returns the metrics of every thread except the main one. Never throws. */
    readMetrics,
    /** Resolves when the store of a thread has failed, like `untilFailed` of the store. */
    untilStoreFailed: () => storeFailure.promise,
    drain() {
      for (const worker of alive.keys()) send(worker, "drain")
    },
    async close() {
      isClosing = true
      await forAll((worker) => {
        send(worker, "close")
        return untilMessage(worker, "closed").catch(() => {})
      })
      await forAll((worker) => worker.terminate())
    },
  }
}

const send = (worker: Worker, message: MessageToThread) => worker.postMessage(message)

function untilMessage(worker: Worker, awaited: MessageFromThread["kind"]): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on("message", ({ kind }: MessageFromThread) => {
      if (kind === awaited) resolve()
    })
    worker.once("error", reject)
    worker.once("exit", () => reject(new Error(`thread exited before it was ${awaited}`)))
  })
}
