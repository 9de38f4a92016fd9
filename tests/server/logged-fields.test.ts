import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync, rmSync } from "node:fs"
import { availableParallelism, hostname } from "node:os"
import { join } from "node:path"
import manifest from "../../package.json"
import { retryingFetch } from "../harness/http/retrying-fetch.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import {
  createStoreFolder,
  type RunningServer,
  readPazar,
  startServer,
} from "../harness/run-pazar.ts"
import { storeOf } from "../harness/stores/test-stores.ts"
import { until } from "../harness/until.ts"

const token = "operator-token-that-nobody-may-read"
const code = "11111111-2222-4333-8444-555555555555"
const importedKey = "the-key-from-before"

let folder: string
let server: RunningServer
let secret: string
beforeAll(async () => {
  folder = await createStoreFolder()
  const elif = account("elif", { api_key: importedKey })
  const input = toFeed([elif, item("elif", 1), purchase(code, 1)])
  await readPazar(folder, ["import", "-"], { input })
  secret = (await readPazar(folder, ["key", "create", "elif"])).trim()
  server = await startServer(folder, { PAZAR_OPERATOR_TOKEN: token, LOG_LEVEL: "debug" })
})
afterAll(() => rmSync(folder, { recursive: true }))

const routes = [
  { operation: "read_account", method: "GET", path: "/api/account/details", parameters: {} },
  { operation: "list_items", method: "GET", path: "/api/items/all", parameters: {} },
  { operation: "read_item", method: "GET", path: "/api/items/item", parameters: { item_id: "1" } },
  {
    operation: "validate_purchase",
    method: "POST",
    path: "/api/purchases/validation",
    parameters: { purchase_code: code },
  },
]

/** Sends the key in the query string, in two headers and, if the method has one, in a body. */
async function sendEveryWay(key: string, { method, path, parameters }: (typeof routes)[number]) {
  const url = (parameters: Record<string, string>) =>
    `${server.url}${path}?${new URLSearchParams(parameters)}`
  const inBody = { api_key: key, ...parameters }
  const requests = [
    retryingFetch(url({ ...parameters, api_key: key }), { method }),
    retryingFetch(url(parameters), { method, headers: { "X-Api-Key": key } }),
    retryingFetch(url(parameters), { method, headers: { Authorization: `Bearer ${key}` } }),
    ...(method === "POST"
      ? [
          retryingFetch(url({}), { method, body: JSON.stringify(inBody) }),
          retryingFetch(url({}), { method, body: new URLSearchParams(inBody) }),
        ]
      : []),
  ]
  return Promise.all(requests.map(async (request) => (await request).status))
}

const readNodes = async () =>
  JSON.parse((await runInProcess(folder, ["doctor", "--quick", "--json"])).stdout).nodes

test("a running server is a node of its database", async () => {
  const [node] = await until(async () => {
    const nodes = await readNodes()
    return nodes.length > 0 ? nodes : undefined
  })
  expect(node).toMatchObject({ url: server.url, version: manifest.version, host: hostname() })
})

test("no key, code, token or master key is logged; logged fields are an allow-list", async () => {
  const wrongKey = `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`
  for (const route of routes) {
    const ways = route.method === "POST" ? 5 : 3
    expect(await sendEveryWay(secret, route)).toEqual(Array(ways).fill(200))
    expect(await sendEveryWay(importedKey, route)).toEqual(Array(ways).fill(200))
    expect(await sendEveryWay(wrongKey, route)).toEqual(Array(ways).fill(401))
  }
  const push = (bearer: string) =>
    fetch(`${server.url}/operator/feed`, {
      method: "POST",
      headers: { Authorization: `Bearer ${bearer}` },
      body: toFeed([account("elif", { api_key: importedKey }), purchase(code, 1)]),
    })
  expect((await push(token)).status).toBe(200)
  expect((await push(`${token}x`)).status).toBe(401)
  await retryingFetch(`${server.url}/nowhere/${secret}?api_key=${secret}`)

  const { status, stdout, stderr } = await server.stop()
  expect({ status, stdout }).toEqual({ status: 0, stdout: `listening on ${server.url}\n` })
  const store = await storeOf(folder)
  const settings =
    store === null
      ? [readFileSync(join(folder, "data/pazar.db.master-key"), "utf8").trim()]
      : Object.values(store)
  for (const hidden of [secret, importedKey, wrongKey, code, token, ...settings]) {
    expect(stderr).not.toContain(hidden)
  }
  const all = stderr.trimEnd().split("\n")
  const lines = all
    // Overload of a busy test machine and the counts by error code are left out.
    .filter((line) => !/"message":"overload|"status":503|"message":"requests"/.test(line))
    .map((line) => JSON.parse(line))
  const members = new Set(lines.flatMap((line) => Object.keys(line)))
  expect([...members].sort()).toEqual([
    "accepted",
    "adjusted",
    "keyId",
    "level",
    "message",
    "method",
    "ms",
    "reason",
    "rejected",
    "removed",
    "requestId",
    "restored",
    "revoked",
    "route",
    "schema",
    "seconds",
    "status",
    "store",
    "threads",
    "time",
    "url",
    "version",
    "waiting",
  ])

  const parsed = all.map((line) => JSON.parse(line))
  const counts = parsed
    .filter(({ message }) => message === "requests")
    .flatMap(({ time: _, level: __, message: ___, ...byCode }) => Object.values(byCode))
  const requests = parsed.filter(({ message, route }) => message === undefined && route)
  expect(counts.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(requests.length)
  expect(lines.find(({ schema }) => schema !== undefined)).toMatchObject({
    url: server.url,
    version: manifest.version,
    threads: availableParallelism(),
    store: store === null ? "sqlite" : "postgres",
    schema: expect.any(Number),
  })
  const counted = Map.groupBy(
    lines.filter(({ method }) => method),
    ({ route }) => route,
  )
  expect(Object.fromEntries([...counted].map(([route, found]) => [route, found.length]))).toEqual({
    read_account: 9,
    list_items: 9,
    read_item: 9,
    validate_purchase: 15,
    feed: 2,
    page: 1,
  })
})

test("a stopped server is no longer a node", async () => {
  await server.stop()
  expect(await readNodes()).toEqual([])
})
