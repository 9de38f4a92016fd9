import { afterAll, beforeAll, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { Client } from "pg"
import { lockFeed } from "../../src/feed/feed-store-postgres.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import { findValue, readPrometheusText } from "../harness/http/prometheus-text.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import {
  type PostgresServer,
  queryPostgres,
  startPostgres,
} from "../harness/stores/postgres-server.ts"
import { until, workMsMax } from "../harness/until.ts"

const token = "operator-token-of-32-characters-or-more"
const metricsToken = "metrics-token-of-32-characters-or-more"
let server: PostgresServer
let url: string
let program: Program
let key: string
beforeAll(async () => {
  server = await startPostgres()
  url = await server.createMigratedDatabase()
  program = await startProgram({
    LOG_LEVEL: "silent",
    PAZAR_OPERATOR_TOKEN: token,
    DATABASE_URL: url,
    PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
  })
  await program.load([account("ada"), item("ada", 1), purchase("abc", 1)])
  key = (await program.issue("ada")).secret
})
afterAll(async () => {
  await program.close()
  await server.stop()
})

async function validate(): Promise<number> {
  const body = new URLSearchParams({ api_key: key, purchase_code: "abc" })
  const response = await openapiFetch(`${program.url}/api/purchases/validation`, {
    method: "POST",
    body,
  })
  await response.text()
  return response.status
}

const validateMany = (count: number) => Promise.all(Array.from({ length: count }, validate))

const untilOk = () => until(async () => ((await validate()) === 200 ? true : undefined), workMsMax)

/** A frozen server never responds, so every response proves one of our time-outs. */
test("503: a frozen database, on every request; 200 after it is resumed", async () => {
  expect(await validate()).toBe(200)
  server.signal("SIGSTOP")
  const responses = await validateMany(50)
  server.signal("SIGCONT")
  expect(new Set(responses)).toEqual(new Set([503]))
  await untilOk()
})

test("503: /readyz of a frozen database, while /healthz returns 200; ready again afterwards", async () => {
  const probe = (path: string) => fetch(`${program.url}${path}`)
  const untilReady = () =>
    until(async () => ((await probe("/readyz")).status === 200 ? true : undefined), workMsMax)
  await untilReady()
  server.signal("SIGSTOP")
  const [ready, healthy] = await Promise.all([probe("/readyz"), probe("/healthz")])
  server.signal("SIGCONT")
  expect([ready.status, healthy.status]).toEqual([503, 200])
  expect(await ready.json()).toEqual({ status: "unavailable" })
  await untilReady()
})

test("503: a database killed under load, or 200, nothing else; 200 after its restart", async () => {
  const seen = new Set<number>()
  const load = (async () => {
    while (!seen.has(503)) for (const status of await validateMany(20)) seen.add(status)
  })()
  await until(() => (seen.has(200) ? true : undefined))
  server.signal("SIGKILL")
  await load
  expect([...seen].sort()).toEqual([200, 503])
  expect(await validate()).toBe(503)
  await server.startAgain()
  await untilOk()
})

test("503: a full disk stores the first batches and serves reads; with free space the feed completes", async () => {
  const description = () => randomBytes(30_000).toString("base64")
  const lines = Array.from({ length: 500 }, (_, index) =>
    item("ada", 100 + index, { description: description() }),
  )
  const push = () =>
    openapiFetch(`${program.url}/operator/feed`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: toFeed(lines),
    })
  const listed = async () => {
    const response = await openapiFetch(`${program.url}/api/items/all?api_key=${key}`)
    const { items }: { items: { id: number }[] } = JSON.parse(await response.text())
    return items.map(({ id }) => id).filter((id) => id >= 100)
  }
  // One segment of the write-ahead log, which must still be written; the items need more.
  server.limitFiles(16 * 1024 ** 2)
  const before = performance.now()
  expect((await push()).status).toBe(503)
  expect(program.app.store.writeTimes().failedAtMs).toBeGreaterThanOrEqual(before)
  expect(await validate()).toBe(200)
  const stored = await listed()
  expect(stored.length).toBeLessThan(lines.length)
  expect(stored).toEqual(Array.from(stored, (_, index) => 99 + stored.length - index))
  server.limitFiles("unlimited")
  expect((await push()).status).toBe(200)
  expect((await listed()).length).toBe(lines.length)
})

