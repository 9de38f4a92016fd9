import { expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { pickFreePort } from "../../tests/harness/free-port.ts"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { account, toFeed } from "../../tests/harness/records.ts"
import { until } from "../../tests/harness/until.ts"
import { readConfig } from "../config/config.ts"
import { createLog } from "../platform/log.ts"
import { createMetrics, sumMetrics } from "../usage/metrics.ts"
import { migrateApp } from "./app.ts"
import { type MessageFromThread, openThreads, threadEntry } from "./listener-threads.ts"

const short = new URL("../../tests/harness/faults/short-lived-thread.ts", import.meta.url)

function optionsFor(entry: URL, env: Record<string, string> = {}) {
  let logged = ""
  const writeLog = (text: string) => {
    logged += text
  }
  const log = createLog("warn", writeLog)
  const config = readConfig(env)
  const options = { entry, count: 2, config, readMain: createMetrics, log, writeLog }
  return {
    options,
    logged: () => logged,
    births: () => logged.split("\n").filter((line) => line === "born").length,
  }
}

test("a crashed thread is replaced without delaying the others", async () => {
  const { options, births } = optionsFor(short)
  const threads = await openThreads(options)
  const requests = async () =>
    (await threads.readMetrics()).map(({ routes }) => routes.page.reasons.ok)
  await until(() => births() === 2 || undefined)
  expect(await requests()).toEqual([1, 1])
  // Both threads crash.
  threads.drain()
  await until(() => births() === 4 || undefined)
  // The new threads continue with the counters of the crashed ones.
  expect(await requests()).toEqual([2, 2])
  await threads.close()
  expect(births()).toBe(4)
})

test("a thread that does not respond to a scrape is reported with its last counters", async () => {
  const { options, logged } = optionsFor(
    new URL("../../tests/harness/faults/blocked-thread.ts", import.meta.url),
  )
  const threads = await openThreads(options)
  const requests = async () => sumMetrics(await threads.readMetrics()).routes.page.reasons.ok
  expect([await requests(), await requests()]).toEqual([2, 2])
  options.log.flush()
  expect(logged().match(/did not respond to a scrape/g)).toHaveLength(1)
  await threads.close()
})

test("the server does not start if a thread cannot start", async () => {
  const { options } = optionsFor(new URL("../../tests/harness/no-such-thread.ts", import.meta.url))
  await expect(openThreads(options)).rejects.toThrow()
})

test("a failed fsync in a thread is reported to the main thread", async () => {
  const folder = temporaryFolder()
  const port = pickFreePort()
  const token = "operator-token-of-32-characters-or-more"
  const entry = new URL("../../tests/harness/faults/failing-store-thread.ts", import.meta.url)
  const { options } = optionsFor(entry, {
    DATABASE_URL: `sqlite:${join(folder, "pazar.db")}`,
    PORT: `${port}`,
    PAZAR_OPERATOR_TOKEN: token,
    LOG_LEVEL: "silent",
  })
  await migrateApp(options.config, () => {})
  const threads = await openThreads(options)
  const headers = { Authorization: `Bearer ${token}` }
  const init = { method: "POST", headers, body: toFeed([account("ada")]) }
  const { status } = await fetch(`http://127.0.0.1:${port}/operator/feed`, init)
  expect(status).toBe(503)
  expect((await threads.untilStoreFailed()).message).toContain("fsync")
  await threads.close()
  rmSync(folder, { recursive: true })
})

test("a thread can be closed while it starts", async () => {
  const folder = temporaryFolder()
  const { options } = optionsFor(threadEntry, {
    DATABASE_URL: `sqlite:${join(folder, "pazar.db")}`,
    PORT: `${pickFreePort()}`,
    LOG_LEVEL: "silent",
  })
  await migrateApp(options.config, () => {})
  const { config } = options
  const worker = new Worker(threadEntry, {
    workerData: { config, metrics: createMetrics() },
  })
  const done = new Promise<MessageFromThread>((resolve) => {
    worker.on("message", (message: MessageFromThread) => {
      if (message.kind === "closed") resolve(message)
    })
  })
  worker.postMessage("close")
  expect(await done).toEqual({ kind: "closed" })
  await worker.terminate()
  rmSync(folder, { recursive: true })
})
