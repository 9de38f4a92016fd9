import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createServer } from "node:net"
import { join } from "node:path"
import { createServer as createTlsServer, type TlsOptions } from "node:tls"
import { checkOutside } from "../../src/doctor/check-outside.ts"
import type { Finding } from "../../src/doctor/finding.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { runPazar } from "../harness/run-pazar.ts"

const token = "t".repeat(32)
let program: Program
let untrusting: Program
beforeAll(async () => {
  const settings = { PAZAR_OPERATOR_TOKEN: token, PAZAR_METRICS_TOKEN: token }
  program = await startProgram({ ...settings, PAZAR_TRUSTED_PROXIES: "127.0.0.1,::1" })
  untrusting = await startProgram(settings)
})
afterAll(() => Promise.all([program.close(), untrusting.close()]))

const certificate = join(import.meta.dir, "../harness/certificate")
const tls = {
  cert: await Bun.file(join(certificate, "server.crt")).text(),
  key: await Bun.file(join(certificate, "server.key")).text(),
}

type Proxy = Readonly<{
  isTrusted?: boolean
  isOpen?: boolean
  onRequest?(headers: Headers, path: string): void
  onResponse?(response: Response, path: string, request: Request): Response | Promise<Response>
}>

/** A proxy with TLS that does what deploy/nginx.conf does, unless changed. */
function openProxy({ isTrusted = true, isOpen = false, onRequest, onResponse }: Proxy) {
  const server = isTrusted ? program : untrusting
  return Bun.serve({
    port: 0,
    tls,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      if (!isOpen && /^\/(operator|metrics)/.test(pathname))
        return new Response("", { status: 404 })
      const headers = new Headers(request.headers)
      headers.set("X-Forwarded-For", "198.51.100.9")
      onRequest?.(headers, pathname)
      const { method } = request
      const body = method === "POST" ? await request.text() : null
      const sent = await fetch(server.url + pathname + search, { method, headers, body })
      const received = new Headers(sent.headers)
      received.delete("Content-Encoding")
      received.delete("Content-Length")
      const response = new Response(await sent.text(), { status: sent.status, headers: received })
      return onResponse?.(response, pathname, request) ?? response
    },
  })
}

type Report = Readonly<{ checks: readonly Finding[] }>

const ofOutside = new Set([
  ...["certificate", "TLS", "connection", "public URL", "server"],
  ...["proxy", "operator paths", "API"],
])

async function examine(url: string, { folder } = program) {
  const args = ["doctor", "--quick", "--json", "--outside", url]
  const env = { PAZAR_PUBLIC_URL: url }
  const { status, stdout } = await runInProcess(folder, args, { env })
  const { checks }: Report = JSON.parse(stdout)
  const outside = checks.filter(({ check }) => ofOutside.has(check))
  const failed = outside.filter(({ level }) => level !== "ok").map(({ check }) => check)
  const about = (name: string) =>
    outside
      .filter(({ check }) => check === name)
      .map(({ level, detail, hint }) => [level, detail, hint].join(" "))
      .join("\n")
  return { status, failed: [...new Set(failed)], about }
}

async function examineProxy(proxy: Proxy) {
  const opened = openProxy(proxy)
  const server = proxy.isTrusted === false ? untrusting : program
  const found = await examine(`https://localhost:${opened.port}`, server)
  await opened.stop(true)
  return found
}

test("a certificate that clients accept and a proxy like deploy/nginx.conf: no problem", async () => {
  const proxy = openProxy({})
  const url = `https://localhost:${proxy.port}`
  const env = {
    PAZAR_PUBLIC_URL: url,
    PAZAR_TRUSTED_PROXIES: "127.0.0.1",
    NODE_EXTRA_CA_CERTS: join(certificate, "server.crt"),
  }
  const { status, stdout } = await runPazar(
    program.folder,
    ["doctor", "--quick", "--outside", url],
    {
      env: { DATABASE_URL: `sqlite:${join(program.folder, "data/pazar.db")}`, ...env },
    },
  )
  await proxy.stop(true)
  const lines = stdout.split("\n").filter((line) => /^(ok|warning|problem) /.test(line))
  const outside = lines.filter((line) => ofOutside.has(/^\w+ +([\w ]+):/.exec(line)?.[1] ?? ""))
  expect(outside.filter((line) => !line.startsWith("ok "))).toEqual([])
  expect(outside.map((line) => /^\w+ +([\w ]+):/.exec(line)?.[1])).toEqual([
    ...["certificate", "TLS", "server", "proxy", "operator paths", "API"],
  ])
  expect(stdout).toMatch(/certificate: .*\b2126-10-23: \d+ days/)
  expect(stdout).toContain("198.51.100.9")
  expect(status).toBe(0)
})

