/** Activity of the large marketplace: keys, requests, sites, webhooks, imports, and changes by operators. */
import { codeOf, type Marketplace, validationBody } from "../../bench/stores/marketplace.ts"
import { commandLine } from "../../src/access/actor.ts"
import type { AuditEvent } from "../../src/access/audit-event.ts"
import { requireAccount, setSuspended } from "../../src/accounts/account-operations.ts"
import { issuedKinds, type Operation } from "../../src/contract/operation.ts"
import { addSampleRequests } from "../../src/demo/seed-demo.ts"
import { type StoredKey, stateOf } from "../../src/keys/key.ts"
import { issueKey, revokeKey, rotateKey } from "../../src/keys/key-operations.ts"
import type { Failure } from "../../src/platform/error.ts"
import { message } from "../../src/platform/problem.ts"
import { daySeconds, formatTimestamp, secondsBefore } from "../../src/platform/time.ts"
import { setSiteLimits } from "../../src/purchases/site-operations.ts"
import type { App } from "../../src/server/app.ts"
import { shownCode } from "../../src/usage/usage.ts"
import { type Attempt, evaluateAttempt } from "../../src/webhooks/delivery.ts"
import { createEndpoint, disableEndpoint } from "../../src/webhooks/endpoint-operations.ts"
import type { NewEvent } from "../../src/webhooks/webhook.ts"
import type { Program } from "../../tests/harness/program.ts"
import { item, type Line, purchase } from "../../tests/harness/records.ts"
import { authorAt, nameOfItem } from "./feed.ts"

type Random = () => number
export type Activity = Readonly<{
  program: Program
  market: Marketplace
  at: Date
  random: Random
}>

export const operators = ["deniz", "ece.yilmaz", "tom", "support-lead@marketplace.example"] as const
const anHour = 3600

const chooseFrom = <Value>(values: readonly Value[], random: Random): Value => {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error("nothing to choose from")
  return value
}

export const authorOf = ({ store }: App, n: number) => requireAccount(store.accounts, authorAt(n))

const dateBefore = (at: Date, seconds: number) => new Date(at.getTime() - seconds * 1000)

/** 49 with the imported one: 8 revoked, 6 expired and 5 rotated ones; a third was never used. */
export async function addKeys({ program: { app }, at, random }: Activity): Promise<void> {
  const author = await authorOf(app, 0)
  const servicesAt = (days: number) => ({
    ...app.keyServices({
      kind: "author" as const,
      role: "owner" as const,
      name: author.username,
      ipRange: "203.0.113.0/24",
    }),
    now: () => dateBefore(at, days * daySeconds),
  })
  for (let n = 0; n < 43; n += 1) {
    const kind = chooseFrom(issuedKinds, random)
    const name = n % 6 === 0 ? nameOfItem(n + 2).slice(0, 100) : `Server ${n}`
    const itemIds = kind === "vk" && n % 2 === 0 ? [n + 1, n + 2, n + 3] : null
    const expiresAt = n < 6 ? secondsBefore(at, (n + 1) * daySeconds) : null
    const options = { kind, name, itemIds, expiresAt }
    const { key } = await issueKey(servicesAt(300 - n), author, options)
    if (n % 3 !== 0) await addRequests(app, key, random)
    if (n >= 6 && n < 14) await revokeKey(servicesAt(n - 5), key, n % 2 === 0)
    if (n >= 14 && n < 19) await rotateKey(servicesAt((n - 14) / 2), key, "7d")
  }
}

const addRequests = ({ store, now }: App, { id }: Pick<StoredKey, "id">, random: Random) =>
  addSampleRequests({ store, now }, id, {
    requestsPerDay: 5 + random() ** 4 * 20_000,
    ipRanges: 1 + Math.floor(random() ** 3 * 60),
    minutesApart: 1 + Math.floor(random() * 300),
    operations: { validate_purchase: 0.8, read_item: 0.1, list_items: 0.07, read_account: 0.03 },
  })

