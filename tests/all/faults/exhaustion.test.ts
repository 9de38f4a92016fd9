import { afterAll, beforeAll, expect, test } from "bun:test"
import { readdirSync, rmSync, statSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { dictionaries } from "../../../src/http/pages/translations/texts.ts"
import { account, item, purchase, toFeed } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import { findValue, readPrometheusText } from "../../harness/http/prometheus-text.ts"
import { retryingFetch } from "../../harness/http/retrying-fetch.ts"
import {
  createStoreFolder,
  killTree,
  type RunningServer,
  runPazar,
  startServer,
} from "../../harness/run-pazar.ts"
import { openOperator, operatorPassword } from "../../harness/test-operators.ts"

const token = "operator-token-of-32-characters-or-more"
const metricsToken = "metrics-token-of-32-characters-or-more"

let folder: string
let server: RunningServer
let key: string
beforeAll(async () => {
  folder = await createStoreFolder()
  const input = toFeed([account("ada"), item("ada", 1), purchase("abc", 1)])
  await runPazar(folder, ["import", "-"], { input })
  key = (await runPazar(folder, ["key", "create", "ada"])).stdout.trim()
  await runPazar(folder, ["operator", "create", "deniz"], { input: operatorPassword })
  server = await startServer(folder, {
    PAZAR_THREADS: "2",
    PAZAR_OPERATOR_TOKEN: token,
    PAZAR_METRICS_TOKEN: metricsToken,
  })
})
afterAll(async () => {
  await killTree(server)
  rmSync(folder, { recursive: true })
})

/** Changes the soft limit only; the process may raise it again up to its hard limit. */
function limit(resource: "fsize" | "nofile", value: number | "unlimited"): void {
  const pid = `${server.child.pid}`
  const { success } = Bun.spawnSync(["prlimit", `--${resource}=${value}:`, "--pid", pid])
  if (!success) throw new Error("prlimit failed")
}

async function push(code: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` }
  const sales = Array.from({ length: 2_000 }, (_, at) => purchase(`${code}-${at}`, 1))
  const init = { method: "POST", headers, body: toFeed(sales) }
  return (await fetch(`${server.url}/operator/feed`, init)).status
}

async function validate(code: string): Promise<number> {
  const body = new URLSearchParams({ api_key: key, purchase_code: code })
  const init = { method: "POST", headers: { Connection: "close" }, body }
  return (await fetch(`${server.url}/api/purchases/validation`, init)).status
}

async function isWritable(): Promise<number | null> {
  const headers = { Authorization: `Bearer ${metricsToken}` }
  const response = await fetch(`${server.url}/metrics`, { headers })
  return findValue(readPrometheusText(await response.text()), "pazar_store_writable")
}

test("503: with a full disk writes fail and the log says why; reads continue, and writes recover", async () => {
  expect(await isWritable()).toBe(1)
  const deniz = await openOperator(server.url, "deniz", retryingFetch)
  const warning = dictionaries.en.home.notWritable
  expect((await deniz.get("/console")).text).not.toContain(warning)
  limit("fsize", statSync(join(folder, "data/pazar.db")).size)
  expect([await push("new"), await validate("abc"), await validate("new-1999")]).toEqual([
    503, 200, 404,
  ])
  await until(async () => (await isWritable()) === 0 || undefined)
  // Each thread reports its own writes: every served page adds a count to write.
  const status = await until(async () => {
    const { text } = await deniz.get("/console")
    return text.includes(warning) ? text : undefined
  })
  expect(status).not.toContain(dictionaries.en.home.noWarnings)
  const ready = await until(async () => {
    await validate("abc")
    const response = await fetch(`${server.url}/readyz`, { headers: { Connection: "close" } })
    const body = await response.text()
    return body.includes("writable") ? [response.status, JSON.parse(body)] : undefined
  })
  expect(ready).toEqual([200, { status: "ready", writable: false }])
  const why = /"level":"error".*(disk is full|disk I\/O error)/
  await until(() => why.test(server.stderr()) || undefined)
  limit("fsize", "unlimited")
  expect([await push("new"), await validate("new-1999")]).toEqual([200, 200])
})

test("200: with a full disk a new site is validated as without a site limit", async () => {
  await runPazar(folder, ["item", "limit", "1", "1"])
  const validateOn = async (site: string) => {
    const body = new URLSearchParams({ api_key: key, purchase_code: "abc", site })
    return (await fetch(`${server.url}/api/purchases/validation`, { method: "POST", body })).status
  }
  expect([await validateOn("a.com"), await validateOn("b.com")]).toEqual([200, 404])
  const body = new URLSearchParams({ api_key: key, purchase_code: "abc", site: "a.com" })
  await fetch(`${server.url}/api/purchases/release`, { method: "POST", body })
  limit("fsize", 1)
  expect([await validateOn("a.com"), await validateOn("b.com")]).toEqual([200, 200])
  limit("fsize", "unlimited")
  expect([await validateOn("b.com"), await validateOn("a.com")]).toEqual([200, 404])
})

function openConnection(): Socket {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
  return socket.on("error", () => {})
}
async function fetchHealth(socket: Socket): Promise<string> {
  const response = new Promise<string>((resolve) => {
    socket.once("data", (bytes) => resolve(String(bytes)))
  })
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
  return response
}

test("without free file descriptors open connections are served, and new ones once some are free", async () => {
  const openFiles = () => readdirSync(`/proc/${server.child.pid}/fd`).length
  const early = openConnection()
  await fetchHealth(early)
  const most = openFiles() + 10
  limit("nofile", most)
  const others = Array.from({ length: 40 }, openConnection)
  // The server accepts a connection when its first bytes arrive.
  for (const socket of others) socket.write("GET /healthz HTT")
  await until(() => (openFiles() === most ? true : undefined))
  expect(await fetchHealth(early)).toStartWith("HTTP/1.1 200 OK\r\n")
  for (const socket of [early, ...others]) socket.destroy()
  expect([await validate("abc"), await push("later")]).toEqual([200, 200])
  server.child.kill("SIGINT")
  expect((await server.ended).status).toBe(0)
})
