/**
 * One listener a core, all on the same address; the operating system distributes the connections. The
 * threads share the store. With an embedded store they also share a count of its writes, by which each
 * thread knows when its caches are stale. A thread that dies is replaced.
 */
import { Worker } from "node:worker_threads"
import type { Config } from "../config/config.ts"
import type { Listener } from "../http/listener/server.ts"
import type { Log } from "../log/log.ts"
import { type MetricsMemory, resetGauges, rowOf } from "../metrics/memory.ts"
import { createRecorder } from "../metrics/recorder.ts"

export type Order = "drain" | "close"
export type FromThread =
  | Readonly<{ kind: "listening" }>
  | Readonly<{ kind: "log"; text: string }>
  | Readonly<{ kind: "closed" }>

export type Threads = Pick<Listener, "drain" | "close">

/** Beside this file: `bun build --compile` puts every module into one folder. */
export const threadEntry = new URL("./thread.ts", import.meta.url)

/** The data that a thread starts with. The main thread is number 0. */
export type ThreadOptions = Readonly<{
  config: Config
  memory: MetricsMemory
  thread: number
}>

type ThreadsOptions = Readonly<{
  /** The module a thread runs: `threadEntry`, except in a test. */
  entry: URL
  count: number
  /** With the port that the main thread listens on. */
  config: Config
  /** With a row for every thread. */
  memory: MetricsMemory
  log: Log
  writeLog(text: string): void
}>

/** A thread that cannot start must not keep a core busy. */
const replaceAfterMs = 1_000

/** Resolves when every thread listens; rejects when one cannot. */
export async function openThreads(options: ThreadsOptions): Promise<Threads> {
  const { memory } = options
  const recorder = createRecorder(rowOf(memory, 0))
  let isClosing = false
  const alive = new Set<Worker>()

  function start(thread: number): Worker {
    const worker = createWorker(options, thread)
    alive.add(worker)
    worker.once("exit", () => alive.delete(worker))
    return worker
  }
  function keepAlive(worker: Worker, thread: number): void {
    worker.once("exit", async () => {
      resetGauges(rowOf(memory, thread))
      if (!isClosing) recorder.countThreadFailure()
      await Bun.sleep(replaceAfterMs)
      if (!isClosing) keepAlive(start(thread), thread)
    })
  }
  const forAll = (work: (worker: Worker) => Promise<unknown>) => Promise.all([...alive].map(work))

  const first = Array.from({ length: options.count }, (_, at) => start(at + 1))
  try {
    await forAll(untilListening)
  } catch (error) {
    await forAll((worker) => worker.terminate())
    throw error
  }
  for (const [at, worker] of first.entries()) keepAlive(worker, at + 1)

  return {
    drain() {
      for (const worker of alive) worker.postMessage("drain")
    },
    async close() {
      isClosing = true
      await forAll((worker) => untilClosed(worker))
      await forAll((worker) => worker.terminate())
    },
  }
}

function createWorker(options: ThreadsOptions, thread: number): Worker {
  const { entry, config, memory, log, writeLog } = options
  const workerData: ThreadOptions = { config, memory, thread }
  const worker = new Worker(entry, { workerData })
  worker.on("error", (fault) => log.failure("a thread failed; another takes its place", fault))
  worker.on("message", (message: FromThread) => {
    if (message.kind === "log") writeLog(message.text)
  })
  return worker
}

function untilListening(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on("message", ({ kind }: FromThread) => {
      if (kind === "listening") resolve()
    })
    worker.once("error", reject)
    worker.once("exit", () => reject(new Error("a thread ended before it listened")))
  })
}

/** Resolves too when the thread has ended. */
function untilClosed(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.on("message", ({ kind }: FromThread) => {
      if (kind === "closed") resolve()
    })
    worker.once("exit", () => resolve())
    worker.postMessage("close")
  })
}
