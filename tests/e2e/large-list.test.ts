/** "All" stays all, for one item and for 100,000. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { once } from "node:events"
import { connect } from "node:net"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { type Program, startProgram } from "../harness/program.ts"
import { parseRaw, sendRaw } from "../harness/raw-http.ts"
import { account, item, purchase } from "../harness/records.ts"

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

test("200: packed, it is the same", async () => {
  const response = await list({ "Accept-Encoding": "gzip" })
  expect(response.headers.get("content-encoding")).toBe("gzip")
  expect(idsOf(gunzipSync(await response.bytes()).toString())).toEqual(visible)
})

test("200: over HTTP/1.0, which knows no chunks", async () => {
  const request = `GET /api/items/all?api_key=${key} HTTP/1.0\r\n\r\n`
  const { headers, body } = parseRaw(await sendRaw(program.url, request))
  expect(headers.get("transfer-encoding")).toBeNull()
  expect(idsOf(body)).toEqual(visible)
})

test("304: known, it is not read at all", async () => {
  const first = await list({ "Accept-Encoding": "identity" })
  const tag = first.headers.get("etag") ?? ""
  await first.body?.cancel()
  expect((await list({ "Accept-Encoding": "identity", "If-None-Match": tag })).status).toBe(304)
})

/** A process of its own: in this one, client and server would give way for each other. */
async function startServer() {
  const main = join(import.meta.dir, "../../src/main.ts")
  const server = Bun.spawn([process.execPath, main, "serve"], {
    env: {
      PORT: "0",
      LOG_LEVEL: "error",
      DATABASE_URL: `sqlite:${join(program.folder, "data/pazar.db")}`,
    },
  })
  const started = await server.stdout.getReader().read()
  const url = new TextDecoder().decode(started.value).replace("listening on ", "").trim()
  return { server, url }
}

test("other requests are answered while it is on its way", async () => {
  const { server, url } = await startServer()
  const startedAt = performance.now()
  const reader = Bun.spawn(["curl", "-s", "-o", "/dev/null", `${url}/api/items/all?api_key=${key}`])
  let longestMs = 0
  while (reader.exitCode === null) {
    const askedAt = performance.now()
    const body = new URLSearchParams({ api_key: key, purchase_code: "abc" })
    const valid = await fetch(`${url}/api/purchases/validation`, { method: "POST", body })
    expect(valid.status).toBe(200)
    longestMs = Math.max(longestMs, performance.now() - askedAt)
  }
  const listMs = performance.now() - startedAt
  server.kill()
  await server.exited
  // If one of them had to wait for the whole list, the two would be about the same.
  expect(longestMs).toBeLessThan(listMs / 2)
})

test("a reader that pauses for longer than connections may be idle gets all of it", async () => {
  const { hostname, port } = new URL(program.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /api/items/all HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`,
  )
  await once(socket, "readable")
  // The runtime cuts an idle connection after 12 s.
  await Bun.sleep(14_000)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(Buffer.from(chunk))
  expect(Buffer.concat(chunks).toString("latin1")).toEndWith("]}\r\n0\r\n\r\n")
})

test("readers that stop reading hold up little memory", async () => {
  const { server, url } = await startServer()
  const { hostname, port } = new URL(url)
  const megabytes = async () =>
    Number(
      await new Response(Bun.spawn(["ps", "-o", "rss=", "-p", `${server.pid}`]).stdout).text(),
    ) / 1024
  const before = await megabytes()
  const sockets = Array.from({ length: 40 }, () => {
    const socket = connect(Number(port), hostname)
    socket.write(`GET /api/items/all HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n\r\n`)
    return socket.pause()
  })
  await Bun.sleep(2_000)
  const grown = (await megabytes()) - before
  for (const socket of sockets) socket.destroy()
  server.kill()
  await server.exited
  // Forty lists of 44 MB each would be 1,760 MB.
  expect(grown).toBeLessThan(300)
})
