/**
 * Validations as they come from everywhere: most codes are right, some are wrong, some bodies are broken, and some
 * connections end after their answer. Every request has another address, as behind a proxy.
 */
import type { Socket } from "bun"
import { createHttpReader, type HttpReader } from "../../../bench/load/http-reader.ts"
import { createSamples } from "../../../bench/load/load.ts"
import {
  codeOf,
  itemOfPurchase,
  type Marketplace,
  ownerOf,
} from "../../../bench/stores/marketplace.ts"
import type { Store } from "../../../bench/stores/stores.ts"

export type LoadCounts = Readonly<{
  requests: number
  /** By status. */
  statuses: ReadonlyMap<number, number>
  /** Connections that failed or ended before their answer, by reason. */
  socketErrors: ReadonlyMap<string, number>
  connections: number
  latenciesMs: Float64Array
}>

/** Answers that a client must not see, and connections that failed. */
export const listFailures = ({ statuses, socketErrors }: LoadCounts): readonly string[] => [
  ...[...statuses]
    .filter(([status]) => status >= 500)
    .map(([status, times]) => `${times} answers with ${status}`),
  ...[...socketErrors].map(([reason, times]) => `${times} × ${reason}`),
]

export type MixedLoad = Readonly<{
  /** The counts since the last call. */
  take(): LoadCounts
  /** Sends no more, and waits for the answers that are due. */
  stop(): Promise<void>
}>

type LoadOptions = Readonly<{
  /** Asked for each new connection. */
  choosePort(): number
  store: Store
  connections: number
  /** Null: as many as the server takes. */
  ratePerSecond: number | null
}>

const shares = { hits: 0.7, broken: 0.02, newConnections: 0.05 }
/** Longer than any answer should take. */
const answerMsMax = 10_000

type Lane = {
  socket: Socket<Lane> | null
  reader: HttpReader
  isLast: boolean
  /** NaN while the lane is free. */
  startedAt: number
}

export function startMixedLoad({
  choosePort,
  store,
  connections,
  ratePerSecond,
}: LoadOptions): MixedLoad {
  let counts = createCounts()
  let isStopped = false
  let [due, sent] = [0, 0]
  const startedAt = performance.now()
  const free: Lane[] = Array.from({ length: connections }, () => ({
    socket: null,
    reader: createHttpReader(),
    isLast: false,
    startedAt: Number.NaN,
  }))
  const busy = new Set<Lane>()

  function release(lane: Lane): void {
    busy.delete(lane)
    lane.startedAt = Number.NaN
    free.push(lane)
    if (ratePerSecond === null) sendDue()
  }
  function fail(lane: Lane, reason: string): void {
    lane.socket = null
    if (!busy.has(lane)) return
    counts.socketErrors.set(reason, (counts.socketErrors.get(reason) ?? 0) + 1)
    release(lane)
  }
  function receive(lane: Lane, piece: Buffer): void {
    const answer = lane.reader.read(piece, false)
    if (answer === null) return
    const { status, isLast } = answer
    counts.requests += 1
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
    counts.latencies.add(performance.now() - lane.startedAt)
    // A server that stops says so.
    if (lane.isLast || isLast) close(lane)
    release(lane)
  }
  function close(lane: Lane): void {
    const { socket } = lane
    lane.socket = null
    socket?.end()
  }
  async function connect(lane: Lane): Promise<Socket<Lane>> {
    counts.connections += 1
    lane.reader = createHttpReader()
    return Bun.connect<Lane>({
      hostname: "127.0.0.1",
      port: choosePort(),
      data: lane,
      socket: {
        data(socket, piece) {
          if (socket.data.socket === socket) receive(socket.data, piece)
        },
        close(socket) {
          if (socket.data.socket === socket) fail(socket.data, "closed before the answer")
        },
        error(socket, error) {
          if (socket.data.socket === socket) fail(socket.data, error.message)
        },
      },
    })
  }
  async function send(lane: Lane): Promise<void> {
    busy.add(lane)
    lane.startedAt = performance.now()
    lane.isLast = Math.random() < shares.newConnections
    try {
      lane.socket ??= await connect(lane)
      lane.socket.write(renderRequest(store, lane.isLast))
    } catch (error) {
      fail(lane, String(error))
    }
  }
  function sendDue(): void {
    if (isStopped) return
    const elapsedMs = performance.now() - startedAt
    due = ratePerSecond === null ? Number.POSITIVE_INFINITY : (elapsedMs * ratePerSecond) / 1000
    // What no lane is free for is not sent later: it would be a burst.
    for (; sent < due && free.length > 0; sent += 1) void send(free.shift() as Lane)
    if (ratePerSecond !== null) sent = Math.max(sent, Math.floor(due))
  }
  const pacing = setInterval(sendDue, 1)
  const watching = setInterval(() => {
    const now = performance.now()
    for (const lane of busy) {
      if (now - lane.startedAt < answerMsMax) continue
      close(lane)
      fail(lane, `no answer within ${answerMsMax} ms`)
    }
  }, 1_000)
  return {
    take() {
      const { latencies, ...taken } = counts
      counts = createCounts()
      return { ...taken, latenciesMs: latencies.all() }
    },
    async stop() {
      isStopped = true
      clearInterval(pacing)
      while (busy.size > 0) await Bun.sleep(10)
      clearInterval(watching)
      for (const lane of free) close(lane)
    },
  }
}

const createCounts = () => ({
  requests: 0,
  statuses: new Map<number, number>(),
  socketErrors: new Map<string, number>(),
  connections: 0,
  latencies: createSamples(),
})

function renderRequest({ market, keys }: Store, isLast: boolean): string {
  const purchase = Math.floor(Math.random() * market.purchases)
  const key = keys[ownerOf(market, itemOfPurchase(market, purchase))] ?? ""
  const draw = Math.random()
  if (draw < shares.broken) return frame(chooseBroken(key), isLast)
  const code = draw < shares.broken + shares.hits ? codeOf(market, purchase) : wrongCode(market)
  return frame(`{"api_key":"${key}","purchase_code":"${code}"}`, isLast)
}

const wrongCode = ({ seed, ...market }: Marketplace) =>
  codeOf({ ...market, seed: seed + 100 }, Math.floor(Math.random() * 1e9))

function chooseBroken(key: string): string {
  const bodies = [
    `{"api_key":"${key}","purchase_code":`,
    "\u0000\u0001\u0002 not JSON",
    `["${key}"]`,
    `{"api_key":{"$ne":null},"purchase_code":[[[[]]]]}`,
    "",
  ]
  return bodies[Math.floor(Math.random() * bodies.length)] ?? ""
}

const byte = () => Math.floor(Math.random() * 256)

const frame = (body: string, isLast: boolean) =>
  `POST /api/purchases/validation HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${10 + (byte() % 100)}.${byte()}.${byte()}.${byte()}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${isLast ? "Connection: close\r\n" : ""}\r\n${body}`