export async function addUsage({ program: { app }, market, at, random }: Activity): Promise<void> {
  const { keys, counts, usage } = app.store
  for (let n = 0; n < market.accounts; n += 1) {
    const [key] = await keys.list((await authorOf(app, n)).id)
    if (key !== undefined && n % 7 !== 6) await addRequests(app, key, random)
  }
  for (const n of [0, 1, 2]) {
    const all = await keys.list((await authorOf(app, n)).id)
    const used = new Set(
      (await usage.listLastUses(all.map(({ id }) => id))).map(({ keyId }) => keyId),
    )
    const own = all.filter(({ id }) => used.has(id))
    for (let days = 29; days >= 0; days -= 1) {
      const failed = Array.from({ length: n === 0 ? 60 : 6 }, () =>
        failRequest(own, { market, at, random }, days),
      )
      const calls = failed.map(({ keyId, operation, reason: outcome, firstAt, calls }) => ({
        ...{ keyId, operation, outcome, calls, day: firstAt.slice(0, 10) },
      }))
      await counts.add(secondsBefore(at, days * daySeconds), {
        calls,
        failures: days < 7 ? failed : [],
      })
    }
  }
}

const failures: readonly (readonly [Failure, Operation])[] = [
  ["unknown_code", "validate_purchase"],
  ["revoked_code", "validate_purchase"],
  ["site_limit", "validate_purchase"],
  ["missing_parameter", "validate_purchase"],
  ["invalid_parameter", "validate_purchase"],
  ["unknown_item", "read_item"],
  ["no_items", "list_items"],
  ["key_not_allowed", "read_account"],
  ["rate_limited", "validate_purchase"],
  ["unavailable", "validate_purchase"],
  ["revoked_key", "validate_purchase"],
  ["expired_key", "release_site"],
]

const activeFailures = failures.filter(([reason]) => !/^(?:revoked|expired)_key$/.test(reason))

function failRequest(
  keys: readonly StoredKey[],
  { market, at, random }: Omit<Activity, "program">,
  days: number,
) {
  const key = chooseFrom(keys, random)
  const state = stateOf(key, formatTimestamp(at))
  const inactive = failures.filter(([reason]) => reason === `${state}_key`)
  const [reason, operation] = chooseFrom(inactive.length > 0 ? inactive : activeFailures, random)
  const code = codeOf(market, Math.floor(random() * 1_000))
  const isOwn = reason !== "unknown_code"
  const isCode = /_code$|^site_limit$/.test(reason)
  const seconds = days * daySeconds + Math.floor(random() * anHour)
  const range = Math.floor(random() * 40)
  return {
    keyId: key.id,
    operation,
    reason,
    ipRange: range < 30 ? `203.0.${range}.0/24` : `2001:db8:${range}::/48`,
    code: isCode ? shownCode({ code, isOwn }) : "",
    firstAt: secondsBefore(at, seconds + 300),
    lastAt: secondsBefore(at, seconds),
    calls: 1 + Math.floor(random() ** 4 * 900),
    ...(reason === "site_limit" ? { rejectedSite: { site: "shop.example.com", limit: 3 } } : {}),
  }
}

/** The first codes are on up to 60 sites; the limit of their items is 3. */
export async function addSites({ program: { app }, market, at, random }: Activity): Promise<void> {
  const { store, now } = app
  const author = await authorOf(app, 0)
  for (let n = 0; n < 30; n += 1) {
    const code = codeOf(market, n)
    for (let days = 3; days > 0; days -= 1) {
      const sites = Array.from({ length: Math.floor(random() * 20) }, (_, site) => ({
        code,
        site: `${site % 5 === 0 ? "the-online-shop-of-a-long-and-honest-name-" : "shop"}${days}${site}.example.com`,
      }))
      await store.sites.recordSeen(secondsBefore(at, days * daySeconds), sites)
    }
    const [found] = await store.purchases.listByCode(author.id, code)
    const services = { sites: store.sites, audit: store.audit, now, actor: commandLine }
    if (found === undefined || n % 3 === 2) continue
    const limited = { id: found.itemId, accountId: author.id, username: author.username }
    await setSiteLimits(services, limited, { sites: 3, byLicense: { Extended: 25 } })
  }
}

