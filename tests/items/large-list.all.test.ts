import { afterAll, beforeAll, expect, test } from "bun:test"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn } from "../harness/browser/visitor.ts"
import { parseRaw, sendRaw } from "../harness/http/raw-http.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { until, workMsMax } from "../harness/until.ts"

const count = 100_000
let program: Program
let key: string

beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  await program.load([account("ada")])
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  await program.load(ids.map((id) => item("ada", id, { hidden: id % 1000 === 0 })))
  await program.load([purchase("abc", 1)])
  key = (await program.issue("ada")).secret
})
afterAll(() => program.close())

const visible = Array.from({ length: count }, (_, index) => count - index).filter((id) => id % 1000)
const idsOf = (text: string): number[] => JSON.parse(text).items.map(({ id }: { id: number }) => id)
const list = (headers: Record<string, string> = {}) =>
  fetch(`${program.url}/api/items/all`, {
    headers: { "X-Api-Key": key, ...headers },
    decompress: false,
  })

test("200: complete, valid JSON, newest first", async () => {
  const response = await list({ "Accept-Encoding": "identity" })
  expect(idsOf(await response.text())).toEqual(visible)
})

test("200: gzip has the same content", async () => {
  const response = await list({ "Accept-Encoding": "gzip" })
  expect(response.headers.get("content-encoding")).toBe("gzip")
  expect(idsOf(gunzipSync(await response.bytes()).toString())).toEqual(visible)
})

test("200: over HTTP/1.0, which has no chunked encoding", async () => {
  const request = `GET /api/items/all?api_key=${key} HTTP/1.0\r\n\r\n`
  const { headers, body } = parseRaw(await sendRaw(program.url, request))
  expect(headers.get("transfer-encoding")).toBeNull()
  expect(idsOf(body)).toEqual(visible)
})

test("304: an unchanged list is not read", async () => {
  const first = await list({ "Accept-Encoding": "identity" })
  const tag = first.headers.get("etag") ?? ""
  await first.body?.cancel()
  expect((await list({ "Accept-Encoding": "identity", "If-None-Match": tag })).status).toBe(304)
})

test("200: few items with long texts are all listed, newest first", async () => {
  const ids = Array.from({ length: 80 }, (_, index) => 200_000 + index)
  const description = "Uzun bir açıklama. ".repeat(1_000)
  await program.load([account("bob"), ...ids.map((id) => item("bob", id, { description }))])
  const { secret } = await program.issue("bob")
  const response = await fetch(`${program.url}/api/items/all?api_key=${secret}`)
  expect(idsOf(await response.text())).toEqual(ids.toReversed())
})

const databaseUrl = () => `sqlite:${join(program.folder, "data/pazar.db")}`

/** A separate process, because client and server would share the event loop in this one. */
async function startServer() {
  const main = join(import.meta.dir, "../../src/main.ts")
  const server = Bun.spawn([process.execPath, main, "serve"], {
    env: {
      PORT: "0",
      LOG_LEVEL: "error",
      DATABASE_URL: databaseUrl(),
    },
  })
  const started = await server.stdout.getReader().read()
  const url = new TextDecoder().decode(started.value).replace("listening on ", "").trim()
  return { server, url }
}

async function countResponsesDuringList(url: string): Promise<number> {
  const reader = Bun.spawn(["curl", "-s", "-o", "/dev/null", `${url}/api/items/all?api_key=${key}`])
  let responded = 0
  while (reader.exitCode === null) {
    const body = new URLSearchParams({ api_key: key, purchase_code: "abc" })
    const valid = await fetch(`${url}/api/purchases/validation`, { method: "POST", body })
    expect(valid.status).toBe(200)
    responded += 1
  }
  return responded
}

test("other requests get responses while the list is sent", async () => {
  const { server, url } = await startServer()
  // A blocking list would always allow one or two responses; a busy machine sometimes allows few too.
  await until(async () => (await countResponsesDuringList(url)) > 3 || undefined, workMsMax)
  server.kill()
  await server.exited
})

function openRequest(url: string, path: string, header: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\nConnection: close\r\n\r\n`)
  return socket
}

/** A server with a short idle time-out, and a function that resolves when it has closed a connection. */
async function startHasty() {
  const hasty = await startProgram(
    { LOG_LEVEL: "error", DATABASE_URL: databaseUrl() },
    { idleSeconds: 1 },
  )
  const { hostname, port } = new URL(hasty.url)
  async function untilIdleIsCut(path: string): Promise<void> {
    const idle = connect(Number(port), hostname)
    idle.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await once(idle.resume(), "close")
  }
  return { hasty, untilIdleIsCut }
}

async function readRest(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("latin1")
}

test("a reader that pauses for longer than the idle time-out gets the whole list", async () => {
  const { hasty, untilIdleIsCut } = await startHasty()
  const socket = openRequest(hasty.url, "/api/items/all", `X-Api-Key: ${key}`)
  await once(socket, "readable")
  await untilIdleIsCut("/healthz")
  expect(await readRest(socket)).toEndWith("]}\r\n0\r\n\r\n")
  await hasty.close()
})

test("a reader of a file that pauses gets the whole file", async () => {
  // The operating system buffers 5 MB of the response.
  const [buyer, license_type] = ["語".repeat(250), "語".repeat(250)]
  await program.load([account("can"), item("can", 300_000)])
  await program.load(
    Array.from({ length: 8_000 }, (_, nth) =>
      purchase(`of ${nth}`, 300_000, { buyer, license_type }),
    ),
  )
  await givePassword(program, "can")
  const { hasty, untilIdleIsCut } = await startHasty()
  const can = await openSignedIn(hasty.url, "can")
  const cookies = [...can.cookies].map(([name, value]) => `${name}=${value}`)
  const socket = openRequest(
    hasty.url,
    "/workspace/can/sales.csv?days=all",
    `Cookie: ${cookies.join("; ")}`,
  )
  await once(socket, "readable")
  await untilIdleIsCut("/login")
  expect(await readRest(socket)).toEndWith("\r\n0\r\n\r\n")
  await hasty.close()
})

test("readers that stop reading use little memory", async () => {
  const { server, url } = await startServer()
  const megabytes = async () =>
    Number(
      await new Response(Bun.spawn(["ps", "-o", "rss=", "-p", `${server.pid}`]).stdout).text(),
    ) / 1024
  const before = await megabytes()
  const sockets = Array.from({ length: 40 }, () =>
    openRequest(url, "/api/items/all", `X-Api-Key: ${key}`),
  )
  await Promise.all(sockets.map((socket) => once(socket, "readable")))
  const looks: number[] = []
  const settled = await until(async () => {
    looks.push(await megabytes())
    const latest = looks.slice(-10)
    const isSettled = latest.length === 10 && Math.max(...latest) - Math.min(...latest) < 1
    return isSettled ? latest[0] : undefined
  }, workMsMax)
  for (const socket of sockets) socket.destroy()
  server.kill()
  await server.exited
  // Forty lists of 44 MB each would be 1,760 MB.
  expect(settled - before).toBeLessThan(300)
})