test("503: pushes to a read-only database, reported by probe and metrics, while validations continue", async () => {
  const ownUrl = await server.createMigratedDatabase()
  const own = await startProgram({
    LOG_LEVEL: "silent",
    PAZAR_OPERATOR_TOKEN: token,
    PAZAR_METRICS_TOKEN: metricsToken,
    DATABASE_URL: ownUrl,
    PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
  })
  const sendRequest = (path: string, bearer: string, init: RequestInit = {}) =>
    fetch(`${own.url}${path}`, { headers: { Authorization: `Bearer ${bearer}` }, ...init })
  const push = async () => {
    const body = toFeed([account("ada"), item("ada", 1), purchase("abc", 1)])
    const init = { method: "POST", body }
    return (await sendRequest("/operator/feed", token, init)).status
  }
  const isWritable = async () => {
    const text = await (await sendRequest("/metrics", metricsToken)).text()
    return findValue(readPrometheusText(text), "pazar_store_writable")
  }
  expect([await push(), await isWritable()]).toEqual([200, 1])
  const { secret } = await own.issue("ada")
  const validateOn = async (site: string) => {
    const body = new URLSearchParams({ api_key: secret, purchase_code: "abc", site })
    return (await sendRequest("/api/purchases/validation", "", { method: "POST", body })).status
  }
  await own.app.store.sites.putLimits(1, { sites: 2, byLicense: {} })
  expect(await validateOn("a.com")).toBe(200)
  // Managed servers do this when their disk is nearly full. A connection keeps the setting it started with.
  const [, name] = /(\w+)$/.exec(ownUrl) ?? []
  await queryPostgres(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await queryPostgres(
    url,
    `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '${name}'`,
  )
  expect(await push()).toBe(503)
  expect([await validateOn("b.com"), await validateOn("c.com")]).toEqual([200, 200])
  await until(async () => (await isWritable()) === 0 || undefined)
  const read = await sendRequest(`/api/items/item?item_id=1&api_key=${secret}`, "")
  expect(read.status).toBe(200)
  const ready = await until(async () => {
    const response = await fetch(`${own.url}/readyz`)
    return response.ok ? response : undefined
  })
  expect(await ready.json()).toEqual({ status: "ready", writable: false })
  await own.close()
})

test("a connection lost between two batches ends that dry run and nothing else", async () => {
  const dryRun = await program.app.store.feed.openDryRun()
  await dryRun.put(new Date(), [], 1)
  const killer = new Client(url)
  await killer.connect()
  await killer.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'",
  )
  await until(async () => {
    const left = await killer.query(
      "SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction'",
    )
    return left.rowCount === 0 ? true : undefined
  })
  await killer.end()
  await expect(dryRun.put(new Date(), [{ type: "deleted item", id: 1 }], 2)).rejects.toThrow()
  await dryRun.close()
  expect(await validate()).toBe(200)
})

test("503: pushes that wait for an import time out, and do not slow the API", async () => {
  const importing = new Client(url)
  await importing.connect()
  await importing.query(`BEGIN; ${lockFeed}`)
  const push = () =>
    openapiFetch(`${program.url}/operator/feed`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: toFeed([purchase("pushed", 1)]),
    })
  const pushes = Array.from({ length: 20 }, push)
  await until(async () => {
    const { rows } = await importing.query(
      "SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted",
    )
    return rows.length > 0 ? true : undefined
  }, workMsMax)
  const read = async () =>
    (await openapiFetch(`${program.url}/api/items/item?item_id=1&api_key=${key}`)).status
  const reads = await Promise.all(Array.from({ length: 40 }, read))
  expect(new Set(reads)).toEqual(new Set([200]))
  const rejected = await Promise.all(pushes)
  expect(new Set(rejected.map(({ status }) => status))).toEqual(new Set([503]))
  expect(rejected[0]?.headers.get("retry-after")).toBe("5")
  await importing.end()
  expect((await push()).status).toBe(200)
})
