/**
 * The load generator: HTTP/1.1 on raw sockets, keep-alive, one request at a time per connection. Checks status and
 * length of every response, and all bytes of one in `sampleEvery`; the first wrong response ends the run.
 */
import type { Socket } from "bun"
import { createHttpReader, type HttpReader } from "./http-reader.ts"

export type Workload = Readonly<{
  name: string
  count: number
  /** Valid until the next call. */
  request(index: number): Uint8Array
  bytes(index: number): number
  body(index: number): string
}>

export class UnexpectedResponse extends Error {
  override name = "WrongAnswer"
}

export type Connection = {
  socket: Socket<Connection>
  reader: HttpReader
  /** The index of the request in flight, or -1. */
  index: number
  isSampled: boolean
  startedAt: number
}

/** A prime, so that each round samples other requests. */
const sampleEvery = 61

/**
 * Opens the connections. `onAnswer` is called for each correct response, when its connection is free again; `onFault`
 * for the first fault.
 */
export async function openPool(
  port: number,
  size: number,
  workload: Workload,
  onResponse: (connection: Connection, latencyMs: number, now: number) => void,
  onFault: (fault: unknown) => void,
) {
  let next = Math.floor(Math.random() * workload.count)
  let sent = 0
  let isClosed = false

  function fail(fault: unknown): void {
    if (isClosed) return
    isClosed = true
    onFault(fault)
  }
  function receive(connection: Connection, piece: Buffer): void {
    const { index, isSampled, reader } = connection
    const response = reader.read(piece, isSampled)
    if (response === null) return
    const now = performance.now()
    if (index === -1) throw new UnexpectedResponse("an answer without a request")
    const isRight = response.status === 200 && response.bytes === workload.bytes(index)
    if (!isRight)
      throw new UnexpectedResponse(`${workload.name} ${index}: ${describe(response, piece)}`)
    if (response.body !== null && !isEqual(response.body, workload.body(index))) {
      throw new UnexpectedResponse(`${workload.name} ${index}: other bytes than expected`)
    }
    connection.index = -1
    onResponse(connection, now - connection.startedAt, now)
  }
  const connections = await Promise.all(
    Array.from({ length: size }, async () => {
      const socket = await Bun.connect<Connection>({
        hostname: "127.0.0.1",
        port,
        socket: {
          data({ data }, piece) {
            if (isClosed) return
            try {
              receive(data, piece)
            } catch (fault) {
              fail(fault)
            }
          },
          close: () => fail(new Error("the server closed a connection")),
          error: (_, fault) => fail(fault),
        },
      })
      const reader = createHttpReader()
      const connection = { socket, reader, index: -1, isSampled: false, startedAt: 0 }
      socket.data = connection
      socket.setNoDelay(true)
      return connection
    }),
  )
  return {
    connections,
    send(connection: Connection, startedAt: number): void {
      connection.index = next
      connection.isSampled = sent % sampleEvery === 0
      connection.startedAt = startedAt
      const request = workload.request(next)
      // The connection is idle and the request short, so the system accepts it in one write.
      if (connection.socket.write(request) !== request.length)
        fail(new Error("a request was not written completely"))
      next = next + 1 === workload.count ? 0 : next + 1
      sent += 1
    },
    close() {
      isClosed = true
      for (const { socket } of connections) socket.end()
    },
  }
}

const describe = ({ status, bytes }: { status: number; bytes: number }, piece: Buffer) =>
  `${status} with ${bytes} bytes: ${piece.toString("utf8").slice(0, 600)}`

const isEqual = (body: Uint8Array, expected: string) => Buffer.from(expected).equals(body)

export type Measured = Readonly<{
  requests: number
  seconds: number
  latenciesMs: Float64Array
  /** CPU time of this process during the load. */
  loadCpuSeconds: number
}>

/** Called when counting starts and ends, to read the server's CPU time. */
export type Window = Readonly<{ onStart(): void; onEnd(): void }>

export type RunOptions = Readonly<{
  port: number
  workload: Workload
  connections: number
  warmUpMs: number
  countedMs: number
}>

export const ownCpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Sends as many requests as the server can process: the next request follows each response immediately. */
export async function saturate(options: RunOptions, window: Window): Promise<Measured> {
  const { port, workload, connections, warmUpMs, countedMs } = options
  const latencies = createSamples()
  let isCounting = false
  const fault = Promise.withResolvers<never>()
  // Suppress the unhandled rejection; the next `await` rethrows it.
  fault.promise.catch(() => {})
  const pool = await openPool(
    port,
    connections,
    workload,
    (connection, latencyMs, now) => {
      if (isCounting) latencies.add(latencyMs)
      pool.send(connection, now)
    },
    fault.reject,
  )
  try {
    for (const connection of pool.connections) pool.send(connection, performance.now())
    await Promise.race([Bun.sleep(warmUpMs), fault.promise])
    window.onStart()
    const startedAt = performance.now()
    const cpuBefore = ownCpuSeconds()
    isCounting = true
    await Promise.race([Bun.sleep(countedMs), fault.promise])
    isCounting = false
    const seconds = (performance.now() - startedAt) / 1000
    const loadCpuSeconds = ownCpuSeconds() - cpuBefore
    window.onEnd()
    const latenciesMs = latencies.all()
    return { requests: latenciesMs.length, seconds, latenciesMs, loadCpuSeconds }
  } finally {
    pool.close()
  }
}

/** A growing list of numbers that allocates no garbage. */
export function createSamples() {
  let values = new Float64Array(65_536)
  let length = 0
  return {
    add(value: number): void {
      if (length === values.length) {
        const longer = new Float64Array(2 * length)
        longer.set(values)
        values = longer
      }
      values[length++] = value
    },
    all: () => values.slice(0, length),
  }
}
