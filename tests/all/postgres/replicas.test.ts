/** Two nodes on a primary and a standby, either of which fails. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { StoreUnavailable } from "../../../src/domain/store.ts"
import { revokeKey } from "../../../src/operations/keys/change-key.ts"
import { postgresAccounts } from "../../../src/store/postgres/catalogue/accounts.ts"
import { postgresApiKeys } from "../../../src/store/postgres/catalogue/api-keys.ts"
import { postgresItems } from "../../../src/store/postgres/catalogue/items.ts"
import { postgresPurchases } from "../../../src/store/postgres/catalogue/purchases.ts"
import { connect } from "../../../src/store/postgres/connection/database.ts"
import { postgresKeyChanges } from "../../../src/store/postgres/replicas/key-changes.ts"
import {
  noHeartbeat,
  type PrimaryHeartbeat,
} from "../../../src/store/postgres/replicas/primary-heartbeat.ts"
import { openReplicas, readFromReplicas } from "../../../src/store/postgres/replicas/replicas.ts"
import { warmKeys } from "../../../src/store/postgres/replicas/warm-keys.ts"
import { openPostgres } from "../../../src/store/postgres/store.ts"
import { account, item, purchase } from "../../contracts/records.ts"
import { until as untilFound } from "../../contracts/until.ts"
import { openVisitor } from "../../harness/browser/visitor.ts"
import { pickFreePort } from "../../harness/free-port.ts"
import { type Program, startProgram } from "../../harness/program.ts"
import { runInProcess } from "../../harness/run-in-process.ts"
import { askPostgres, type PostgresServer, startPostgres } from "../../harness/stores/postgres.ts"
import { type Standby, startStandby } from "../../harness/stores/standby.ts"
import { openProxy, type TcpProxy } from "../../harness/stores/tcp-proxy.ts"

type Answer = Readonly<{ status: number; reason: string | null }>

let primary: PostgresServer
let standby: Standby
let standbyUrl: string
let proxy: TcpProxy
let env: Readonly<Record<string, string>>
let node: Program
let other: Program
let key: string

beforeAll(async () => {
  primary = await startPostgres()
  const url = await primary.createMigratedDatabase()
  standby = await startStandby(primary)
  standbyUrl = standby.addressFor(url)
  proxy = await openProxy({ host: "127.0.0.1", port: primary.port })
  // The standby first: it takes no writes, so the other one is asked.
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${proxy.port}`
  env = {
    LOG_LEVEL: "silent",
    DATABASE_URL: `${url.replace(/127\.0\.0\.1:\d+/, hosts)}?target_session_attrs=read-write`,
    DATABASE_REPLICA_URLS: standbyUrl,
    PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
  }
  node = await startProgram(env)
  other = await startProgram(env)
  await node.load([account("ada"), item("ada", 1), item("ada", 2), purchase("abc", 1)])
  key = (await node.issue("ada")).secret
})
afterAll(async () => {
  await node.close()
  await other.close()
  await proxy.close()
  await standby.stop()
  await primary.stop()
})

async function ask(path: string, init: RequestInit = {}, { url } = node): Promise<Answer> {
  const response = await fetch(`${url}${path}`, init)
  await response.text()
  return { status: response.status, reason: response.headers.get("pazar-reason") }
}
const validate = (code: string, secret = key, program = node, more = {}) =>
  ask(
    "/api/purchases/validation",
    {
      method: "POST",
      body: new URLSearchParams({ api_key: secret, purchase_code: code, ...more }),
    },
    program,
  )
const readItem = (id: number) => ask(`/api/items/item?api_key=${key}&item_id=${id}`)

const until = (isSo: () => boolean | Promise<boolean>) =>
  untilFound(async () => ((await isSo()) ? true : undefined))
const isGood = async (answer: Promise<Answer>) => (await answer).status === 200
/** A node asks the standby only once it knows that it has caught up. */
async function untilStandbyIsAsked(program = node): Promise<void> {
  const [begun] = await askPostgres<{ at: string }>(
    standbyUrl,
    "SELECT clock_timestamp()::text AS at",
  )
  await until(async () => {
    await validate("abc", key, program)
    const asked = await askPostgres(
      standbyUrl,
      `SELECT 1 FROM pg_stat_activity WHERE query ILIKE '%find_purchases%'
       AND query_start > '${begun?.at}' AND pid <> pg_backend_pid()`,
    )
    return asked.length > 0
  })
}

