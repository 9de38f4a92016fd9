/** A thread like ours, with an unhandled rejection when its number is called. */
import { workerData } from "node:worker_threads"
import "../../../src/server/thread.ts"

new BroadcastChannel("crashes").onmessage = ({ data }) => {
  if (data === workerData.thread) void Promise.reject(new Error("a fault in a thread"))
}
