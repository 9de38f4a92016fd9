/** nginx and Caddy as deploy/ configures them, in front of a server and in front of one that echoes its requests. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { renderErrorBody } from "../../src/contract/response.ts"
import type { Finding } from "../../src/doctor/finding.ts"
import { pickFreePort } from "../harness/free-port.ts"
import {
  allowShop,
  type EdgeProxy,
  edgeProxies,
  openEdgeProxy,
} from "../harness/http/edge-proxies.ts"
import { parseRaw, sendRaw } from "../harness/http/raw-http.ts"
import { spellingsOf } from "../harness/http/target-spellings.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { runPazar } from "../harness/run-pazar.ts"
import { until } from "../harness/until.ts"

const token = "t".repeat(32)
let program: Program
let key: string
beforeAll(async () => {
  program = await startProgram({
    PAZAR_OPERATOR_TOKEN: token,
    PAZAR_METRICS_TOKEN: token,
    PAZAR_TRUSTED_PROXIES: "127.0.0.1",
  })
  const description = "A long text. ".repeat(400)
  const items = Array.from({ length: 400 }, (_, at) => item("ada", at + 1, { description }))
  await program.load([account("ada"), ...items])
  key = (await program.issue("ada")).secret
})
afterAll(() => program.close())

const get = async (url: string, target: string, headers = "") =>
  parseRaw(
    await sendRaw(
      url,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`,
    ),
  )

const secrets = [
  "key-in-the-query",
  "key-in-a-header",
  "token-in-a-link",
  "code-in-the-query",
] as const

const encodePercents = (text: string) =>
  text.replaceAll(/[a-z_]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
const decodePercents = (text: string) =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

const spelt = (text: string) =>
  fc.constantFrom(
    text,
    text.toUpperCase(),
    encodePercents(text),
    encodePercents(encodePercents(text)),
  )

/** Clients misspell the query, and an imported key can have any format. */
const targetWithKey = fc
  .tuple(
    fc.constantFrom("", "http://localhost"),
    fc.constantFrom(
      "/",
      "/api/items/all",
      "/api/purchases/validation/",
      "/API/x",
      "/docs",
      "/x",
      "//",
    ),
    fc.constantFrom(
      "?",
      "%3F",
      "%3f",
      "%253F",
      "&",
      "%26",
      ";",
      "/",
      "//",
      "",
      "?x=1&",
      "?x=%26",
      " ",
    ),
    fc.oneof(spelt("api_key"), spelt("code"), fc.constant("")),
    fc.constantFrom("=", "%3D", "/", ":", ""),
    fc.constantFrom("", "pzr_sk_", "PZR_VK_", "%70zr_tk_"),
    spelt(secrets[0]),
  )
  .map((pieces) => pieces.join(""))

