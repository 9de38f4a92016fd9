import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { gunzipSync } from "node:zlib"
import { assets } from "../../src/platform/pages/assets.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, withoutFormTokens } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"

const metricsToken = "metrics-token-of-this-test-12345"
let program: Program
let cookie: string
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error", PAZAR_METRICS_TOKEN: metricsToken })
  const ids = Array.from({ length: 300 }, (_, at) => at + 1)
  const described = (id: number) => ({ name: `Theme ${id} ${crypto.randomUUID()}` })
  await program.load([account("ada"), ...ids.map((id) => item("ada", id, described(id)))])
  const sold = () => ({ buyer: `Buyer ${crypto.randomUUID()}`, site_limit: 3 })
  await program.load(ids.map((id) => purchase(crypto.randomUUID(), id, sold())))
  await givePassword(program, "ada")
  const visitor = await openSignedIn(program.url, "ada")
  cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
})
afterAll(() => program.close())

async function send(path: string, headers: Record<string, string>, method = "GET") {
  const authorization = path === "/metrics" ? { Authorization: `Bearer ${metricsToken}` } : {}
  const response = await fetch(`${program.url}${path}`, {
    method,
    headers: { Cookie: cookie, ...authorization, ...headers },
    decompress: false,
  })
  const { status } = response
  return { status, headers: response.headers, bytes: await response.bytes() }
}

const assetPath = (ending: string) => assets.find(({ path }) => path.endsWith(ending))?.path ?? ""
const salesPath = "/workspace/ada/sales?days=all"
const texts = [
  ...["/", salesPath, "/workspace/ada/nothing", "/docs", "/docs.md", "/openapi.json", "/metrics"],
  ...[assetPath(".css"), assetPath(".js")],
]
const textOf = (bytes: Uint8Array) =>
  withoutFormTokens(Buffer.from(bytes).toString()).replaceAll(/^\w.* [\d.]+$/gm, "")

describe("is compressed if the client accepts it, with the same content:", () => {
  test.each([...texts, "/workspace/ada/sales.csv?days=all"])("%s", async (path) => {
    const plain = await send(path, { "Accept-Encoding": "identity" })
    const sent = await send(path, { "Accept-Encoding": "gzip, deflate, br, zstd" })
    expect(plain.headers.get("content-encoding")).toBeNull()
    expect(sent.headers.get("content-encoding")).toBe("gzip")
    for (const { headers } of [plain, sent])
      expect(headers.get("vary")?.split(", ")).toContain("Accept-Encoding")
    expect(sent.status).toBe(plain.status)
    expect(textOf(gunzipSync(sent.bytes))).toBe(textOf(plain.bytes))
    expect(sent.bytes.length).toBeLessThan(plain.bytes.length)
  })
})

test.each([
  { "Accept-Encoding": "gzip;q=0" },
  { "Accept-Encoding": "*;q=0, identity" },
  { "Accept-Encoding": "br" },
])("a page is not compressed with %j", async (headers) => {
  expect((await send(salesPath, headers)).headers.get("content-encoding")).toBeNull()
})

test("the font, the archive of a client and the short icon are not compressed", async () => {
  for (const path of [assetPath(".woff2"), "/docs/clients/pazar-client.tgz", assetPath(".svg")]) {
    const { status, headers, bytes } = await send(path, { "Accept-Encoding": "gzip" })
    expect([status, headers.get("content-encoding")]).toEqual([200, null])
    expect(headers.get("content-length")).toBe(`${bytes.length}`)
  }
})

test("HEAD has the headers of GET, except the length of a compressed body", async () => {
  for (const path of [salesPath, assetPath(".css"), "/openapi.json"]) {
    const [got, head] = await Promise.all(
      ["GET", "HEAD"].map((method) => send(path, { "Accept-Encoding": "gzip" }, method)),
    )
    const named = (headers: Headers | undefined) =>
      [...(headers ?? [])].filter(
        ([name]) => !["date", "content-length", "transfer-encoding"].includes(name),
      )
    expect(named(head?.headers)).toEqual(named(got?.headers))
    expect(head?.headers.get("content-length")).toBeNull()
    expect(head?.bytes.length).toBe(0)
  }
})

describe("304: with its own entity tag, whether compressed or not", () => {
  test.each([assetPath(".css"), "/openapi.json"])("%s", async (path) => {
    const tags: string[] = []
    for (const coding of ["identity", "gzip"]) {
      const headers = { "Accept-Encoding": coding }
      const tag = (await send(path, headers)).headers.get("etag") ?? ""
      const again = await send(path, { ...headers, "If-None-Match": tag })
      expect([again.status, again.headers.get("etag")]).toEqual([304, tag])
      expect(again.headers.get("vary")).toContain("Accept-Encoding")
      tags.push(tag)
    }
    const [, compressed = ""] = tags
    expect(new Set(tags).size).toBe(2)
    const plain = { "Accept-Encoding": "identity", "If-None-Match": compressed }
    expect((await send(path, plain)).status).toBe(200)
  })
})

test("a page of 50 sales takes less than 30 KB, a first visit less than 120 KB", async () => {
  const bytesOf = async (path: string) =>
    (await send(path, { "Accept-Encoding": "gzip" })).bytes.length
  const page = await bytesOf(salesPath)
  const visited = assets.filter(({ path }) => /^\/assets\/(?:style|script|inter|icon)\./.test(path))
  expect(visited).toHaveLength(4)
  const sizes = await Promise.all(visited.map(({ path }) => bytesOf(path)))
  expect(page).toBeLessThan(30_000)
  expect(sizes.reduce((sum, each) => sum + each, page)).toBeLessThan(120_000)
})