describe("a standby that lags", () => {
  beforeEach(async () => {
    await until(() => isGood(validate("abc")))
    await standby.pauseReplay()
  })
  afterEach(() => standby.resumeReplay())

  test("a sale that was pushed validates at once, on every node", async () => {
    await node.load([purchase("fresh", 1)])
    expect((await validate("fresh", key, node)).status).toBe(200)
    expect((await validate("fresh", key, other)).status).toBe(200)
  })

  test("its lag is measured, until it has caught up", async () => {
    const lag = () => node.app.store.measure().replicaLagSeconds[0] ?? 0
    await node.load([purchase("later", 1)])
    await until(() => lag() > 1)
    await standby.resumeReplay()
    await until(() => lag() < 1)
  })

  test("pazar doctor sees how far it is behind", async () => {
    const look = async () => (await node.app.store.checks.listReplicas())[0]
    await node.load([purchase("later still", 1)])
    const behind = await untilFound(async () => {
      const replica = await look()
      return (replica?.lagSeconds ?? 0) > 0 ? replica : undefined
    })
    const place = expect.stringContaining(String(standby.port))
    expect(behind).toEqual({ place, lagSeconds: expect.any(Number), fault: null })
    await standby.resumeReplay()
    await until(async () => (await look())?.lagSeconds === 0)
  })

  test("pazar doctor and status see where the primary should be", async () => {
    const { findReadOnly } = node.app.store.checks
    expect(await findReadOnly()).toBeNull()
    const opened = await openPostgres(
      { url: standbyUrl, replicaUrls: [], connectionsMax: 2 },
      "command",
    )
    expect(await opened.checks.findReadOnly()).toBe("standby")
    await opened.close()
  })

  test("pazar doctor names the host that cannot be reached, and the standby", async () => {
    const lost = pickFreePort()
    const { DATABASE_URL = "", PAZAR_MASTER_KEY = "" } = env
    for (const ports of [
      [lost, standby.port],
      [standby.port, lost],
    ]) {
      const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",")
      const url = DATABASE_URL.replace(/127\.0\.0\.1:\d+,127\.0\.0\.1:\d+/, hosts)
      const settings = { DATABASE_URL: url, PAZAR_MASTER_KEY }
      const { status, stdout } = await runInProcess(node.folder, ["doctor"], { env: settings })
      expect(status).toBe(2)
      expect(stdout).toContain(`127.0.0.1:${lost}: nothing listens there`)
      expect(stdout).toContain(`127.0.0.1:${standby.port}: it is a standby`)
    }
  })

  test("0 of 1,000 uses of a key are accepted once a node knows that it is revoked", async () => {
    const issued = await node.issue("ada")
    for (const program of [node, other]) {
      expect((await validate("abc", issued.secret, program)).status).toBe(200)
    }
    await revokeKey(node.app.keyServices(commandLine), issued.key)
    expect((await validate("abc", issued.secret, node)).reason).toBe("revoked_key")
    const useElsewhere = async () => (await validate("abc", issued.secret, other)).reason
    await until(async () => (await useElsewhere()) === "revoked_key")
    const reasons = new Set<string | null>()
    for (let uses = 0; uses < 1_000; uses++) {
      reasons.add(await useElsewhere())
    }
    expect([...reasons]).toEqual(["revoked_key"])
  })

  test("a revoked purchase and a hidden item are soon known everywhere", async () => {
    await node.load([purchase("sold", 2)])
    await standby.resumeReplay()
    await until(() => isGood(validate("sold", key, other)))
    await standby.pauseReplay()
    await node.load([purchase("sold", 2, { revoked: true }), item("ada", 2, { hidden: true })])
    const readHidden = () => ask(`/api/items/item?api_key=${key}&item_id=2`, {}, other)
    await until(async () => (await validate("sold", key, other)).reason === "revoked_code")
    await until(async () => (await readHidden()).status === 404)
  })
})

