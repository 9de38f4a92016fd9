/** Rate limits on two threads: what one allows is told to the other, and none depends on another. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readConfig } from "../../../src/config/config.ts"
import { createSteadyClock } from "../../../src/domain/running/steady-clock.ts"
import { createLog } from "../../../src/log/log.ts"
import { createMetricsMemory } from "../../../src/metrics/memory.ts"
import { createExchange } from "../../../src/rate-limits/exchange.ts"
import { machineClocks } from "../../../src/server/machine-clocks.ts"
import { openThreads, type Threads } from "../../../src/server/threads.ts"
import { account, item, purchase, toFeed } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import { folderWithStore, runPazar } from "../../harness/command.ts"
import { pickFreePort } from "../../harness/free-port.ts"

const burst = 20
const here = "198.51.100.7"
const neighbour = "198.51.100.8"

let folder: string
let threads: Threads
let url: string
let key: string
let logged = ""
const told: string[] = []

beforeAll(async () => {
  folder = await folderWithStore()
  const feed = join(folder, "feed.ndjson")
  writeFileSync(feed, toFeed([account("ada"), item("ada", 1), purchase("abc", 1)]))
  await runPazar(folder, ["import", feed])
  key = JSON.parse((await runPazar(folder, ["key", "create", "ada", "--json"])).stdout).key
  const config = readConfig({
    DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}`,
    PORT: `${pickFreePort()}`,
    PAZAR_THREADS: "3",
    PAZAR_TRUSTED_PROXIES: "127.0.0.1",
    PAZAR_RATE_LIMIT: `misses=${burst}/10h`,
  })
  url = `http://127.0.0.1:${config.port}/api/purchases/validation`
  const exchange = createExchange()
  exchange.join((text) => told.push(text))
  const writeLog = (text: string) => {
    logged += text
  }
  threads = await openThreads({
    entry: new URL("../../harness/faults/crashing-thread.ts", import.meta.url),
    count: 2,
    config,
    memory: createMetricsMemory(3, new Date()),
    exchange,
    clock: createSteadyClock(machineClocks),
    log: createLog("error", writeLog),
    writeLog,
  })
})
afterAll(async () => {
  await threads.close()
  rmSync(folder, { recursive: true })
})

/** Each on a new connection, so that every thread gets some. */
async function validate(count: number, code: string, address: string) {
  const ask = async () => {
    const response = await fetch(url, {
      method: "POST",
      headers: { Connection: "close", "X-Forwarded-For": address },
      body: new URLSearchParams({ api_key: key, purchase_code: code }),
    }).catch(() => null)
    await response?.text()
    return response?.headers.get("pazar-reason") ?? "failed"
  }
  return Promise.all(Array.from({ length: count }, ask))
}
const countOf = (reasons: readonly string[], reason: string) =>
  reasons.filter((each) => each === reason).length

test("a burst is allowed by each of them at most, and then refused by both", async () => {
  const misses = countOf(await validate(300, "guess", here), "unknown_code")
  expect(misses).toBeGreaterThanOrEqual(burst)
  expect(misses).toBeLessThanOrEqual(2 * burst)
  await until(() => {
    const spentMs = [...told.join(" ").matchAll(/misses:\S+=(\d+)/g)].map(([, ms]) => Number(ms))
    return spentMs.reduce((sum, ms) => sum + ms, 0) === misses * 1_800_000 || undefined
  })
  await until(
    async () => countOf(await validate(40, "abc", here), "rate_limited") === 40 || undefined,
  )
  expect(countOf(await validate(40, "abc", neighbour), "ok")).toBe(40)
})

test("a thread that dies holds nobody up, and forgets only what it counted itself", async () => {
  new BroadcastChannel("crashes").postMessage(1)
  await until(() => logged.includes("a fault in a thread") || undefined)
  await until(async () => countOf(await validate(40, "abc", neighbour), "ok") === 40 || undefined)
  // The other one still refuses; the one in its place begins with a budget of its own.
  await until(async () => countOf(await validate(40, "abc", here), "rate_limited") > 0 || undefined)
  expect(countOf(await validate(300, "guess", here), "unknown_code")).toBeLessThanOrEqual(burst)
})
