/**
 * Another program that reads or copies the database file of a running server loses no sale. If the file is removed,
 * the server reports it and accepts no more sales.
 */
import { Database } from "bun:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { copyFileSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import {
  createStoreFolder,
  killTree,
  type RunningServer,
  startServer,
} from "../harness/run-pazar.ts"
import { until } from "../harness/until.ts"

const token = "an-operator-token-of-some-length-0123"
const env = { PAZAR_OPERATOR_TOKEN: token, PAZAR_THREADS: "2" }

let folder: string
let path: string
let server: RunningServer
beforeEach(async () => {
  folder = await createStoreFolder()
  path = join(folder, "data/pazar.db")
  server = await startServer(folder, env)
  expect(await push(toFeed([account("ada"), item("ada", 1)]))).toBe(200)
})
afterEach(async () => {
  await killTree(server)
  rmSync(folder, { recursive: true })
})

async function push(lines: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, Connection: "close" }
  const init = { method: "POST", headers, body: lines }
  return (await fetch(`${server.url}/operator/feed`, init)).status
}

async function sell(count: number, prefix: string): Promise<readonly string[]> {
  const acknowledged: string[] = []
  for (let sale = 0; sale < count; sale++) {
    const code = `${prefix}-${sale}`
    if ((await push(toFeed([purchase(code, 1)]))) === 200) acknowledged.push(code)
  }
  return acknowledged
}

async function readFromOutside(): Promise<void> {
  const script = join(import.meta.dir, "../harness/faults/outside-reader.mjs")
  const reader = Bun.spawn(["node", script, path], { stderr: "inherit" })
  expect(await reader.exited).toBe(0)
}

function look(): Readonly<{ codes: readonly unknown[]; integrity: readonly unknown[] }> {
  const db = new Database(path)
  try {
    const codes = db.query("SELECT code FROM purchases").values().flat()
    return { codes, integrity: db.query("PRAGMA integrity_check").values().flat() }
  } finally {
    db.close()
  }
}

test("every acknowledged sale survives a kill -9, the file is intact, and only its owner can read it", async () => {
  const modes = ["", "-wal", "-shm"].map((end) => statSync(`${path}${end}`).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600, 0o600])
  const acknowledged: string[] = []
  for (let round = 0; round < 8; round++) {
    const [sold] = await Promise.all([sell(25, `sale-${round}`), readFromOutside()])
    acknowledged.push(...sold)
  }
  acknowledged.push(...(await sell(25, "last")))
  await killTree(server)
  const { codes, integrity } = look()
  expect(integrity).toEqual(["ok"])
  expect(acknowledged.length).toBe(225)
  expect(acknowledged.filter((code) => !codes.includes(code))).toEqual([])
})

describe("a database file that is no longer at its path", () => {
  const ways: readonly (readonly [string, () => void])[] = [
    ["moved", () => renameSync(path, `${path}.moved`)],
    ["deleted", () => rmSync(path)],
    [
      "replaced",
      () => {
        copyFileSync(path, `${path}.other`)
        renameSync(`${path}.other`, path)
      },
    ],
    ["without its log", () => rmSync(`${path}-wal`)],
  ]
  test.each(ways)("%s: 503 for writes, not ready, and the log says why", async (_, take) => {
    const statusOf = async (probe: string) => (await fetch(`${server.url}${probe}`)).status
    expect(await statusOf("/readyz")).toBe(200)
    take()
    for (let turn = 0; turn < 10; turn++)
      expect(await push(toFeed([purchase("late", 1)]))).toBe(503)
    expect(await statusOf("/readyz")).toBe(503)
    expect(await statusOf("/healthz")).toBe(200)
    await until(() => new RegExp(`"level":"error".*${path}`).test(server.stderr()) || undefined)
  })
})