test("a frozen standby is not used, and every request is answered", async () => {
  await untilStandbyIsAsked()
  standby.signal("SIGSTOP")
  const probes = Array.from({ length: 5 }, () => ask("/readyz"))
  const answers = await Promise.all([
    ...Array.from({ length: 50 }, () => validate("abc")),
    ...probes,
  ])
  const replicas = await node.app.store.checks.listReplicas()
  standby.signal("SIGCONT")
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(replicas).toMatchObject([{ lagSeconds: null, fault: expect.any(String) }])
})

/** The moments between two beats of a failover, in which the primary itself cannot be asked. */
describe("a standby, when the primary does not answer", () => {
  const nowhere = "postgres://nobody@127.0.0.1:1/none"
  const lost = connect(nowhere, { connectionsMax: 1, statementMsMax: 1_000, queryMsMax: 1_000 })
  const primaryStores = {
    accounts: postgresAccounts(lost),
    items: postgresItems(lost),
    purchases: postgresPurchases(lost),
  }
  const heartbeatOf = (found: Partial<PrimaryHeartbeat>) => ({ ...noHeartbeat, ...found })
  /** Once its state is known. */
  async function openStandby(heartbeat: PrimaryHeartbeat) {
    const replicas = openReplicas([standbyUrl], 1, heartbeat)
    await until(async () => (await replicas.askInstead(() => true)) === true)
    const { purchases } = readFromReplicas(primaryStores, replicas, heartbeat)
    return { replicas, purchases }
  }
  afterAll(() => lost.close())

  test("answers if it had everything when the primary last did, before a beat is missed", async () => {
    const heartbeat = heartbeatOf({
      findCompleteMs: () => 1_000,
      heardAtMs: () => 1_500,
      knownUntilMs: () => 9_000,
    })
    const { replicas, purchases } = await openStandby(heartbeat)
    expect(replicas.isAnyHealthy()).toBe(false)
    expect(await purchases.listByCode(1, "abc")).toHaveLength(1)
    await replicas.close()
  })

  test("does not if it lacked something", async () => {
    let heardAtMs = 1_500
    const { replicas, purchases } = await openStandby(
      heartbeatOf({
        findCompleteMs: () => 1_000,
        heardAtMs: () => heardAtMs,
        knownUntilMs: () => heardAtMs,
      }),
    )
    heardAtMs = 9_000
    await expect(purchases.listByCode(1, "abc")).rejects.toBeInstanceOf(StoreUnavailable)
    await replicas.close()
  })

  test("promoted, answers for codes and keys by the connections that it has", async () => {
    // The position of the new primary is heard before the standby tells that it is there too.
    const heartbeat = heartbeatOf({ isSameServer: () => true, findCompleteMs: () => null })
    const { replicas, purchases } = await openStandby(heartbeat)
    // A beat that is late makes it unhealthy for a moment.
    await until(() => replicas.isAnyHealthy())
    expect(await purchases.listByCode(1, "abc")).toHaveLength(1)
    const keyChanges = postgresKeyChanges(heartbeat, replicas, () => {})
    const keys = warmKeys(postgresApiKeys(lost), lost, keyChanges, replicas)
    const [row] = await askPostgres<{ lookup: Uint8Array }>(
      standbyUrl,
      "SELECT lookup FROM api_keys WHERE revoked_at IS NULL LIMIT 1",
    )
    const lookup = row?.lookup ?? new Uint8Array()
    expect(await keys.findByLookup(lookup)).toMatchObject({ revokedAt: null })
    expect(await keys.findByLookup(new Uint8Array(32))).toBeNull()
    await replicas.close()
  })
})