test("a certificate of an unknown authority", async () => {
  const { status, failed, about } = await examineProxy({})
  expect([status, failed]).toEqual([1, ["certificate"]])
  expect(about("certificate")).toContain("DEPTH_ZERO_SELF_SIGNED_CERT")
})

describe("the client's IP address", () => {
  test.each<[string, Proxy, RegExp]>([
    [
      "a proxy that is not trusted",
      { isTrusted: false },
      /PAZAR_TRUSTED_PROXIES=(127\.0\.0\.1|::1)/,
    ],
    [
      "a proxy that does not send it",
      { onRequest: (headers) => headers.delete("X-Forwarded-For") },
      /does not set X-Forwarded-For/,
    ],
    [
      "a proxy that forwards what the client claims",
      { onRequest: (headers) => headers.set("X-Forwarded-For", "192.0.2.77") },
      /can claim any IP address/,
    ],
    [
      "a second proxy that is not trusted",
      {
        onRequest: (headers) =>
          headers.set("X-Forwarded-For", "192.0.2.77, 198.51.100.9, 203.0.113.5"),
      },
      /Add 203\.0\.113\.5 to PAZAR_TRUSTED_PROXIES/,
    ],
  ])("%s", async (_, proxy, expected) => {
    const { status, failed, about } = await examineProxy(proxy)
    expect([status, failed]).toEqual([1, ["certificate", "proxy"]])
    expect(about("proxy")).toMatch(expected)
  })

  test("another database behind the URL", async () => {
    const proxy = openProxy({ isTrusted: false })
    const { failed } = await examine(`https://localhost:${proxy.port}`, program)
    await proxy.stop(true)
    expect(failed).toEqual(["certificate", "server", "proxy"])
  })

  test("a stranger learns nothing: without a pass the path is unknown", async () => {
    const read = async (path: string, headers = {}) => {
      const response = await fetch(program.url + path, { headers })
      const names = [...response.headers.keys()].toSorted()
      return [response.status, await response.text(), names, response.headers.get("pazar-reason")]
    }
    const unknown = await read("/api/no-such-path")
    for (const pass of ["", "x", token, "A".repeat(64)])
      expect(await read("/api/doctor", { Authorization: `Bearer ${pass}` })).toEqual(unknown)
    expect(await read("/api/doctor")).toEqual(unknown)
  })
})

test("operator paths that are open are named", async () => {
  const { status, failed, about } = await examineProxy({ isOpen: true })
  expect([status, failed]).toEqual([1, ["certificate", "operator paths"]])
  expect(about("operator paths")).toMatch(/\/operator\/feed.*\/metrics/)
})

describe("the contract", () => {
  const json = { "Content-Type": "application/json" }
  test.each<[string, Proxy]>([
    ["removes X-Api-Key", { onRequest: (headers) => headers.delete("X-Api-Key") }],
    [
      "removes Authorization",
      { onRequest: (headers, path) => path === "/api/doctor" || headers.delete("Authorization") },
    ],
    [
      "has its own page for 404",
      {
        onResponse: (response, path) =>
          response.status === 404 && path !== "/metrics"
            ? new Response("<h1>Not found</h1>", { status: 404 })
            : response,
      },
    ],
    [
      "has its own page for 401",
      {
        onResponse: (response) =>
          response.status === 401 ? new Response("", { status: 401 }) : response,
      },
    ],
    [
      "removes the signature",
      {
        onResponse(response) {
          response.headers.delete("Signature")
          return response
        },
      },
    ],
    [
      "formats JSON",
      {
        onResponse: async (response, path) =>
          path === "/api/purchases/validation"
            ? new Response(JSON.stringify(await response.json(), null, 2), response)
            : response,
      },
    ],
    [
      "sends CORS headers twice",
      {
        onResponse(response) {
          response.headers.append("Access-Control-Allow-Origin", "*")
          return response
        },
      },
    ],
    ["asks people to sign in", { onResponse: () => Response.redirect("/login", 302) }],
    [
      "breaks compressed responses",
      {
        onResponse: (response, path, { headers }) =>
          path === "/openapi.json" && headers.get("Accept-Encoding") === "gzip"
            ? new Response("{}", response)
            : response,
      },
    ],
    [
      "is down for its servers",
      { onResponse: () => Response.json({}, { status: 502, headers: json }) },
    ],
  ])("a proxy that %s", async (_, proxy) => {
    const { status, failed } = await examineProxy(proxy)
    expect([status, failed.includes("API")]).toEqual([1, true])
  })
})

