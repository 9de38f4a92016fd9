/** A thread that listens like a server's and counts one request. One of two responds only to the first scrape. */
import { parentPort, threadId, workerData } from "node:worker_threads"
import type { MessageToThread, ThreadOptions } from "../../../src/server/listener-threads.ts"
import { countRequest } from "../../../src/usage/metrics.ts"

const { metrics }: ThreadOptions = workerData
countRequest(metrics, "page", "ok", 1)
let scrapes = 0

parentPort?.on("message", (message: MessageToThread) => {
  if (message === "close") parentPort?.postMessage({ kind: "closed" })
  if (message !== "sample") return
  scrapes += 1
  if (scrapes === 1 || threadId % 2 === 0) parentPort?.postMessage({ kind: "sample", metrics })
})
parentPort?.postMessage({ kind: "listening" })
