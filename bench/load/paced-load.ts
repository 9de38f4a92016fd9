/**
 * Load at a fixed rate, however slow the server is. A request's clock starts when it is due, not when
 * a connection is free for it, so a slow answer also delays the requests behind it (no coordinated
 * omission).
 */
import { quantile } from "../report/statistics.ts"
import { type Connection, createSamples, openPool, type Workload } from "./load.ts"

export type Pace = Readonly<{
  port: number
  workload: Workload
  connections: number
  ratePerSecond: number
  /** Spinning uses a whole core and is exact to a microsecond; timers leave the core to other programs. */
  isSpinning?: boolean
}>

export type PacedLoad = Awaited<ReturnType<typeof startPacedLoad>>

/**
 * While it spins, requests that became due during a pause of the generator itself are not sent: together they would be a burst.
 * One turn of its loop takes less than this.
 */
const lateMsMax = 0.2

export async function startPacedLoad(pace: Pace) {
  const { port, workload, connections, ratePerSecond, isSpinning = false } = pace
  const gapMs = 1000 / ratePerSecond
  const fault = Promise.withResolvers<never>()
  // Suppress the unhandled rejection; the next `await` rethrows it.
  fault.promise.catch(() => {})
  let latencies = createSamples()
  let isStopped = false
  /** When the requests became due that no connection was free for, the oldest first. */
  const waiting: number[] = []
  const pool = await openPool(
    port,
    connections,
    workload,
    (connection, latencyMs) => {
      latencies.add(latencyMs)
      const dueAt = waiting.shift()
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
    if (isSpinning && now - dueAt > lateMsMax) dueAt = now
    for (; dueAt <= now; dueAt += gapMs) {
      const connection = free.shift()
      if (connection === undefined) waiting.push(now)
      else pool.send(connection, now)
    }
    if (isSpinning) setImmediate(sendDue)
    else setTimeout(sendDue, 1)
  }
  sendDue()
  /** Latencies since the last call. */
  function takeLatenciesMs(): Float64Array {
    const taken = latencies.all()
    latencies = createSamples()
    return taken
  }
  /** Waits, or throws what goes wrong meanwhile. */
  const run = (ms: number) => Promise.race([Bun.sleep(ms), fault.promise])
  return {
    takeLatenciesMs,
    run,
    /** The 99th percentile of the latencies from now on. */
    async measureP99(ms: number): Promise<number> {
      takeLatenciesMs()
      await run(ms)
      return quantile(takeLatenciesMs(), 0.99)
    },
    stop() {
      isStopped = true
      pool.close()
    },
  }
}
