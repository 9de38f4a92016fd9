/** Takes calls from one budget until it is spent, and reports how many it got. */
import { parentPort, workerData } from "node:worker_threads"
import { createLimitTable } from "../../src/limits/limit-table.ts"

const { memory, thread, hash, rate, start } = workerData
const table = createLimitTable(memory, thread)
// All threads begin at once.
Atomics.wait(start, 0, 0)
let calls = 0
while (table.take(hash, rate, 1) !== -1) {
  const entry = table.take(hash, rate, 1)
  if (entry !== -1) table.settle(entry, hash[0], hash[1], rate, false)
  calls += 1
}
parentPort?.postMessage(calls)
