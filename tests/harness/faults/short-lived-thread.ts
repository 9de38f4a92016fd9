/** A thread that listens like a server's, counts one request and ends on the message to retire. */
import { parentPort, workerData } from "node:worker_threads"
import type { MessageToThread, ThreadOptions } from "../../../src/server/listener-threads.ts"
import { countRequest } from "../../../src/usage/metrics.ts"

const { metrics }: ThreadOptions = workerData
countRequest(metrics, "page", "ok", 1)

parentPort?.on("message", (message: MessageToThread) => {
  if (message === "drain") throw new Error("a fault in a thread")
  if (message === "sample") parentPort?.postMessage({ kind: "sample", metrics })
  if (message === "close") parentPort?.postMessage({ kind: "closed" })
})
parentPort?.postMessage({ kind: "listening" })
parentPort?.postMessage({ kind: "log", text: "born\n" })
