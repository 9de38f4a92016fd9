/** A TCP proxy between the program and its database, with delays and cuts. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export type Target = Readonly<{ host: string; port: number }>

export type TcpProxy = Readonly<{
  port: number
  /** Breaks every open connection; new ones are accepted. */
  cutAll(): void
  /** The additional time of a round trip, on open connections too. */
  setDelayMs(delayMs: number): void
  /** Resolves when the target next sends data, before it is forwarded. */
  nextReply(): Promise<void>
  /** The target of new connections; open ones keep theirs. */
  setTarget(target: Target): void
  close(): Promise<void>
}>

export async function openProxy(first: Target): Promise<TcpProxy> {
  let target = first
  let delayMs = 0
  const sockets = new Set<Socket>()
  const replyWaiters: (() => void)[] = []

  function join(client: Socket): void {
    const server = connect({ ...target, allowHalfOpen: true })
    server.on("data", () => {
      for (const resolve of replyWaiters.splice(0)) resolve()
    })
    // Only responses are delayed, by the whole round trip.
    carry(client, server, () => 0)
    carry(server, client, () => delayMs)
  }
  /** Data keeps its order, even if the delay changes. */
  function carry(from: Socket, to: Socket, delay: () => number): void {
    const onTheWay: (() => void)[] = []
    function send(arrive: () => void): void {
      const ms = delay()
      onTheWay.push(arrive)
      const deliver = () => onTheWay.shift()?.()
      if (ms === 0 && onTheWay.length === 1) deliver()
      else setTimeout(deliver, ms)
    }
    sockets.add(from)
    from.setNoDelay(true)
    from.on("data", (bytes) => send(() => to.write(bytes)))
    from.on("end", () => send(() => to.end()))
    // If one side breaks or rejects the connection, the other side is closed too.
    from.on("error", () => to.destroy())
    from.on("close", () => {
      sockets.delete(from)
      send(() => to.destroy())
    })
  }

  const listener = createServer({ allowHalfOpen: true }, join)
  await new Promise<void>((resolve, reject) => {
    listener.on("error", reject)
    listener.listen(0, "127.0.0.1", resolve)
  })
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    // `as`: the server listens on a port, not on a path.
    port: (listener.address() as AddressInfo).port,
    cutAll,
    setDelayMs(ms) {
      delayMs = ms
    },
    nextReply: () => new Promise((resolve) => replyWaiters.push(resolve)),
    setTarget(next) {
      target = next
    },
    close() {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()))
      cutAll()
      return closed
    },
  }
}
