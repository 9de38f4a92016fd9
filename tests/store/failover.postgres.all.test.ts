import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { openPostgres } from "../../src/store/postgres.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { pickFreePort } from "../harness/free-port.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import {
  type PostgresServer,
  queryPostgres,
  startPostgres,
} from "../harness/stores/postgres-server.ts"
import { type Standby, startStandby } from "../harness/stores/standby.ts"
import { until as untilFound, workMsMax } from "../harness/until.ts"

type ApiResponse = Readonly<{ status: number; reason: string | null }>

let primary: PostgresServer
let primaryUrl: string
let standby: Standby
let env: Readonly<Record<string, string>>
let node: Program
let other: Program
let key: string

beforeAll(async () => {
  primary = await startPostgres()
  primaryUrl = await primary.createMigratedDatabase()
  standby = await startStandby(primary)
  // The standby is first; it is not writable, so the second host is used.
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`
  env = {
    LOG_LEVEL: "silent",
    DATABASE_URL: `${primaryUrl.replace(/127\.0\.0\.1:\d+/, hosts)}?target_session_attrs=read-write`,
    PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
  }
  node = await startProgram(env)
  other = await startProgram(env)
  await node.load([account("ada"), item("ada", 1), purchase("abc", 1)])
  key = (await node.issue("ada")).secret
})
afterAll(async () => {
  await node.close()
  await other.close()
  await standby.stop()
  await primary.stop()
})

async function sendRequest(
  path: string,
  init: RequestInit = {},
  { url } = node,
): Promise<ApiResponse> {
  const response = await fetch(`${url}${path}`, init)
  await response.text()
  return { status: response.status, reason: response.headers.get("pazar-reason") }
}
const validate = (code: string, secret = key, program = node, more = {}) =>
  sendRequest(
    "/api/purchases/validation",
    {
      method: "POST",
      body: new URLSearchParams({ api_key: secret, purchase_code: code, ...more }),
    },
    program,
  )
const readItem = (id: number) => sendRequest(`/api/items/item?api_key=${key}&item_id=${id}`)
const write = (code: string, program = node) =>
  program.load([purchase(code, 1)]).then(
    () => true,
    () => false,
  )
const until = (isSo: () => Promise<boolean>) =>
  untilFound(async () => ((await isSo()) ? true : undefined), workMsMax)

/** Freezes the primary once the standby has replicated all changes. */
async function whileFrozen(work: () => Promise<void>): Promise<void> {
  const [end] = await queryPostgres<{ lsn: string }>(
    primaryUrl,
    "SELECT pg_current_wal_lsn()::text AS lsn",
  )
  await until(async () => {
    const [row] = await queryPostgres<{ has_all: boolean }>(
      standby.addressFor(primaryUrl),
      `SELECT pg_last_wal_replay_lsn() >= '${end?.lsn}'::pg_lsn AS has_all`,
    )
    return row?.has_all === true
  })
  primary.signal("SIGSTOP")
  try {
    await work()
  } finally {
    primary.signal("SIGCONT")
  }
}

test("pazar doctor and status report that the database is a standby", async () => {
  expect(await node.app.store.checks.findReadOnly()).toBeNull()
  const url = standby.addressFor(primaryUrl)
  const opened = await openPostgres({ url, connectionsMax: 2 }, "command")
  expect(await opened.checks.findReadOnly()).toBe("standby")
  await opened.close()
})

test("pazar doctor names the unreachable host and the standby", async () => {
  const lost = pickFreePort()
  for (const ports of [
    [lost, standby.port],
    [standby.port, lost],
  ]) {
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",")
    const url = primaryUrl.replace(/127\.0\.0\.1:\d+/, hosts)
    const settings = { DATABASE_URL: url, PAZAR_MASTER_KEY: env.PAZAR_MASTER_KEY }
    const { status, stdout } = await runInProcess(node.folder, ["doctor"], { env: settings })
    expect(status).toBe(2)
    expect(stdout).toContain(`127.0.0.1:${lost}: connection refused`)
    expect(stdout).toContain(`127.0.0.1:${standby.port}: standby`)
  }
})

describe("a frozen primary", () => {
  test("every key works from the standby, and a row that it lacks is 503", async () => {
    const unseen = (await node.issue("ada")).secret
    const visitor = openVisitor(node.url)
    const form_token = await visitor.formToken("/login")
    await whileFrozen(async () => {
      expect((await validate("abc")).status).toBe(200)
      const responses = await Promise.all([
        validate("abc"),
        validate("abc", unseen),
        validate("abc", key, node, { nonce: "0123456789abcdef" }),
        readItem(1),
        sendRequest(`/api/items/all?api_key=${key}`),
        sendRequest(`/api/account/details?api_key=${key}`),
        sendRequest("/readyz"),
        validate("never sold"),
        readItem(99),
        validate("abc", "sk_never-issued"),
      ])
      expect(responses.map(({ status }) => status)).toEqual([
        ...[200, 200, 200, 200, 200, 200, 200],
        ...[503, 503, 503],
      ])
      const signIn = await visitor.post("/login", { form_token, name: "ada", password: "secret" })
      expect(signIn.status).toBe(503)
    })
    await until(async () => (await validate("never sold")).status === 404)
  })

  test("a new site is validated as without a site limit", async () => {
    await node.app.store.sites.putLimits(1, { sites: 2, byLicense: {} })
    const reasons = async (...sites: readonly string[]) => {
      const responses = sites.map((site) => validate("abc", key, node, { site }))
      return (await Promise.all(responses)).map(({ reason }) => reason)
    }
    expect(await reasons("a.com")).toEqual(["ok"])
    await whileFrozen(async () => {
      expect((await validate("abc")).status).toBe(200)
      expect(await reasons("a.com", "b.com", "c.com")).toEqual(["ok", "ok", "ok"])
    })
    await until(async () => (await reasons("b.com", "c.com", "d.com")).includes("site_limit"))
    expect(await node.app.store.sites.list("abc")).toHaveLength(2)
    await node.app.store.sites.putLimits(1, { sites: null, byLicense: {} })
  })
})

describe("a primary that is killed under load", () => {
  const seen = new Set<string>()
  let isOver = false
  let load: Promise<void>
  beforeAll(() => {
    load = (async () => {
      while (!isOver) {
        for (const { status } of await Promise.all([validate("abc"), readItem(1)])) {
          seen.add(`known ${status}`)
        }
        seen.add(`unknown ${(await validate("never sold")).status}`)
      }
    })()
  })

  test("its standby serves reads and, once promoted, writes, without a single wrong response", async () => {
    await until(async () => seen.has("known 200") && seen.has("unknown 404"))
    primary.signal("SIGKILL")
    await until(async () => seen.has("unknown 503"))
    expect(await write("early")).toBe(false)
    expect((await validate("abc", key, other)).status).toBe(200)
    await standby.promote()
    await until(() => write("after"))
    await until(() => write("after", other))
    isOver = true
    await load
    for (const program of [node, other]) {
      expect((await validate("after", key, program)).status).toBe(200)
    }
    expect([...seen].sort()).toEqual(["known 200", "unknown 404", "unknown 503"])
  })
})
