import { expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { account, toFeed } from "../../tests/contracts/records.ts"
import { until } from "../../tests/contracts/until.ts"
import { pickFreePort } from "../../tests/harness/free-port.ts"
import { findValue, readPrometheusText } from "../../tests/harness/http/prometheus-text.ts"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { readConfig } from "../config/config.ts"
import { createLog } from "../log/log.ts"
import { listFamilies, renderFamilies } from "../metrics/families.ts"
import { createMetricsMemory, type MetricsMemory } from "../metrics/memory.ts"
import { migrateApp } from "./app.ts"
import { type FromThread, openThreads, threadEntry } from "./threads.ts"

const short = new URL("../../tests/harness/faults/short-lived-thread.ts", import.meta.url)

function optionsFor(entry: URL, env: Record<string, string> = {}) {
  let logged = ""
  const writeLog = (text: string) => {
    logged += text
  }
  const log = createLog("error", writeLog)
  const memory = createMetricsMemory(3, new Date())
  const config = readConfig(env)
  const options = { entry, count: 2, config, memory, log, writeLog }
  const counted = (
    name: string,
    labels: Readonly<Record<string, string>> = {},
    rows: MetricsMemory = memory,
  ) => {
    const facts = { version: "1", nowMs: 0, processFacts: null }
    const scrape = { memory: rows, ...facts }
    return findValue(readPrometheusText(renderFamilies(listFamilies(scrape))), name, labels)
  }
  return {
    options,
    counted,
    births: () => logged.split("\n").filter((line) => line === "born").length,
  }
}

test("a thread that dies is replaced, and the others are not held up by it", async () => {
  const { options, births, counted } = optionsFor(short)
  const page = { operation: "page", reason: "ok" }
  /** Of each thread, the main one first. */
  const requests = () => options.memory.map((row) => counted("pazar_requests_total", page, [row]))
  const threads = await openThreads(options)
  await until(() => births() === 2 || undefined)
  expect(requests()).toEqual([0, 1, 1])
  // Both die of it.
  threads.drain()
  await until(() => births() === 4 || undefined)
  await threads.close()
  expect(births()).toBe(4)
  // The new threads go on with the counts of the dead ones.
  expect(requests()).toEqual([0, 2, 2])
  expect(counted("pazar_thread_failures_total")).toBe(2)
})

test("a thread that cannot start is a failure to start", async () => {
  const { options } = optionsFor(new URL("../../tests/harness/no-such-thread.ts", import.meta.url))
  await expect(openThreads(options)).rejects.toThrow()
})

test("what a thread writes every thread can tell, before its answer is out", async () => {
  const folder = temporaryFolder()
  const port = pickFreePort()
  const token = "operator-token-of-32-characters-or-more"
  const { options } = optionsFor(new URL("thread.ts", import.meta.url), {
    DATABASE_URL: `sqlite:${join(folder, "pazar.db")}`,
    PORT: `${port}`,
    PAZAR_THREADS: "3",
    PAZAR_OPERATOR_TOKEN: token,
    LOG_LEVEL: "silent",
  })
  await migrateApp(options.config, () => {})
  const threads = await openThreads(options)
  try {
    const { store } = options.config
    if (store.kind !== "sqlite") throw new Error("another store than was wished for")
    const before = Atomics.load(store.shared, 0)
    const headers = { Authorization: `Bearer ${token}` }
    const init = { method: "POST", headers, body: toFeed([account("ada")]) }
    const { status } = await fetch(`http://127.0.0.1:${port}/operator/feed`, init)
    expect(status).toBe(200)
    expect(Atomics.load(store.shared, 0)).toBeGreaterThan(before)
  } finally {
    await threads.close()
    rmSync(folder, { recursive: true })
  }
})

test("a thread that is told to close while it starts closes", async () => {
  const folder = temporaryFolder()
  const { options } = optionsFor(threadEntry, {
    DATABASE_URL: `sqlite:${join(folder, "pazar.db")}`,
    PORT: `${pickFreePort()}`,
    LOG_LEVEL: "silent",
  })
  await migrateApp(options.config, () => {})
  const { config, memory } = options
  const worker = new Worker(threadEntry, {
    workerData: { config, memory, thread: 1 },
  })
  const done = new Promise<FromThread>((resolve) => {
    worker.on("message", (message: FromThread) => {
      if (message.kind === "closed") resolve(message)
    })
  })
  worker.postMessage("close")
  expect(await done).toEqual({ kind: "closed" })
  await worker.terminate()
  rmSync(folder, { recursive: true })
})