const respond = (status: number, response = "", durationMs = 180): Attempt => ({
  status,
  problem: null,
  response,
  durationMs,
})
const unavailable = respond(503, "<h1>503</h1>".repeat(80), 2_340)

/** By the first label of the host name. */
const receivers: Readonly<Record<string, (random: Random, days: number) => Attempt>> = {
  delivered: () => respond(200, "ok"),
  flaky: (random) => (random() < 0.6 ? respond(204) : unavailable),
  retrying: (_, days) => (days > 3 ? respond(200) : unavailable),
  failing: () => ({
    status: null,
    problem: message("connection_failed", { reason: "ECONNREFUSED" }),
    response: "",
    durationMs: 3,
  }),
  gone: () => respond(410),
}

export async function addWebhooks(activity: Activity): Promise<void> {
  const { program, market, at } = activity
  const { app } = program
  const services = {
    ...app.endpointServices(commandLine),
    now: () => dateBefore(at, 40 * daySeconds),
  }
  const owners = [null, ...(await Promise.all([0, 1, 2, 3, 4, 5].map((n) => authorOf(app, n))))]
  for (const [index, owner] of owners.entries()) {
    const wanted =
      index < 2
        ? [...Object.keys(receivers), "off"]
        : Object.keys(receivers).slice(0, 1 + (index % 4))
    for (const kind of wanted) {
      const url = `https://${kind}.hooks.example/${"a-long-path/".repeat(index % 4)}receive?token=x`
      const { endpoint } = await createEndpoint(services, owner, { url, events: [] })
      if (kind === "off") await disableEndpoint({ ...services, now: app.now }, endpoint)
    }
  }
  for (let days = 29; days >= 0; days -= 1) {
    for (const [n, type] of (["created", "revoked", "restored", "changed"] as const).entries()) {
      const { purchase } = JSON.parse(validationBody(market, days)).data
      const on = dateBefore(at, days * daySeconds + n * anHour)
      const author = await authorOf(app, n % 3)
      const event: NewEvent = {
        type: `purchase.${type}`,
        at: formatTimestamp(on),
        account: { id: author.id, username: author.username },
        data: JSON.stringify({ purchase }),
      }
      await app.store.messages.enqueue(event)
    }
    for (const hours of [0, 6, 12, 18]) {
      await attemptAll(activity, Math.max(0, days * daySeconds - hours * anHour))
    }
  }
}

export async function attemptAll(
  { program: { app }, at, random }: Activity,
  secondsAgo = 0,
): Promise<void> {
  const { messages } = app.store
  const nowMs = at.getTime() - secondsAgo * 1000
  for (const { messageIds } of await messages.listDue(nowMs, true)) {
    for (const leased of await messages.lease(messageIds, nowMs, nowMs + 1_000)) {
      const kind = new URL(leased.endpoint.url).hostname.split(".")[0] ?? ""
      const attempt = (receivers[kind] ?? receivers.delivered)?.(random, secondsAgo / daySeconds)
      if (attempt === undefined) continue
      await messages.completeAttempt(leased, attempt, nowMs, (earlier) =>
        evaluateAttempt(attempt, leased.attempts + 1, earlier, { nowMs, random: random() }),
      )
    }
  }
}