describe("TLS versions", () => {
  const handshakeOnly = (options: TlsOptions) =>
    new Promise<{ url: string; close(): void }>((resolve) => {
      const server = createTlsServer({ ...tls, ...options }, (socket) => {
        socket.on("error", () => {})
        socket.end("HTTP/1.1 503 x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      })
      server.on("tlsClientError", () => {})
      server.listen(0, () => {
        const address = server.address()
        const port = typeof address === "object" ? address?.port : 0
        resolve({ url: `https://localhost:${port}`, close: () => server.close() })
      })
    })

  test.each<[string, TlsOptions, string]>([
    ["1.0 and 1.1", { minVersion: "TLSv1", maxVersion: "TLSv1.3" }, "problem TLS 1.0 and TLS 1.1"],
    ["1.3 only", { minVersion: "TLSv1.3", maxVersion: "TLSv1.3" }, "problem TLS 1.2 refused"],
    ["1.2 only", { minVersion: "TLSv1.2", maxVersion: "TLSv1.2" }, "warning TLS 1.3 refused"],
  ])("%s", async (_, options, expected) => {
    const server = await handshakeOnly(options)
    const { about } = await examine(server.url)
    server.close()
    expect(about("TLS")).toStartWith(expected)
  })
})

describe("an address without a server", () => {
  test("a refused connection is one problem", async () => {
    const free = Bun.serve({ port: 0, fetch: () => new Response() })
    await free.stop(true)
    const { status, failed } = await examine(`https://localhost:${free.port}`)
    expect([status, failed]).toEqual([1, ["connection"]])
  })

  const limits = { connectMsMax: 50, requestMsMax: 50 }
  const checksOf = async (url: URL) => {
    const findings = await checkOutside(
      { url, publicUrl: url.origin, own: null, now: new Date() },
      limits,
    )
    return findings.map(({ check, level }) => `${check} ${level}`)
  }

  test("one that accepts connections, and never responds", async () => {
    const silent = createServer((socket) => socket.on("error", () => {}))
    await new Promise<void>((resolve) => silent.listen(0, resolve))
    const address = silent.address()
    const port = typeof address === "object" ? address?.port : 0
    expect(await checksOf(new URL(`https://localhost:${port}`))).toEqual(["TLS problem"])
    expect(await checksOf(new URL(`http://localhost:${port}`))).toEqual([
      "TLS problem",
      "connection problem",
    ])
    silent.close()
  })

  test("one whose response never ends", async () => {
    const body = () => new ReadableStream({ start: (stream) => stream.enqueue("x") })
    const endless = Bun.serve({ port: 0, fetch: () => new Response(body()) })
    expect(await checksOf(endless.url)).toEqual(["TLS problem", "connection problem"])
    await endless.stop(true)
  })

  test("http is a problem, and the other checks still run", async () => {
    const { status, failed } = await examine(program.url)
    expect([status, failed]).toEqual([1, ["TLS", "proxy", "operator paths"]])
  })

  test.each(["api.example.com", "ftp://api.example.com", ""])("%p is not a URL", async (url) => {
    const args = ["doctor", "--outside", url]
    const { status, stderr } = await runInProcess(program.folder, args)
    expect([status, stderr]).toEqual([2, expect.stringContaining("--outside")])
  })
})
