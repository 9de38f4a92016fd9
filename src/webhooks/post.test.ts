import { afterAll, afterEach, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { message } from "../platform/problem.ts"
import { post, type Target } from "./sender.ts"

type Handler = (request: Request) => Response | Promise<Response>
let open: readonly { stop(isAbrupt: boolean): unknown }[] = []
afterEach(async () => {
  for (const server of open) await server.stop(true)
  open = []
})

const at = (port: number | undefined, changes: Partial<Target> = {}): Target => ({
  address: "127.0.0.1",
  port: port ?? 0,
  isTls: false,
  hostname: "hook.example.com",
  host: "hook.example.com",
  path: "/hook?a=1",
  ...changes,
})
const send = (target: Target, timeoutMs = 300_000, signal = new AbortController().signal) =>
  post(target, { "webhook-id": "msg_1" }, '{"a":"ü"}', { timeoutMs, signal })

function serve(fetch: Handler): Target {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch })
  open = [...open, server]
  return at(server.port)
}
/** Responds to any request with these bytes and leaves the connection open. */
function respondWith(...pieces: readonly string[]): Target {
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      async data(socket) {
        for (const piece of pieces) {
          socket.write(piece)
          await Bun.sleep(1)
        }
      },
    },
  })
  open = [...open, server]
  return at(server.port)
}

test("sends headers and body, and returns status and response", async () => {
  let received: unknown = null
  const target = serve(async (request) => {
    const { method, url, headers } = request
    const names = ["host", "webhook-id", "content-length"]
    received = [
      method,
      new URL(url).pathname,
      ...names.map((name) => headers.get(name)),
      await request.text(),
    ]
    return new Response("thanks", { status: 202 })
  })
  expect(await send(target)).toEqual({ status: 202, problem: null, response: "thanks" })
  expect(received).toEqual(["POST", "/hook", "hook.example.com", "msg_1", "10", '{"a":"ü"}'])
})

describe("the first kilobyte of a response is stored", () => {
  const letters = (count: number) => "a".repeat(count)
  test.each([
    [
      "that is longer",
      [`HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n${letters(2_000)}`],
      letters(1_024),
    ],
    ["without an end", ["HTTP/1.1 200 OK\r\n\r\n", letters(700), letters(700)], letters(1_024)],
    [
      "in chunks",
      [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
        "de\r\n3;x=y\r\nfgh\r\n0\r\n\r\n",
      ],
      "abcdefgh",
    ],
    ["in pieces", ["HTT", "P/1.0 200 \r\nContent-", "Length: 2\r\n\r", "\nok"], "ok"],
    [
      "after others",
      ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"],
      "ok",
    ],
    [
      "in a chunk whose head is endless",
      [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n3;x=",
        letters(9_000),
        letters(9_000),
      ],
      "ok",
    ],
    ["without a body", ["HTTP/1.1 204 No Content\r\n\r\n"], ""],
    [
      "with bytes that are no text",
      ["HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na\0b"],
      "a\uFFFDb",
    ],
  ])("of a response %s", async (_, pieces, response) => {
    // `post` does not wait for the timeout, although the connection stays open.
    const { status, problem, ...rest } = await send(respondWith(...pieces), 3_600_000)
    expect([Math.floor((status ?? 0) / 100), problem, rest.response]).toEqual([2, null, response])
  })

  test("a truncated character is omitted", async () => {
    const { response } = await send(serve(() => new Response(`a${"ü".repeat(1_000)}`)))
    expect(response).toBe(`a${"ü".repeat(511)}`)
  })
})

test("the status counts if the body times out; a redirect is not followed", async () => {
  const elsewhere = serve(() => new Response("followed"))
  const location = `http://127.0.0.1:${elsewhere.port}/`
  const head = `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 100\r\n\r\n`
  expect(await send(respondWith(head, "a"), 200)).toEqual({
    status: 302,
    problem: null,
    response: "a",
  })
})

const failed = (reason: string) => message("connection_failed", { reason })

describe("no response", () => {
  test("when the port is closed", async () => {
    expect(await send(at(1))).toEqual({
      status: null,
      problem: failed("ECONNREFUSED"),
      response: "",
    })
  })
  test.each([
    ["nothing arrives", []],
    ["the head has no end", ["HTTP/1.1 200 OK\r\n"]],
  ])("when %s", async (_, pieces) => {
    const problem = message("no_response", { seconds: 0.2 })
    expect(await send(respondWith(...pieces), 200)).toEqual({ status: null, problem, response: "" })
  })
  test.each([
    ["it is not HTTP", ["SSH-2.0-OpenSSH\r\n\r\n"]],
    ["the head is endless", ["HTTP/1.1 200 OK\r\n", "a: b\r\n".repeat(20_000)]],
    ["it is announced for ever", ["HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000)]],
  ])("when %s", async (_, pieces) => {
    const problem = message("not_http")
    expect(await send(respondWith(...pieces))).toEqual({ status: null, problem, response: "" })
  })
  test("when the connection is closed", async () => {
    const closing = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end() },
    })
    open = [closing]
    const { status, problem } = await send(at(closing.port))
    expect([status, problem]).toEqual([null, message("connection_closed")])
  })
  test("when this server stops", async () => {
    const stop = new AbortController()
    const sending = send(respondWith(), 60_000, stop.signal)
    stop.abort()
    expect(await sending).toMatchObject({ status: null, problem: message("connection_closed") })
  })
})

describe("with TLS", () => {
  const pemOf = (name: string) => readFileSync(`tests/harness/certificate/server.${name}`, "utf8")
  const [cert, key] = [pemOf("crt"), pemOf("key")]
  const trusted = getCACertificates("default")
  const secured = () => {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: { cert, key },
      fetch: () => new Response("safe"),
    })
    open = [server]
    return at(server.port, { isTls: true, hostname: "localhost" })
  }
  afterAll(() => setDefaultCACertificates(trusted))

  test("the certificate and its name are verified", async () => {
    const unknown = await send(secured())
    expect(unknown).toMatchObject({ status: null, problem: failed("DEPTH_ZERO_SELF_SIGNED_CERT") })
    setDefaultCACertificates([...trusted, cert])
    expect(await send(secured())).toMatchObject({ status: 200, response: "safe" })
    const other = { hostname: "hook.example.com" }
    const problem = failed("ERR_TLS_CERT_ALTNAME_INVALID")
    expect(await send({ ...secured(), ...other })).toMatchObject({ status: null, problem })
  })
})