describe("a primary that is lost", () => {
  test("frozen: a new site is answered as without a limit", async () => {
    const validateOn = (site: string) => validate("abc", key, node, { site })
    await node.app.store.sites.putLimits(1, { sites: 2, byLicense: {} })
    await until(async () => {
      const [found] = await node.app.store.purchases.listByCode(1, "abc")
      return typeof found?.siteLimits === "string"
    })
    const reasons = async (...sites: readonly string[]) =>
      (await Promise.all(sites.map(validateOn))).map(({ reason }) => reason)
    expect(await reasons("a.com")).toEqual(["ok"])
    await untilStandbyIsAsked()
    primary.signal("SIGSTOP")
    try {
      expect(await reasons("a.com", "b.com", "c.com")).toEqual(["ok", "ok", "ok"])
    } finally {
      primary.signal("SIGCONT")
    }
    await until(async () => (await reasons("b.com", "c.com", "d.com")).includes("site_limit"))
    expect(await node.app.store.sites.list("abc")).toHaveLength(2)
    await node.app.store.sites.putLimits(1, { sites: null, byLicense: {} })
  })

  test("frozen: known keys work, and unknown rows are 503", async () => {
    const unused = (await node.issue("ada")).secret
    expect((await validate("abc")).status).toBe(200)
    const visitor = openVisitor(node.url)
    const form_token = await visitor.formToken("/login")
    await untilStandbyIsAsked()
    primary.signal("SIGSTOP")
    try {
      const rounds: (readonly Answer[])[] = []
      for (let round = 0; round < 3; round++) {
        rounds.push(
          await Promise.all([
            validate("abc"),
            readItem(1),
            ask(`/api/items/all?api_key=${key}`),
            ask(`/api/account/details?api_key=${key}`),
            validate("never sold"),
            readItem(99),
            validate("abc", unused),
          ]),
        )
      }
      for (const answers of rounds) {
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 503, 503, 503])
      }
      // Between the last beat of the primary and the first that is missed it may say no.
      await until(() => isGood(ask("/readyz")))
      const signIn = await visitor.post("/login", { form_token, name: "ada", password: "secret" })
      expect(signIn.status).toBe(503)
    } finally {
      primary.signal("SIGCONT")
    }
    await until(() => isGood(validate("abc", unused)))
  })

  test("frozen: a node that has just started accepts keys that it has not seen", async () => {
    const unseen = (await node.issue("ada")).secret
    const started = await startProgram(env)
    const askBoth = async () => {
      // It knows the standby by then; the keys may still be on their way.
      await untilStandbyIsAsked(started)
      primary.signal("SIGSTOP")
      try {
        const accepted = await validate("abc", unseen, started)
        return [accepted.reason, (await validate("abc", "sk_never-issued", started)).status]
      } finally {
        primary.signal("SIGCONT")
      }
    }
    const both = await untilFound(async () => {
      const answers = await askBoth()
      return answers[0] === "ok" ? answers : undefined
    })
    expect(both).toEqual(["ok", 503])
    await started.close()
  })

  test("killed under load: not one wrong answer; promoted, the standby takes over", async () => {
    await until(async () => (await validate("never sold")).status === 404)
    await untilStandbyIsAsked()
    const seen = new Set<string>()
    let isOver = false
    const load = (async () => {
      while (!isOver) {
        for (const { status } of await Promise.all([validate("abc"), readItem(1)])) {
          seen.add(`known ${status}`)
        }
        seen.add(`unknown ${(await validate("never sold")).status}`)
      }
    })()
    await until(() => seen.has("known 200") && seen.has("unknown 404"))
    primary.signal("SIGKILL")
    proxy.cutAll()
    await until(() => seen.has("unknown 503") && node.app.store.keyChanges.isStoreLost())
    const write = () =>
      node.load([purchase("after", 1)]).then(
        () => true,
        () => false,
      )
    expect(await write()).toBe(false)
    expect((await validate("abc")).status).toBe(200)
    await standby.promote()
    // Under its own address, which was among the hosts from the start.
    await until(write)
    isOver = true
    await load
    expect((await validate("after")).status).toBe(200)
    expect((await validate("after", key, other)).status).toBe(200)
    expect([...seen].sort()).toEqual(["known 200", "unknown 404", "unknown 503"])
  })
})
