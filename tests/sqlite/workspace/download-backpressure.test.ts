import { afterAll, beforeAll, expect, test } from "bun:test"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { account, item, purchase } from "../../contracts/records.ts"
import { givePassword } from "../../harness/browser/sample-workspace.ts"
import { openVisitor } from "../../harness/browser/visitor.ts"
import { type Program, startProgram } from "../../harness/program.ts"

/** 24 MB: several times the size of the socket buffers. */
const count = 4_000
const longest = "ğ€".repeat(500)
const rowBytesMin = 2 * Buffer.byteLength(longest)

let program: Program
let cookie: string
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  await program.load([account("ada"), item("ada", 1, { name: longest })])
  const codes = Array.from({ length: count }, (_, at) => `sale-${String(at).padStart(5, "0")}`)
  await program.load(codes.map((code) => purchase(code, 1, { buyer: longest })))
  await givePassword(program, "ada")
  const ada = openVisitor(program.url)
  await ada.signIn("ada")
  cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
})
afterAll(() => program.close())

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

async function openFile(): Promise<Socket> {
  const { hostname, port } = new URL(program.url)
  const socket = connect(Number(port), hostname)
  const headers = `Host: a\r\nConnection: close\r\nCookie: ${cookie}`
  socket.write(`GET /workspace/sales.csv?days=all HTTP/1.1\r\n${headers}\r\n\r\n`)
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
