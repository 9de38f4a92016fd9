/**
 * Load at a fixed rate, whatever the server does: what a slow answer keeps others from being sent in
 * time is counted as their latency too (no coordinated omission). A request's clock starts when it is
 * due and noticed, not when a connection is free for it.
 */
import { type Connection, createSamples, openPool, type Workload } from "./load.ts"

export type Pace = Readonly<{
  port: number
  workload: Workload
  connections: number
  ratePerSecond: number
  /** Spinning takes a whole core and sends to the microsecond; timers leave it to others. */
  isSpinning: boolean
}>

export type PacedLoad = Readonly<{
  /** Latencies since the last call. Throws what went wrong. */
  takeLatenciesMs(): Float64Array
  /** Waits, or throws what goes wrong meanwhile. */
  run(ms: number): Promise<void>
  stop(): void
}>

/**
 * What the generator is late for, by a pause of its own, is left out: sent together it would be a burst that
 * nobody asked for. One turn of its loop takes less.
 */
const lateMsMax = 0.2

export async function startPacedLoad(pace: Pace): Promise<PacedLoad> {
  const { port, workload, connections, ratePerSecond, isSpinning } = pace
  const gapMs = 1000 / ratePerSecond
  const fault = Promise.withResolvers<never>()
  // Nobody may be waiting at the moment; whoever waits next is told.
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
  return {
    takeLatenciesMs() {
      const taken = latencies.all()
      latencies = createSamples()
      return taken
    },
    run: (ms) => Promise.race([Bun.sleep(ms), fault.promise]),
    stop() {
      isStopped = true
      pool.close()
    },
  }
}
