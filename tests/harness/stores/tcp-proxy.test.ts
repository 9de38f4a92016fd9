import { afterAll, beforeAll, expect, test } from "bun:test"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { openProxy, type Target, type TcpProxy } from "./tcp-proxy.ts"

/** Answers every piece with its own name and the piece. */
async function openEcho(name: string): Promise<Readonly<{ server: Server; target: Target }>> {
  const server = createServer((socket) => {
    socket.on("data", (bytes) => socket.write(`${name}:${bytes}`))
    socket.on("error", () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // Listening on a port, so not on a path.
  const { port } = server.address() as AddressInfo
  return { server, target: { host: "127.0.0.1", port } }
}

type Caller = Readonly<{ ask(text: string): Promise<string>; closed: Promise<void>; end(): void }>

async function call(port: number): Promise<Caller> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const made: Socket = connect(port, "127.0.0.1", () => resolve(made))
    made.on("error", reject)
  })
  socket.on("error", () => {})
  return {
    ask: (text) =>
      new Promise((resolve) => {
        socket.once("data", (bytes) => resolve(String(bytes)))
        socket.write(text)
      }),
    closed: new Promise((resolve) => socket.on("close", () => resolve())),
    end: () => socket.end(),
  }
}

let one: Awaited<ReturnType<typeof openEcho>>
let other: Awaited<ReturnType<typeof openEcho>>
let proxy: TcpProxy
beforeAll(async () => {
  one = await openEcho("one")
  other = await openEcho("other")
  proxy = await openProxy(one.target)
})
afterAll(async () => {
  await proxy.close()
  one.server.close()
  other.server.close()
})

test("passes data both ways, and the end of a connection", async () => {
  const caller = await call(proxy.port)
  expect(await caller.ask("a")).toBe("one:a")
  expect(await caller.ask("b")).toBe("one:b")
  caller.end()
  await caller.closed
})

test("a cut ends open connections; new ones work", async () => {
  const callers = await Promise.all([call(proxy.port), call(proxy.port)])
  for (const caller of callers) await caller.ask("a")
  proxy.cutAll()
  for (const caller of callers) await caller.closed
  expect(await (await call(proxy.port)).ask("b")).toBe("one:b")
})

test("a delay applies to a round trip, until it is removed", async () => {
  const caller = await call(proxy.port)
  await caller.ask("a")
  proxy.setDelayMs(300)
  const startedAt = performance.now()
  expect(await caller.ask("b")).toBe("one:b")
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295)
  proxy.setDelayMs(0)
  expect(await caller.ask("c")).toBe("one:c")
})

test("a new target applies to new connections; open ones keep theirs", async () => {
  const before = await call(proxy.port)
  await before.ask("a")
  proxy.setTarget(other.target)
  expect(await (await call(proxy.port)).ask("b")).toBe("other:b")
  expect(await before.ask("c")).toBe("one:c")
  proxy.setTarget(one.target)
})

test("without a listener, the connection breaks at once", async () => {
  const gone = await openEcho("gone")
  await new Promise<void>((resolve) => gone.server.close(() => resolve()))
  proxy.setTarget(gone.target)
  await (await call(proxy.port)).closed
  proxy.setTarget(one.target)
})
