/** A thread that listens like ours and ends at the first message other than "close". */
import { parentPort } from "node:worker_threads"

parentPort?.on("message", (order) => {
  if (order !== "close") throw new Error("a fault in a thread")
  parentPort?.postMessage({ kind: "done", order })
})
parentPort?.postMessage({ kind: "listening" })
parentPort?.postMessage({ kind: "log", text: "born\n" })
