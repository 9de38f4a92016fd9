/**
 * Load at a fixed rate, however slow the server is. Latency is measured from when a request is due, not from when a
 * connection is free, so a slow response also delays later requests (no coordinated omission).
 */
import { quantile } from "../statistics.ts"
import { type Connection, createSamples, openPool, type Workload } from "./load.ts"

export type Pace = Readonly<{
  port: number
  workload: Workload
  connections?: number
  ratePerSecond: number
}>

export async function startPacedLoad({ port, workload, connections = 64, ratePerSecond }: Pace) {
  const gapMs = 1000 / ratePerSecond
  const fault = Promise.withResolvers<never>()
  // Suppress the unhandled rejection; the next `await` rethrows it.
  fault.promise.catch(() => {})
  let latencies = createSamples()
  let isStopped = false
  /** Due times of the requests for which no connection was free, oldest first. */
  const overdue: number[] = []
  const pool = await openPool(
    port,
    connections,
    workload,
    (connection, latencyMs) => {
      latencies.add(latencyMs)
      const dueAt = overdue.shift()
      if (dueAt === undefined) free.push(connection)
      else pool.send(connection, dueAt)
    },
    fault.reject,
  )
  const free: Connection[] = [...pool.connections]
  let dueAt = performance.now()

  function sendDue(): void {
    if (isStopped) return
    const now = performance.now()
    for (; dueAt <= now; dueAt += gapMs) {
      const connection = free.shift()
      if (connection === undefined) overdue.push(now)
      else pool.send(connection, now)
    }
    setTimeout(sendDue, 1)
  }
  sendDue()
  return {
    /** The 99th percentile of the latencies until `end`. Throws the first fault before that. */
    async measureP99(end: Promise<unknown>): Promise<number> {
      latencies = createSamples()
      await Promise.race([end, fault.promise])
      return quantile(latencies.all(), 0.99)
    },
    stop() {
      isStopped = true
      pool.close()
    },
  }
}
