/** A thread that listens like one of ours and dies of the first word it is told, but for "close". */
import { parentPort } from "node:worker_threads"

parentPort?.on("message", (order) => {
  if (order !== "close") throw new Error("a fault in a thread")
  parentPort?.postMessage({ kind: "done", order })
})
parentPort?.postMessage({ kind: "listening" })
parentPort?.postMessage({ kind: "log", text: "born\n" })
