/** A thread that listens like ours, counts one request and ends at the order to retire. */
import { parentPort, workerData } from "node:worker_threads"
import { createRecorder } from "../../../src/metrics/recorder.ts"
import type { ThreadOptions, ToThread } from "../../../src/server/threads.ts"

const { row }: ThreadOptions = workerData
createRecorder(row).countRequest("page", "ok", 1, false)

parentPort?.on("message", (message: ToThread) => {
  if (message === "drain") throw new Error("a fault in a thread")
  if (message === "sample") parentPort?.postMessage({ kind: "sample", row })
  if (message === "close") parentPort?.postMessage({ kind: "closed" })
})
parentPort?.postMessage({ kind: "listening" })
parentPort?.postMessage({ kind: "log", text: "born\n" })