describe.each(edgeProxies)("$name", (edge) => {
  let proxy: EdgeProxy
  beforeAll(async () => {
    proxy = await openEdgeProxy(edge, [program.url])
  })
  afterAll(() => proxy.close())

  test("reads its file unchanged, with TLS", async () => {
    const { exitCode, stderr } = Bun.spawnSync([...edge.check(program.folder)], {
      env: {
        PATH: process.env.PATH,
        HOME: program.folder,
        SITE_DOMAIN: "api.example.com",
        UPSTREAMS: "pazar:8080",
      },
    })
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr.toString() }).toEqual({
      exitCode: 0,
      stderr: "",
    })
  })

  test("blocks operator paths in every notation", async () => {
    const closed = ["/operator/feed", "/operator/links", "/metrics", "/readyz", "/healthz"]
    const spelt = (path: string) => [
      ...[path, `${path}/`, `/${path}`, `${path}?x=1`, `/api/..${path}`, `/.${path}`],
      ...[path.replace(/\w/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
      ...[`http://localhost${path}`],
    ]
    const authorization = `Authorization: Bearer ${token}\r\n`
    const responses = await Promise.all(
      closed.flatMap(spelt).map(async (target) => {
        const [here, there] = await Promise.all([
          get(proxy.url, target, authorization),
          get(program.url, target, authorization),
        ])
        // A response of the program is acceptable if it serves nothing at this path.
        return here.status === 404 || (here.status === 400 && there.status !== 200)
          ? []
          : [target, here.status]
      }),
    )
    expect(responses.flat()).toEqual([])
  })

  test("forwards no target that a URL parser would rewrite", async () => {
    const echo = Bun.serve({ port: 0, fetch: () => new Response() })
    const other = await openEdgeProxy(edge, [echo.url.href])
    const closed = ["/operator/feed", "/operator/links", "/metrics", "/readyz", "/healthz"]
    const paths = [...closed, "/console", "/console/sign-in", "/api/items/all", "/docs", "/"]
    for (const targets of paths.map(spellingsOf)) {
      const responses = await Promise.all(targets.map((target) => get(other.url, target)))
      const served = targets.filter((_, at) => responses[at]?.status !== 400)
      expect(served).toEqual([])
    }
    const { body, headers } = await get(other.url, "/api/x\\..\\items/all")
    await other.close()
    await echo.stop(true)
    expect(body).toBe(renderErrorBody(null, "invalid_parameter", "en"))
    expect(headers.get("pazar-reason")).toBe("invalid_parameter")
    expect(headers.get("request-id")).toMatch(/^[0-9a-f-]{32,36}$/)
  })

  test("a stranger with other methods takes no node offline", async () => {
    const api_key = "an-imported-key-of-ada"
    const sold = purchase("code-1", 1)
    const nodes = await Promise.all([startProgram(), startProgram()])
    await Promise.all(
      nodes.map((node) => node.load([account("ada", { api_key }), item("ada", 1), sold])),
    )
    const other = await openEdgeProxy(
      edge,
      nodes.map(({ url }) => url),
    )
    const statuses: number[] = []
    for (const method of ["FOO", "PRI", "PROPFIND", "PURGE", "FOO", "PRI", "M-SEARCH", "FOO"]) {
      const head = `${method} /api/items/all HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
      const rejected = await Promise.all([1, 2, 3].map(() => sendRaw(other.url, head)))
      statuses.push(...rejected.map((text) => parseRaw(text).status))
      const body = new URLSearchParams({ api_key, purchase_code: "code-1" })
      const pending = [1, 2, 3, 4].map(() =>
        fetch(`${other.url}/api/purchases/validation`, { method: "POST", body }),
      )
      statuses.push(...(await Promise.all(pending)).map(({ status }) => status))
    }
    await other.close()
    await Promise.all(nodes.map((node) => node.close()))
    expect(statuses).toEqual(
      Array.from({ length: 8 }, () => [405, 405, 405, 200, 200, 200, 200]).flat(),
    )
  })

  test("405: another method gets the API's own JSON", async () => {
    for (const method of ["FOO", "PUT", "DELETE", "TRACE"]) {
      const head = `${method} /api/items/all HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
      const { status, body, headers } = parseRaw(await sendRaw(proxy.url, head))
      expect([status, body]).toEqual([405, renderErrorBody(null, "method_not_allowed", "en")])
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8")
      expect(headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS")
      expect(headers.get("pazar-reason")).toBe("method_not_allowed")
      expect(headers.get("request-id")).toMatch(/^[0-9a-f-]{32,36}$/)
    }
  })

  test.each([
    { store: "192.0.2.50", pushed: 404 },
    { store: "127.0.0.1", pushed: 200 },
  ])("edited as docs/install.md says for the shop at $store: a push gets $pushed", async (each) => {
    const other = await openEdgeProxy(edge, [program.url], allowShop(edge, each.store))
    const headers = { Authorization: `Bearer ${token}` }
    const body = `${JSON.stringify(account("ada"))}\n`.repeat(each.pushed === 200 ? 5_000 : 1)
    const push = await fetch(`${other.url}/operator/feed`, { method: "POST", headers, body })
    expect(push.status).toBe(each.pushed)
    const closed = ["/metrics", "/readyz", "/healthz"].map((path) =>
      fetch(other.url + path, { headers }),
    )
    expect((await Promise.all(closed)).map(({ status }) => status)).toEqual([404, 404, 404])
    await other.close()
  })

  test("serves the pages, the API and a long list", async () => {
    const paths = ["/", "/docs", "/login", "/openapi.json", "/.well-known/pazar-keys.json"]
    const responses = await Promise.all(paths.map((path) => fetch(proxy.url + path)))
    expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200))
    const list = async (base: string) =>
      (await fetch(`${base}/api/items/all`, { headers: { "X-Api-Key": key } })).text()
    const [here, there] = await Promise.all([list(proxy.url), list(program.url)])
    expect(here.length).toBeGreaterThan(2_000_000)
    expect(here === there).toBe(true)
  })

  test("responds to Expect and forwards the body; a body that is too large gets JSON", async () => {
    const body = `api_key=${key}&purchase_code=x`
    const post = `POST /api/purchases/validation HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`
    const form = "Content-Type: application/x-www-form-urlencoded\r\n"
    const expecting = `${post}${form}Expect: 100-Continue\r\nContent-Length: ${body.length}\r\n\r\n`
    const response = await sendRaw(proxy.url, expecting, body)
    expect(response).toStartWith("HTTP/1.1 100 ")
    expect(parseRaw(response).status).toBe(404)
    const large = await fetch(`${proxy.url}/api/purchases/validation`, {
      method: "POST",
      body: new URLSearchParams({ purchase_code: "x".repeat(1_200_000) }),
    })
    expect([large.status, await large.text()]).toEqual([
      413,
      renderErrorBody(null, "too_large", "en"),
    ])
  })

  test("logs no key, code or token, in any notation of a request", async () => {
    const [query, header, link, code] = secrets
    await Promise.all([
      fetch(`${proxy.url}/api/items/all?api_key=${query}&x=${code}`),
      fetch(`${proxy.url}/api/items/all`, { headers: { "X-Api-Key": header, Referer: header } }),
      fetch(`${proxy.url}/invite/${link}`),
      fetch(`${proxy.url}/login/link/${link}`),
      get(proxy.url, `/api/%zz?api_key=${query}`),
    ])
    for (const target of fc.sample(targetWithKey, 200)) await get(proxy.url, target)
    // The line of a request is written after its response; this one is the last.
    await fetch(`${proxy.url}/workspace?last`)
    await until(() => proxy.logged().includes('"/workspace"') || undefined)
    const text = decodePercents(decodePercents(proxy.logged())).toLowerCase()
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })

  test("logs the operation", async () => {
    const described = await (await fetch(`${program.url}/openapi.json`)).text()
    const operations = described.match(/(?<=")\/(api|v3)\/[\w/]+(?=":)/g) ?? []
    for (const path of operations) await fetch(`${proxy.url}${path}?api_key=x`)
    expect(operations.length).toBeGreaterThan(5)
    for (const path of operations)
      await until(() => proxy.logged().includes(`"${path}"`) || undefined)
  })

  test("forwards the client's IP address; 503 without a node", async () => {
    const echo = Bun.serve({
      port: 0,
      fetch: ({ headers }) => Response.json(Object.fromEntries(headers)),
    })
    const other = await openEdgeProxy(edge, [echo.url.href])
    const forged = { "X-Forwarded-For": "6.6.6.6", "X-Forwarded-Proto": "gopher" }
    const seen = await fetch(`${other.url}/api/x`, {
      headers: { ...forged, Host: "api.example.com" },
    })
    expect(await seen.json()).toMatchObject({
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "http",
    })
    await echo.stop(true)
    const lost = await fetch(`${other.url}/api/x?api_key=key-of-a-lost-request`)
    expect([lost.status, await lost.text()]).toEqual([
      503,
      renderErrorBody(null, "unavailable", "en"),
    ])
    const { headers } = lost
    expect(
      ["retry-after", "pazar-reason", "cache-control"].map((name) => headers.get(name)),
    ).toEqual([...["5", "unavailable", "no-store"]])
    await until(() => other.logged().match(/503/) ?? undefined)
    expect(other.logged()).not.toContain("key-of-a-lost-request")
    await other.close()
  })

  test("`doctor --outside` finds no problem but the missing TLS", async () => {
    const args = ["doctor", "--quick", "--json", "--outside", proxy.url]
    const { stdout } = await runInProcess(program.folder, args, {
      env: { PAZAR_PUBLIC_URL: proxy.url, PAZAR_TRUSTED_PROXIES: "127.0.0.1" },
    })
    const { checks }: Readonly<{ checks: readonly Finding[] }> = JSON.parse(stdout)
    const found = checks.map(({ check, level }) => `${check}: ${level}`)
    expect(found.slice(found.indexOf("TLS: problem"))).toEqual([
      ...["TLS: problem", "server: ok", "proxy: ok", "operator paths: ok", "API: ok"],
    ])
  })

  test("without TLS, redirects pages to https, and never a request of the API, which has its key in it", async () => {
    const page = await fetch(`${proxy.plainUrl}/docs?lang=tr`, { redirect: "manual" })
    expect([page.status, page.headers.get("location")]).toEqual([
      301,
      "https://api.example.com/docs?lang=tr",
    ])
    for (const path of ["/api/items/all", "/v3/market/author/sale"]) {
      const url = `${proxy.plainUrl}${path}?api_key=${secrets[0]}`
      const response = await fetch(url, { redirect: "manual" })
      expect([response.status, await response.text()]).toEqual([
        400,
        renderErrorBody(null, "invalid_parameter", "en"),
      ])
    }
    expect(proxy.logged()).not.toContain(secrets[0])
  })
})

