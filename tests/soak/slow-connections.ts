/**
 * `npm run soak -- slow [CONNECTIONS [SECONDS]]`: validations beside connections that send their headers or
 * bodies byte by byte, read their answers slowly, or are more than the files that the server may open. The
 * service must answer all the time, and at once when the files are free again.
 */
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { account, item, purchase, toFeed } from "../contracts/records.ts"
import { until } from "../contracts/until.ts"
import { createStore, runPazar, startServer } from "../harness/command.ts"
import { temporaryFolder } from "../harness/program.ts"

const [connections = 1_000, seconds = 15] = process.argv.slice(2).map(Number)
const folder = temporaryFolder()
await createStore(folder)
const items = Array.from({ length: 20_000 }, (_, index) => item("ada", index + 1))
const input = toFeed([account("ada"), ...items, purchase("abc", 1)])
await runPazar(folder, ["import", "-"], { input })
const { stdout } = await runPazar(folder, ["key", "create", "ada"])
const key = stdout.trim()
const server = await startServer(folder, {
  LOG_LEVEL: "error",
  PAZAR_THREADS: "1",
  PAZAR_RATE_LIMIT: "off",
})
const { hostname, port } = new URL(server.url)

/** A connection that sends `opening`, and then a byte a second. */
function dribble(opening: string, drop: string): Socket {
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  socket.write(opening)
  const timer = setInterval(() => socket.write(drop), 1_000)
  socket.once("close", () => clearInterval(timer))
  return socket
}

const post = "POST /api/purchases/validation HTTP/1.1\r\nHost: a\r\n"
const kinds: Readonly<Record<string, () => Socket>> = {
  "slow headers": () => dribble("GET /api/items/all HTTP/1.1\r\nHost: a\r\n", "x: y\r\n"),
  "slow bodies": () => dribble(`${post}Content-Length: 60000\r\n\r\n`, "a"),
  "slow chunks": () => dribble(`${post}Transfer-Encoding: chunked\r\n\r\n`, "1\r\na\r\n"),
  "slow readers": () =>
    dribble(`GET /api/items/all HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n\r\n`, "").pause(),
}

const status = () => readFileSync(`/proc/${server.child.pid}/status`, "utf8")
const megabytes = () => Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status())?.[1]) / 1024)
const openFiles = () => readdirSync(`/proc/${server.child.pid}/fd`).length

async function validate(): Promise<number> {
  const body = new URLSearchParams({ api_key: key, purchase_code: "abc" })
  const url = `${server.url}/api/purchases/validation`
  const signal = AbortSignal.timeout(5_000)
  const headers = { Connection: "close" }
  return (await fetch(url, { method: "POST", body, headers, signal })).status
}

/** Validations on new connections for the given time; `failed` had no answer, or another than 200. */
async function measure(name: string): Promise<void> {
  const latenciesMs: number[] = []
  let failed = 0
  const endsAt = performance.now() + seconds * 1_000
  while (performance.now() < endsAt) {
    const startedAt = performance.now()
    if ((await validate().catch(() => 0)) !== 200) failed += 1
    latenciesMs.push(performance.now() - startedAt)
    await Bun.sleep(10)
  }
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1)
  console.log(
    `${name.padEnd(14)} p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms; ${sorted.length} validations, ${failed} failed; ${openFiles()} files, ${megabytes()} MB`,
  )
  hasFailed ||= failed > 0
}

let hasFailed = false
await measure("nothing else")
for (const [name, open] of Object.entries(kinds)) {
  const filesBefore = openFiles()
  const sockets = Array.from({ length: connections }, open)
  await Promise.all(sockets.map((socket) => once(socket, "connect")))
  await measure(name)
  console.log(`${sockets.filter(({ closed }) => closed).length} of them were cut`)
  for (const socket of sockets) socket.destroy()
  await until(() => (openFiles() < filesBefore + connections / 2 ? true : undefined))
}

const filesMax = openFiles() + 50
Bun.spawnSync(["prlimit", "--pid", String(server.child.pid), `--nofile=${filesMax}:`])
const many = Array.from({ length: 200 }, () => dribble("GET / HTTP/1.1\r\n", "x: y\r\n"))
await until(() => (openFiles() >= filesMax - 1 ? true : undefined))
const during = await validate().catch(() => 0)
for (const socket of many) socket.destroy()
const freedAt = performance.now()
await until(async () => ((await validate().catch(() => 0)) === 200 ? true : undefined))
console.log(
  `all ${filesMax} files in use: ${during === 0 ? "no answer" : during}; again ${Math.round(performance.now() - freedAt)} ms after they were freed`,
)
await server.stop()
process.exit(hasFailed ? 1 : 0)
