import { afterAll, beforeAll, expect, test } from "bun:test"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { createInFlight, createTurns } from "../../src/platform/http/in-flight.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { until } from "../harness/until.ts"

/** 12 MB that gzip cannot reduce to a quarter: several times the size of the socket buffers. */
const count = 2_000
const longest = "ğ€".repeat(500)
const rowBytesMin = 2 * Buffer.byteLength(longest)
const randomText = () =>
  String.fromCharCode(...crypto.getRandomValues(new Uint16Array(1_000)).map((n) => 0x4e00 + n / 4))

const inFlight = createInFlight()
let program: Program
let cookie: string
let cookieOfBob: string
beforeAll(async () => {
  const limited = { ...inFlight, takeTurn: createTurns(1_000) }
  program = await startProgram({ LOG_LEVEL: "error" }, {}, limited)
  await program.load([account("ada"), item("ada", 1, { name: longest }), account("bob")])
  const codes = Array.from({ length: count }, (_, at) => `sale-${String(at).padStart(5, "0")}`)
  await program.load(codes.map((code) => purchase(code, 1, { buyer: randomText() })))
  cookie = await signIn("ada")
  cookieOfBob = await signIn("bob")
})
afterAll(() => program.close())

async function signIn(author: string): Promise<string> {
  await givePassword(program, author)
  const visitor = await openSignedIn(program.url, author)
  return [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
}

/** The numbers of rows that the download has read from the database, page by page. */
function watchPages(): readonly number[] {
  const { sales } = program.app.store
  const pages: number[] = []
  const list = sales.list.bind(sales)
  Object.assign(sales, {
    async list(...args: Parameters<typeof list>) {
      const page = await list(...args)
      pages.push(page.sales.length)
      return page
    },
  })
  return pages
}

async function openFile(method = "GET", coding = "identity"): Promise<Socket> {
  const { hostname, port } = new URL(program.url)
  const socket = connect(Number(port), hostname)
  const headers = `Host: a\r\nConnection: close\r\nAccept-Encoding: ${coding}\r\nCookie: ${cookie}`
  socket.write(`${method} /workspace/ada/sales.csv?days=all HTTP/1.1\r\n${headers}\r\n\r\n`)
  await once(socket, "readable")
  return socket
}

/** Resolves when no page is read while the server processes many other requests. */
async function untilStill(pages: readonly number[]): Promise<void> {
  for (let still = 0; still < 200; still += 1) {
    const before = pages.length
    await (await fetch(`${program.url}/healthz`)).text()
    if (pages.length !== before) still = 0
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)

test("200: rows are read as the client reads, about 64 KB at a time, and all arrive", async () => {
  const pages = watchPages()
  const socket = await openFile()
  await untilStill(pages)
  expect(sum(pages)).toBeLessThan(count / 2)
  const pageBytes = pages.slice(1).map((rows) => rows * rowBytesMin)
  expect(Math.max(...pageBytes)).toBeLessThan(256 * 1024)

  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString()
  expect(text).toStartWith("HTTP/1.1 200")
  expect(text).toEndWith("\r\n0\r\n\r\n")
  expect(new Set(text.match(/sale-\d{5}/g)).size).toBe(count)
  expect(sum(pages)).toBe(count)
})

const fileOf = (username: string, Cookie = username === "bob" ? cookieOfBob : cookie) =>
  fetch(`${program.url}/workspace/${username}/sales.csv`, { headers: { Cookie } })
const untilPages = (count: number) => until(() => inFlight.count() === count || undefined)

const codings = ["identity", "gzip"]
const third = "503: a third file of an author while two are not read; others get theirs"
test.each(codings)(`${third} (%s)`, async (coding) => {
  const [first, second] = [await openFile("GET", coding), await openFile("GET", coding)]
  expect(inFlight.count()).toBe(2)
  const rejected = await fileOf("ada")
  expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([503, "5"])
  expect((await fileOf("bob")).status).toBe(200)
  first.destroy()
  await untilPages(1)
  const next = await until(async () => {
    const response = await fileOf("ada")
    return response.status === 200 ? response : undefined
  })
  await next.body?.cancel()
  await untilPages(1)
  second.destroy()
  await untilPages(0)
})

test.each(codings)("HEAD keeps no place (%s)", async (coding) => {
  for (let at = 0; at < 3; at += 1) {
    const socket = await openFile("HEAD", coding)
    expect(String(socket.read())).toStartWith("HTTP/1.1 200")
  }
  await untilPages(0)
})

test("a file that fails frees its places", async () => {
  const { sales } = program.app.store
  const { list } = sales
  for (let at = 0; at < 3; at += 1) {
    Object.assign(sales, { list: () => Promise.reject(new Error("broken")) })
    expect((await fileOf("ada")).status).toBe(500)
    let reads = 0
    Object.assign(sales, {
      list: (...args: Parameters<typeof list>) =>
        reads++ === 0 ? list(...args) : Promise.reject(new Error("broken")),
    })
    const cut = await fileOf("ada")
    expect(cut.status).toBe(200)
    await expect(cut.text()).rejects.toThrow()
  }
  Object.assign(sales, { list })
  await untilPages(0)
})