test("`doctor --outside` finds no problem with nginx and TLS", async () => {
  const port = pickFreePort()
  const certificate = join(import.meta.dir, "../harness/certificate/server")
  const added = `\tlisten 127.0.0.1:${port} ssl; listen [::1]:${port} ssl; ssl_certificate ${certificate}.crt; ssl_certificate_key ${certificate}.key;\n`
  const proxy = await openEdgeProxy(edgeProxies[0], [program.url], (file) =>
    file.replace(/^\tlisten 443 ssl;\n/m, (line) => `${line}${added}`),
  )
  const url = `https://localhost:${port}`
  const { status, stdout } = await runPazar(program.folder, ["doctor", "--outside", url], {
    env: {
      PAZAR_PUBLIC_URL: url,
      PAZAR_TRUSTED_PROXIES: "127.0.0.1",
      NODE_EXTRA_CA_CERTS: `${certificate}.crt`,
      DATABASE_URL: `sqlite:${join(program.folder, "data/pazar.db")}`,
    },
  })
  await proxy.close()
  expect(stdout).not.toMatch(/^problem/m)
  expect(stdout).toMatch(/^ok +certificate: .*\nok +TLS: /m)
  expect(status).toBe(0)
})

test("nginx listens on IPv6 too", async () => {
  const proxy = await openEdgeProxy(edgeProxies[0], [program.url])
  expect((await fetch(`${proxy.url.replace("127.0.0.1", "[::1]")}/docs`)).status).toBe(200)
  await proxy.close()
})