/** 40 imports of the last sales. Five of them have rejected lines and pending records. */
export async function addImports(
  { program, at, random }: Activity,
  sales: readonly Line[],
): Promise<void> {
  const size = Math.ceil(sales.length / 40)
  for (let n = 0; n < 40; n += 1) {
    const via = chooseFrom(["file", "pull", "push"] as const, random)
    const day = secondsBefore(at, (40 - n) * daySeconds).slice(0, 10)
    const source = {
      file: `/srv/shop/exports/nightly/sales-of-${day}.ndjson`,
      pull: "shop.json",
      push: "feed",
    }[via]
    const broken = n % 8 === 7 ? brokenLines(n) : []
    const lines = [...sales.slice(n * size, (n + 1) * size), ...broken]
    await program.load(lines, "batches", { source, via })
  }
  const { feed, pulls } = program.app.store
  const [startedAt, endedAt] = [secondsBefore(at, 7_200), secondsBefore(at, 7_190)]
  const problem = message("other", {
    text: "connection to shop-db.internal:3306 refused (ECONNREFUSED)",
  })
  const failed = { startedAt, endedAt, problem, outcome: null, line: 0, runBefore: 1e9 }
  await feed.recordFailure({ source: "/srv/shop/exports/refunds.csv", via: "file", ...failed })
  for (const name of ["shop.json", "legacy-shop.json"]) {
    const isFailed = name !== "shop.json"
    await pulls.recordRound({
      name,
      everySeconds: 300,
      startedAt,
      endedAt,
      runBefore: 1e9,
      problem: isFailed ? problem : null,
      isSuccess: !isFailed,
    })
  }
}

function brokenLines(n: number): readonly Line[] {
  const code = (at: number) => `BROKEN-${n}-${at}`
  return Array.from({ length: 140 }, (_, at): Line => {
    if (at < 40) return purchase(code(at), 90_000 + (at % 6))
    if (at < 60) return item(`author-to-come-${at % 4}`, 95_000 + n * 100 + at)
    if (at < 80) return purchase(code(at), 1, { date: "18.11.2026 14:00" })
    if (at < 95) return purchase("N/A", 1)
    if (at < 110) return purchase(code(at), 1, { price: "19,99 TL" })
    if (at < 120) return purchase(code(at), 1, { currency: "TL" })
    if (at < 130) return item(authorAt(1), 1 + at, { name: "W".repeat(300) })
    return { type: "purchase", purchase_code: code(at) }
  })
}

const changes = [
  { kind: "account", action: "suspended" },
  { kind: "account", action: "resumed" },
  { kind: "account", action: "invited" },
  {
    kind: "purchase",
    action: "refunded",
    note: "Chargeback: the card holder did not recognize it.",
  },
  { kind: "purchase", action: "site_released" },
  { kind: "item", action: "site_limit" },
  { kind: "key", action: "revoked" },
  { kind: "operator", action: "signed_in" },
  { kind: "operator", action: "sign_in_failed" },
  { kind: "token", action: "replaced" },
  { kind: "webhook", action: "turned_off" },
] as const

/** 600 changes of the last 60 days. Six authors are suspended. */
export async function addAudit({ program: { app }, market, at, random }: Activity): Promise<void> {
  const { audit, keys, endpoints } = app.store
  const own = await keys.list((await authorOf(app, 0)).id)
  const webhooks = await endpoints.listAll()
  const events: AuditEvent[] = []
  for (let n = 0; n < 600; n += 1) {
    const change = chooseFrom(changes, random)
    const { id, username } = await authorOf(app, Math.floor(random() ** 2 * market.accounts))
    const itemId = 1 + (n % market.items)
    const subjectIds = {
      account: username,
      purchase: codeOf(market, n),
      item: `${itemId}`,
      key: chooseFrom(own, random).id,
      operator: chooseFrom(operators, random),
      token: "shop-push",
      webhook: chooseFrom(webhooks, random).id,
    }
    const hasAccount = change.kind !== "operator" && change.kind !== "token"
    events.push({
      ...change,
      at: secondsBefore(at, Math.floor((1 - n / 600) * 60 * daySeconds)),
      actor: { kind: "operator", name: chooseFrom(operators, random), ipRange: "192.0.2.0/24" },
      account: hasAccount ? { id, username } : null,
      subjectId: subjectIds[change.kind],
      subjectName: change.kind === "item" ? nameOfItem(itemId) : "",
      count: 1,
    })
  }
  await audit.insert(...events)
  for (const n of [7, 13, 57, 93, 123, 299]) {
    const services = { ...app.store, now: app.now, actor: commandLine }
    await setSuspended(services, await authorOf(app, n), true)
  }
}
