import { afterAll, beforeAll, expect, test } from "bun:test"
import { once } from "node:events"
import { rmSync } from "node:fs"
import { connect } from "node:net"
import { listItems } from "../../sdk/src/author.ts"
import { createPazar } from "../../sdk/src/index.ts"
import { retryingFetch } from "../harness/http/retrying-fetch.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import {
  createStoreFolder,
  type RunningServer,
  runPazar,
  startServer,
} from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"

let folder: string
let server: RunningServer
beforeAll(async () => {
  folder = await createStoreFolder()
  server = await startServer(folder)
  await load(toFeed([account("elif"), item("elif", 1)]))
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

async function pazar(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runPazar(folder, args)
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" })
  return stdout
}

async function load(input: string): Promise<void> {
  expect(await runPazar(folder, ["import", "-"], { input })).toEqual({
    status: 0,
    stdout: expect.any(String),
    stderr: "",
  })
}

const createKey = async (username = "elif") =>
  JSON.parse(await pazar("key", "create", username, "--json"))

async function readReason(key: string, url = server.url) {
  const path = `/api/account/details?api_key=${key}`
  const { status, headers } = await retryingFetch(`${url}${path}`)
  return [status, headers.get("pazar-reason")]
}

const untilEqual = (look: () => Promise<unknown>, wanted: unknown) =>
  until(async () => (Bun.deepEquals(await look(), wanted) ? true : undefined))

test("a created key is accepted", async () => {
  const { key } = await createKey()
  await untilEqual(() => readReason(key), [200, "ok"])
})

test("a revoked key is rejected", async () => {
  const { id, key } = await createKey()
  expect(await readReason(key)).toEqual([200, "ok"])
  await pazar("key", "revoke", id)
  await untilEqual(() => readReason(key), [401, "revoked_key"])
})

test("a list that ends early because its key is revoked leaves only JSON in the log", async () => {
  const description = "x".repeat(40_000)
  const items = Array.from({ length: 600 }, (_, index) => item("ada", index + 100, { description }))
  await load(toFeed([account("ada"), ...items]))
  const { id, key } = await createKey("ada")
  const other = await startServer(folder, { PAZAR_THREADS: "1" })
  const { hostname, port } = new URL(other.url)
  const socket = connect(Number(port), hostname)
  const closed = new Promise((resolve) => socket.on("error", () => {}).on("close", resolve))
  socket.write(`GET /api/items/all?api_key=${key} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  await once(socket, "readable")
  await pazar("key", "revoke", id)
  await untilEqual(() => readReason(key, other.url), [401, "revoked_key"])
  socket.resume()
  await closed
  const { stderr } = await other.stop()
  const lines = stderr.trimEnd().split("\n")
  expect(lines.filter((line) => !line.startsWith('{"'))).toEqual([])
})

test("after a rotation without overlap the old key is rejected and the new one accepted", async () => {
  const { id, key } = await createKey()
  expect(await readReason(key)).toEqual([200, "ok"])
  const fresh = (await pazar("key", "rotate", id, "--overlap", "0")).trim()
  await untilEqual(
    async () => [await readReason(key), await readReason(fresh)],
    [
      [401, "expired_key"],
      [200, "ok"],
    ],
  )
})

test("after a rotation with overlap both keys are accepted", async () => {
  const { id, key } = await createKey()
  const fresh = (await pazar("key", "rotate", id, "--overlap", "1h")).trim()
  await untilEqual(
    async () => [await readReason(key), await readReason(fresh)],
    [
      [200, "ok"],
      [200, "ok"],
    ],
  )
})

test("an imported sale is valid until it is revoked or deleted", async () => {
  const { key } = await createKey()
  const validate = async () => {
    const { state, reason } = await createPazar({ baseUrl: server.url, key }).check("sold-just-now")
    return reason || state
  }
  expect(await validate()).toBe("unknown_code")
  await load(toFeed([purchase("sold-just-now", 1)]))
  await untilEqual(validate, "valid")
  await load(toFeed([purchase("sold-just-now", 1, { revoked: true })]))
  await untilEqual(validate, "revoked_code")
  await load('{"type":"purchase","purchase_code":"sold-just-now","deleted":true}\n')
  await untilEqual(validate, "unknown_code")
})

test("an imported item is listed", async () => {
  const { key } = await createKey()
  const author = { baseUrl: server.url, key, timeoutMs: workMsMax, fetch: retryingFetch }
  const listed = async () => (await listItems(author)).map(({ id }) => id)
  expect(await listed()).toEqual([1])
  await load(toFeed([item("elif", 7)]))
  await untilEqual(listed, [7, 1])
})

test("commands that only read work beside the server too", async () => {
  expect(await pazar("account", "list", "--json")).toContain('"username":"elif"')
  expect(await pazar("account", "show", "elif")).toContain("elif@example.com")
  expect(await pazar("key", "list", "elif", "--json")).toStartWith('[{"id":"key_')
  expect(await pazar("export")).toContain('"type":"item"')
  expect(await pazar("migrate")).toBe("")
})
