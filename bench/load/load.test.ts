import { afterEach, expect, test } from "bun:test"
import { saturate, type Workload } from "./load.ts"
import { startPacedLoad } from "./paced-load.ts"

const workload: Workload = {
  name: "greeting",
  count: 10,
  request: (index) => Buffer.from(`GET /${index} HTTP/1.1\r\nHost: a\r\n\r\n`),
  bytes: () => 7,
  body: (index) => `hello ${index}`,
}
const greet = (request: Request) => new Response(`hello ${new URL(request.url).pathname.slice(1)}`)

let server: Bun.Server<undefined> | null = null
afterEach(async () => {
  await server?.stop(true)
  server = null
})

function serve(fetch: (request: Request) => Response | Promise<Response>): number {
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch })
  return server.port ?? 0
}

const window = { onStart() {}, onEnd() {} }
const options = { workload, connections: 4, warmUpMs: 10, countedMs: 100 }

test("correct responses are counted, each with its latency", async () => {
  const { requests, latenciesMs } = await saturate({ ...options, port: serve(greet) }, window)
  expect(requests).toBeGreaterThan(0)
  expect(latenciesMs.length).toBe(requests)
  expect(latenciesMs.every((ms) => ms > 0)).toBe(true)
})

test.each([
  ["another status", () => new Response("hello 0", { status: 404 }), "404"],
  ["another length", () => new Response("hello you"), "9 bytes"],
  ["other bytes of the same length", () => new Response("hello X"), "other bytes than expected"],
])("%s ends the run", async (_, response, complaint) => {
  const run = saturate({ ...options, countedMs: 10_000, port: serve(response) }, window)
  await expect(run).rejects.toThrow(complaint)
})

test("at a fixed rate, requests that could not be sent in time count as slow", async () => {
  const stallMs = 300
  let isFirst = true
  const port = serve(async (request) => {
    const isStalled = isFirst
    isFirst = false
    if (isStalled) await Bun.sleep(stallMs)
    return greet(request)
  })
  const load = await startPacedLoad({ port, workload, connections: 1, ratePerSecond: 1_000 })
  // Measured from when a connection was free, only the stalled request would be slow.
  expect(await load.measureP99(Bun.sleep(2 * stallMs))).toBeGreaterThan(stallMs / 3)
  load.stop()
})

test("at a fixed rate, a wrong response ends the run", async () => {
  const port = serve(() => new Response("hello you"))
  const load = await startPacedLoad({ port, workload, connections: 1, ratePerSecond: 1_000 })
  await expect(load.measureP99(Bun.sleep(10_000))).rejects.toThrow("9 bytes")
  load.stop()
})
