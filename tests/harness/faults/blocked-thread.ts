/** A thread that listens like ours and counts one request. One of two responds to the first scrape only. */
import { parentPort, threadId, workerData } from "node:worker_threads"
import { createRecorder } from "../../../src/metrics/recorder.ts"
import { starts } from "../../../src/metrics/row.ts"
import type { ThreadOptions, ToThread } from "../../../src/server/threads.ts"

const { row }: ThreadOptions = workerData
createRecorder(row).countRequest("page", "ok", 1, false)
row[starts.threads] = 1
let scrapes = 0

parentPort?.on("message", (message: ToThread) => {
  if (message === "close") parentPort?.postMessage({ kind: "closed" })
  if (message !== "sample") return
  scrapes += 1
  if (scrapes === 1 || threadId % 2 === 0) parentPort?.postMessage({ kind: "sample", row })
})
parentPort?.postMessage({ kind: "listening" })
