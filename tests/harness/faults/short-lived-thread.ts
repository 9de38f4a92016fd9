/** A thread that listens like ours, counts one request and ends at the first message other than "close". */
import { parentPort, workerData } from "node:worker_threads"
import { rowOf } from "../../../src/metrics/memory.ts"
import { createRecorder } from "../../../src/metrics/recorder.ts"
import type { ThreadOptions } from "../../../src/server/threads.ts"

const { memory, thread }: ThreadOptions = workerData
createRecorder(rowOf(memory, thread)).countRequest("page", "ok", 1, false)

parentPort?.on("message", (order) => {
  if (order !== "close") throw new Error("a fault in a thread")
  parentPort?.postMessage({ kind: "closed" })
})
parentPort?.postMessage({ kind: "listening" })
parentPort?.postMessage({ kind: "log", text: "born\n" })
