import { afterEach, beforeEach, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readConfig } from "../../src/config/config.ts"
import { createLog } from "../../src/platform/log.ts"
import { openThreads } from "../../src/server/listener-threads.ts"
import { createMetrics } from "../../src/usage/metrics.ts"
import { pickFreePort } from "../harness/free-port.ts"
import { temporaryFolder } from "../harness/program.ts"
import { createStore, killTree, startServer } from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"

const harness = (name: string) => new URL(`../harness/faults/${name}`, import.meta.url)
const clients = 4

let folder: string
beforeEach(async () => {
  folder = temporaryFolder()
  await createStore(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

async function startThreads() {
  let logged = ""
  const writeLog = (text: string) => {
    logged += text
  }
  const config = readConfig({
    DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}`,
    PORT: `${pickFreePort()}`,
    PAZAR_THREADS: "3",
  })
  const threads = await openThreads({
    entry: harness("crashing-thread.ts"),
    count: 2,
    config,
    readMain: createMetrics,
    log: createLog("error", writeLog),
    writeLog,
  })
  return { url: `http://127.0.0.1:${config.port}`, logged: () => logged, close: threads.close }
}

test("a thread: the error is logged, and the other thread responds", async () => {
  const { url, logged, close } = await startThreads()
  const outcomes: (number | "failed")[] = []
  let isOver = false
  /** Each request uses a new connection, so that every thread gets some. */
  const requests = Array.from({ length: clients }, async () => {
    while (!isOver) {
      const request = fetch(`${url}/healthz`, { headers: { Connection: "close" } })
      outcomes.push(
        await request.then(
          ({ status }) => status,
          () => "failed" as const,
        ),
      )
    }
  })
  const untilMore = (count: number) => {
    const before = outcomes.length
    return until(() => (outcomes.length > before + count ? true : undefined), workMsMax)
  }
  await untilMore(20)
  new BroadcastChannel("crashes").postMessage(1)
  await until(() => logged().includes("a fault in a thread") || undefined)
  await untilMore(20)
  isOver = true
  await Promise.all(requests)
  await close()
  const failed = outcomes.filter((outcome) => outcome !== 200)
  expect(failed.length).toBeLessThanOrEqual(clients)
})

test("the main thread: the error is logged, and the process exits with status 1", async () => {
  const preload = fileURLToPath(harness("fault-on-signal.ts"))
  const server = await startServer(folder, { BUN_OPTIONS: `--preload=${preload}` })
  server.child.kill("SIGUSR2")
  const { status, stderr } = await server.ended
  await killTree(server)
  expect(status).toBe(1)
  expect(stderr).toMatch(/"level":"error".*a fault in the program/)
  expect(stderr).toContain('"message":"stopped"')
})
