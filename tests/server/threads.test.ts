import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findValue, readPrometheusText } from "../harness/http/prometheus-text.ts"
import { retryingFetch } from "../harness/http/retrying-fetch.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import {
  createStoreFolder,
  type RunningCommand,
  readPazar,
  runPazar,
  spawnPazar,
} from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"

const threads = 3
const operatorToken = "operator-token-of-32-characters-or-more"
const metricsToken = "metrics-token-of-32-characters-or-more"
const env = {
  PORT: "0",
  PAZAR_THREADS: String(threads),
  LOG_LEVEL: "debug",
  PAZAR_OPERATOR_TOKEN: operatorToken,
  PAZAR_METRICS_TOKEN: metricsToken,
}
let folder: string
let running: RunningCommand
let url: string
let key: { id: string; key: string }

beforeAll(async () => {
  folder = await createStoreFolder()
  const feed = join(folder, "feed.ndjson")
  writeFileSync(feed, toFeed([account("ada"), item("ada", 1), purchase("abc", 1)]))
  await readPazar(folder, ["import", feed])
  key = JSON.parse(await readPazar(folder, ["key", "create", "ada", "--json"]))
  running = await spawnPazar(folder, ["serve"], env)
  url = await until(() => /listening on (\S+)/.exec(running.stdout())?.[1], workMsMax)
})
afterAll(async () => {
  running.child.kill("SIGKILL")
  await running.ended
  rmSync(folder, { recursive: true })
})

let validations = 0
/** Each request uses a new connection, so that every thread gets some. */
async function validateMany(count: number): Promise<readonly (string | null)[]> {
  const body = new URLSearchParams({ api_key: key.key, purchase_code: "abc" })
  const validate = async () => {
    const headers = { Connection: "close" }
    const init = { method: "POST", headers, body }
    const response = await fetch(`${url}/api/purchases/validation`, init)
    await response.text()
    return response.headers.get("pazar-reason")
  }
  validations += count
  return Promise.all(Array.from({ length: count }, validate))
}

test("every thread listens on the printed URL", () => {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0")
  const listening = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .filter((line) => new RegExp(`:${port} \\S+ 0A `).test(line))
  expect(listening).toHaveLength(threads)
})

test("another server on the same port is rejected", async () => {
  const { status, stderr } = await runPazar(folder, ["serve"], {
    env: { ...env, PORT: new URL(url).port },
  })
  expect(status).toBe(2)
  expect(stderr).toMatch(new RegExp(`^pazar: .*:${new URL(url).port}\\b`))
})

// A thread that is busy while data is pushed ends its turn with the data of its start.
test("every thread soon returns data that was pushed to one", async () => {
  const push = async (name: string) => {
    const headers = { Authorization: `Bearer ${operatorToken}` }
    const body = toFeed([item("ada", 1, { name })])
    expect((await fetch(`${url}/operator/feed`, { method: "POST", headers, body })).status).toBe(
      200,
    )
  }
  const readName = async () => {
    const headers = { Connection: "close" }
    const response = await retryingFetch(`${url}/api/items/item?api_key=${key.key}&item_id=1`, {
      headers,
    })
    return JSON.parse(await response.text()).item.name
  }
  for (let round = 0; round < 30; round += 1) {
    await push(`name ${round}`)
    await until(async () => {
      const names = await Promise.all(Array.from({ length: 12 }, readName))
      return names.every((name) => name === `name ${round}`) ? true : undefined
    })
  }
})

test("the keys of a suspended account are soon rejected by every thread, and then accepted again", async () => {
  for (const [command, wanted] of [
    ["suspend", "account_suspended"],
    ["resume", "ok"],
  ] as const) {
    expect((await runPazar(folder, ["account", command, "ada"])).status).toBe(0)
    await until(async () =>
      (await validateMany(60)).every((reason) => reason === wanted) ? true : undefined,
    )
  }
})

test("a revoked key is soon rejected by every thread", async () => {
  expect(new Set(await validateMany(60))).toEqual(new Set(["ok"]))
  await readPazar(folder, ["key", "revoke", key.id])
  await until(async () => ((await validateMany(60)).includes("ok") ? undefined : true))
  expect(new Set(await validateMany(60))).toEqual(new Set(["revoked_key"]))
})

test("every thread returns the metrics of all", async () => {
  const scrape = async () => {
    const headers = { Authorization: `Bearer ${metricsToken}`, Connection: "close" }
    const text = await (await fetch(`${url}/metrics`, { headers })).text()
    const [name, operation] = ["pazar_requests_total", "validate_purchase"]
    const families = readPrometheusText(text)
    return ["ok", "revoked_key", "account_suspended"].map(
      (reason) => findValue(families, name, { operation, reason }) ?? Number.NaN,
    )
  }
  const all = await Promise.all(Array.from({ length: 20 }, scrape))
  const [[ok = 0, revoked = 0, suspended = 0] = []] = all
  expect(ok + revoked + suspended).toBe(validations)
  expect(all).toEqual(all.map(() => [ok, revoked, suspended]))
})

test("the threads together allow the configured number of failed validations", async () => {
  const limitEnv = { ...env, PAZAR_RATE_LIMIT: "30", LOG_LEVEL: "silent" }
  const limited = await spawnPazar(folder, ["serve"], limitEnv)
  try {
    const at = await until(() => /listening on (\S+)/.exec(limited.stdout())?.[1], workMsMax)
    const secret = JSON.parse(await readPazar(folder, ["key", "create", "ada", "--json"])).key
    const headers = { "X-Api-Key": secret, Connection: "close" }
    const body = new URLSearchParams({ purchase_code: "guess" })
    const guess = async () => {
      const response = await fetch(`${at}/api/purchases/validation`, {
        method: "POST",
        headers,
        body,
      })
      await response.text()
      return response.status
    }
    const statuses = await Promise.all(Array.from({ length: 300 }, guess))
    const answered = statuses.filter((status) => status === 404).length
    expect(statuses.filter((status) => status === 429)).toHaveLength(300 - answered)
    // A thread allows another failure after a minute.
    expect([30, 31, 32, 33]).toContain(answered)
  } finally {
    limited.child.kill("SIGKILL")
    await limited.ended
  }
})

test("log lines of all threads are complete, and a stop is clean", async () => {
  running.child.kill("SIGINT")
  expect((await running.ended).status).toBe(0)
  const lines = running.stderr().trim().split("\n")
  const received = lines.filter((line) => {
    const { route, requestId } = JSON.parse(line)
    return route === "validate_purchase" && requestId !== undefined
  })
  expect(received).toHaveLength(validations)
})
