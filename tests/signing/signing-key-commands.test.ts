import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { account, toFeed } from "../harness/records.ts"
import {
  createStoreFolder,
  type RunningServer,
  readPazar,
  runPazar,
  startServer,
} from "../harness/run-pazar.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { until } from "../harness/until.ts"

let folder: string
let server: RunningServer
let key: string
beforeAll(async () => {
  folder = await createStoreFolder()
  await readPazar(folder, ["import", "-"], { input: toFeed([account("ada")]) })
  key = (await readPazar(folder, ["key", "create", "ada", "--kind", "tk"])).trim()
  server = await startServer(folder, { PAZAR_THREADS: "2" })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

type Listed = Readonly<{
  id: string
  state: string
  created_at: string
  endorsed_by: readonly string[]
}>

async function pazarJson(...args: string[]): Promise<readonly Listed[]> {
  const { status, stdout, stderr } = await runPazar(folder, [...args, "--json"])
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  return JSON.parse(stdout)
}
const list = () => pazarJson("signing-key", "list")
const rotate = (...args: string[]) => pazarJson("signing-key", "rotate", ...args)

/** The ids of the signing key and of the published keys. Each request uses a new connection, to reach all threads. */
async function look() {
  const headers = { Connection: "close", "X-Api-Key": key }
  const body = new URLSearchParams({ purchase_code: "test-regular", nonce: "0123456789abcdef" })
  const [signed, published] = await Promise.all([
    fetch(`${server.url}/api/purchases/validation`, { method: "POST", headers, body }),
    fetch(`${server.url}/.well-known/pazar-keys.json`, { headers: { Connection: "close" } }),
  ])
  const [, signer] = /keyid="([^"]+)"/.exec(signed.headers.get("signature-input") ?? "") ?? []
  const ids = [...(await published.text()).matchAll(/"kid":"([^"]+)"/g)].map(([, id]) => id)
  return JSON.stringify([signer, ids])
}
const lookOften = async () => new Set(await Promise.all(Array.from({ length: 20 }, look)))

/** Resolves when every thread signs with the first of these keys and publishes all of them. */
async function untilServed(keys: readonly Listed[]): Promise<void> {
  const ids = keys.map(({ id }) => id)
  const wanted = JSON.stringify([ids[0], ids])
  await until(async () => {
    const seen = await lookOften()
    return seen.size === 1 && seen.has(wanted) ? true : undefined
  })
}

describe("beside a running server", () => {
  test("the keys that migrate created are listed, published, and sign responses", async () => {
    const keys = await list()
    const [current, next] = keys
    const any = { id: expect.stringMatching(/^[\w-]{43}$/) }
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(keys).toEqual([
      { ...any, state: "current", created_at, endorsed_by: [] },
      { ...any, state: "next", created_at, endorsed_by: [current?.id ?? ""] },
    ])
    await untilServed(keys)
    const stdout = await readPazar(folder, ["signing-key", "list"])
    expect(stdout.split("\n").map((row) => row.split(/ {2,}/))).toEqual([
      expect.any(Array),
      [`${current?.id}`, "current", `${current?.created_at}`, "-"],
      [`${next?.id}`, "next", `${next?.created_at}`, `${current?.id}`],
      [""],
    ])
  })

  test("every thread uses the new key after a rotation", async () => {
    const [old, next] = await list()
    const keys = await rotate()
    expect(keys.map(({ id, state }) => [id, state])).toEqual([
      [`${next?.id}`, "current"],
      [expect.any(String), "next"],
      [`${old?.id}`, "retired"],
    ])
    expect(keys[1]?.endorsed_by).toEqual([next?.id ?? ""])
    expect(await list()).toEqual(keys)
    await untilServed(keys)
  })

  test("a compromised key signs nothing, endorses nothing and is not published", async () => {
    const [old, next, retired] = await list()
    const keys = await rotate(`--compromised=${old?.id}`)
    expect(keys.map(({ id, state, endorsed_by }) => [id, state, endorsed_by])).toEqual([
      [`${next?.id}`, "current", []],
      [expect.any(String), "next", [next?.id]],
      [`${retired?.id}`, "retired", []],
    ])
    await untilServed(keys)
  })
})

test("exit 1: an unknown key", async () => {
  expect(await runPazar(folder, ["signing-key", "rotate", "--compromised=nobody"])).toEqual({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(/^pazar: .*\bnobody\b.*\n$/),
  })
})

test("a database without signing keys is not served; concurrent migrations create one pair", async () => {
  await queryStore({ folder }, "DELETE FROM signing_keys")
  const { status, stderr } = await runPazar(folder, ["serve"], { env: { PORT: "0" } })
  expect([status, stderr]).toEqual([2, expect.stringContaining("`pazar migrate`")])
  await Promise.all([1, 2, 3].map(() => runPazar(folder, ["migrate"])))
  expect((await list()).map(({ state }) => state)).toEqual(["current", "next"])
})
