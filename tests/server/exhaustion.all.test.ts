import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { dirname, join } from "node:path"
import { $ } from "bun"
import { releaseMasterKey } from "../../scripts/release-store.ts"
import { root } from "../harness/deploy-files.ts"
import { findValue, readPrometheusText } from "../harness/http/prometheus-text.ts"
import { retryingFetch } from "../harness/http/retrying-fetch.ts"
import { temporaryFolder } from "../harness/program.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import {
  createStoreFolder,
  killTree,
  type Launcher,
  launchers,
  type RunningServer,
  readPazar,
  runPazar,
  startServer,
} from "../harness/run-pazar.ts"
import { openOperator, operatorPassword } from "../harness/test-operators.ts"
import { until, workMsMax } from "../harness/until.ts"

const token = "operator-token-of-32-characters-or-more"
const metricsToken = "metrics-token-of-32-characters-or-more"

let folder: string
let server: RunningServer
let key: string
beforeAll(async () => {
  folder = await createStoreFolder()
  const input = toFeed([account("ada"), item("ada", 1), purchase("abc", 1)])
  await readPazar(folder, ["import", "-"], { input })
  key = (await readPazar(folder, ["key", "create", "ada"])).trim()
  await readPazar(folder, ["operator", "create", "deniz"], { input: operatorPassword })
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

function readMemoryMb(field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, "utf8")
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
}

test("30 MB of empty and bad lines take no memory of their size", async () => {
  const before = readMemoryMb("VmRSS")
  const body = `${"x\n".repeat(100_000)}${"\n".repeat(30_000_000)}`
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${server.url}/operator/feed`, { method: "POST", headers, body })
  expect(await response.json()).toMatchObject({ accepted: 0, rejected: 100_000 })
  // 800 MB and more, if all lines of a chunk are split before the first one is parsed.
  expect(readMemoryMb("VmHWM") - before).toBeLessThan(300)
})

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
  const warning =
    "The database is not writable: sign-ins, imports and changes fail. See the log of the server."
  expect((await deniz.get("/console")).text).not.toContain(warning)
  limit("fsize", statSync(join(folder, "data/pazar.db")).size)
  expect([await push("new"), await validate("abc"), await validate("new-1999")]).toEqual([
    503, 200, 404,
  ])
  // Each thread reports its own writes: a validation, on any thread, adds a count to write.
  const untilReported = <T>(look: () => Promise<T | undefined>) =>
    until(async () => {
      await validate("abc")
      return look()
    }, workMsMax)
  await untilReported(async () => (await isWritable()) === 0 || undefined)
  const status = await untilReported(async () => {
    const { text } = await deniz.get("/console")
    return text.includes(warning) ? text : undefined
  })
  expect(status).not.toContain("Nothing needs attention.")
  const ready = await untilReported(async () => {
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
  await readPazar(folder, ["item", "limit", "1", "1"])
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

describe("a full disk leaves no copy", () => {
  let path: string
  beforeEach(async () => {
    path = join(temporaryFolder(), "data/pazar.db")
    mkdirSync(dirname(path))
  })
  afterEach(() => rmSync(dirname(dirname(path)), { recursive: true }))
  const env = { PAZAR_MASTER_KEY: releaseMasterKey }
  const run = (args: readonly string[], launcher: Launcher = "bun", input = "") =>
    runPazar(dirname(dirname(path)), args, { env, launcher, input })
  /** No file can be larger than `bytes`. */
  const limitedTo = (bytes: number): Launcher => ["prlimit", `--fsize=${bytes}`, ...launchers.bun]
  const why = expect.stringMatching(/disk is full|disk I\/O error/)

  test("of a migration", async () => {
    await run(["migrate"])
    const program = ["bun", join(root, "tests/harness/faults/migrate-later.ts"), path]
    const failed = await $`prlimit --fsize=4000 ${program}`.quiet().nothrow()
    expect([failed.exitCode, failed.stderr.toString()]).toEqual([2, why])
    expect(readdirSync(dirname(path)).filter((name) => name.includes("before"))).toEqual([])
    expect((await $`${program}`.quiet()).exitCode).toBe(0)
  })

  test("of a restore", async () => {
    await run(["migrate"])
    // More than the cache of SQLite, which then needs a journal for the copy.
    const sales = Array.from({ length: 12_000 }, (_, at) => purchase(`code-${at}`, 1))
    await run(["import", "-"], "bun", toFeed([account("ada"), item("ada", 1), ...sales]))
    const backup = join(dirname(path), "backup.db")
    await run(["backup", backup])
    const { status, stderr } = await run(["restore", backup, "--force"], limitedTo(65_536))
    expect([status, stderr]).toEqual([2, why])
    expect(readdirSync(dirname(path)).filter((name) => name.includes("unfinished"))).toEqual([])
  })
})
