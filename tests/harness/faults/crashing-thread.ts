/**
 * A thread like a server's, with an unhandled rejection on a request. Threads that start together have even and odd
 * ids.
 */
import { threadId } from "node:worker_threads"
import "../../../src/server/listener-thread.ts"

new BroadcastChannel("crashes").onmessage = ({ data }) => {
  if (data === threadId % 2) void Promise.reject(new Error("a fault in a thread"))
}
