import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { publicTestSecret } from "../../src/contract/operation.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { type Marketplace, openMarketplace, sold } from "../harness/marketplace.ts"
import { toFeed } from "../harness/records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { until } from "../harness/until.ts"

const token = "operator-token-that-nobody-may-read"
let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace({ PAZAR_OPERATOR_TOKEN: token, LOG_LEVEL: "debug" })
})
afterAll(() => market.close())

type LogLine = Readonly<Record<string, string | number>>

async function linesOf(work: () => Promise<unknown>): Promise<readonly LogLine[]> {
  const before = market.logged().length
  await work()
  const text = market.logged().slice(before).trimEnd()
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line))
}

const validation = "/api/purchases/validation"
const sale = "/v3/market/author/sale"

/** Validates the same code by both paths, and compares the line with the response. */
async function validateBoth(secret: string | null) {
  const authorization: Record<string, string> =
    secret === null ? {} : { Authorization: `Bearer ${secret}` }
  const code = String(sold.purchase_code)
  const requests = [
    new Request(`${market.url}${validation}?purchase_code=${code}`, { method: "POST" }),
    new Request(`${market.url}${sale}?code=${code}`),
  ]
  const found = []
  for (const request of requests) {
    let response = new Response()
    const [line] = await linesOf(async () => {
      response = await fetch(request, { headers: authorization })
    })
    const { headers, status } = response
    expect(line).toMatchObject({
      level: "debug",
      route: "validate_purchase",
      status,
      reason: headers.get("pazar-reason"),
      requestId: headers.get("request-id"),
    })
    found.push([line?.reason, line?.keyId])
  }
  expect(found[0]).toEqual(found[1])
  return found[0]
}

const idOf = async (secret: string) =>
  (await market.app.store.keys.findByLookup(market.app.keyCipher.lookup(secret)))?.id

describe("a request's line has the error code of the response, and the id of a known key", () => {
  test("accepted", async () => {
    expect(await validateBoth(market.keys.secret)).toEqual(["ok", await idOf(market.keys.secret)])
    const { bob } = market.keys
    expect(await validateBoth(bob)).toEqual(["unknown_code", await idOf(bob)])
  })

  test.each(["revoked", "expired"] as const)("rejected because it is %s", async (state) => {
    const secret = market.inactiveKeys[state]
    const id = await idOf(secret)
    expect(id).toStartWith("key_")
    expect(await validateBoth(secret)).toEqual([`${state}_key`, id])
  })

  test("rejected because its account is suspended", async () => {
    const { accounts } = market.app.store
    const { id } = await requireAccount(accounts, "bob")
    await accounts.setSuspended(id, true, new Date())
    const { bob } = market.keys
    const statusOf = async () =>
      (await fetch(`${market.url}${sale}`, { headers: { Authorization: `Bearer ${bob}` } })).status
    await until(async () => (await statusOf()) === 403 || undefined)
    expect(await validateBoth(bob)).toEqual(["account_suspended", await idOf(bob)])
  })

  test("no key, and an unknown one", async () => {
    expect(await validateBoth(null)).toEqual(["missing_key", undefined])
    expect(await validateBoth("nobody")).toEqual(["unknown_key", undefined])
  })
})

test("pages and other paths have an error code too", async () => {
  const reasonOf = async (path: string, init: RequestInit = {}) => {
    const [line] = await linesOf(() => fetch(`${market.url}${path}`, init))
    return [line?.route, line?.status, line?.reason]
  }
  expect(await reasonOf("/login")).toEqual(["page", 200, "ok"])
  expect(await reasonOf("/nowhere")).toEqual(["page", 404, "unknown_path"])
  expect(await reasonOf("/api/nowhere")).toEqual(["unknown", 404, "unknown_path"])
  expect(await reasonOf("/login", { method: "POST" })).toEqual(["page", 403, "refused"])
  expect(await reasonOf("/operator/feed", { method: "POST" })).toEqual(["feed", 401, "refused"])
})

test("at info, a stranger writes no line, or one and a number", async () => {
  const quiet = await openMarketplace({ LOG_LEVEL: "info", PAZAR_RATE_LIMIT: "on" })
  const authorization = { Authorization: `Bearer ${publicTestSecret}` }
  const body = new URLSearchParams({ purchase_code: "test-unavailable" })
  const requests = [
    () => fetch(`${quiet.url}/v1/market/sales`),
    () => fetch(`${quiet.url}/v3/market/buyer`, { method: "DELETE" }),
    () => fetch(`${quiet.url}${sale}?code=test-unavailable`, { headers: authorization }),
    () => fetch(`${quiet.url}${validation}`, { method: "POST", headers: authorization, body }),
  ]
  for (const [at, send] of requests.entries()) {
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await send()).status),
    )
    expect(new Set(statuses)).toEqual(new Set([at < 2 ? 501 : 503]))
  }
  expect(quiet.logged()).toBe("")
  const visitor = openVisitor(quiet.url)
  const form_token = await visitor.formToken("/login")
  for (let guess = 0; guess < 50; guess += 1) {
    await visitor.post("/login", { form_token, name: `nobody ${guess}`, password: "wrong" })
  }
  const outcomes = quiet.logged().trimEnd().split("\n")
  expect(outcomes.map((line) => JSON.parse(line).outcome)).toEqual([
    ...Array.from({ length: 30 }, () => "wrong"),
    "throttled",
  ])
  await quiet.close()
})

test("at info, only failed requests have a line", async () => {
  const quiet = await openMarketplace({ LOG_LEVEL: "info" })
  const sendRequest = async (secret: string) => {
    const headers = { Authorization: `Bearer ${secret}` }
    return (await fetch(`${quiet.url}${sale}?code=${sold.purchase_code}`, { headers })).status
  }
  expect([await sendRequest(quiet.keys.secret), await sendRequest(quiet.keys.bob)]).toEqual([
    200, 404,
  ])
  expect([await sendRequest("nobody"), (await fetch(`${quiet.url}/nowhere`)).status]).toEqual([
    401, 404,
  ])
  expect(quiet.logged()).toBe("")
  await queryStore(quiet, "ALTER TABLE purchases RENAME TO lost_purchases")
  expect(await sendRequest(quiet.keys.secret)).toBe(503)
  expect(quiet.logged()).toContain('"message":"request failed"')
  expect(quiet.logged()).toContain('"route":"validate_purchase","status":503')
  await queryStore(quiet, "ALTER TABLE lost_purchases RENAME TO purchases")
  await quiet.close()
})

test("a push has its own line, with its counts", async () => {
  const push = () =>
    fetch(`${market.url}/operator/feed`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: toFeed([sold, { ...sold, item_id: 99 }]),
    })
  const [pushLine, request] = await linesOf(push)
  expect(pushLine).toEqual({
    time: expect.any(String),
    level: "info",
    message: expect.any(String),
    accepted: 1,
    adjusted: 0,
    waiting: 0,
    rejected: 1,
    removed: 0,
    revoked: 0,
    restored: 0,
    seconds: expect.any(Number),
    requestId: request?.requestId ?? "",
  })
  expect(request).toMatchObject({ route: "feed", status: 422, reason: "refused" })
})

test("requests that fail in the same way have one line with the stack, and one line per request", async () => {
  const rename = (from: string, to: string) =>
    queryStore(market, `ALTER TABLE ${from} RENAME TO ${to}`)
  await rename("purchases", "lost_purchases")
  const sendRequest = () =>
    fetch(`${market.url}${sale}?code=x`, {
      headers: { Authorization: `Bearer ${market.keys.secret}` },
    })
  const lines = await linesOf(async () => {
    for (let turn = 0; turn < 20; turn += 1) expect((await sendRequest()).status).toBe(503)
  })
  await rename("lost_purchases", "purchases")
  // The counts of earlier requests may be written concurrently; they name purchases too.
  const requestLines = lines.filter(({ requestId }) => requestId !== undefined)
  expect(requestLines.map(({ level, route }) => [level, route])).toEqual([
    ["error", undefined],
    ["error", "validate_purchase"],
  ])
})

describe("a sign-in has its own line", () => {
  const password = "three unrelated words"
  beforeAll(async () => {
    for (const name of ["ada", "empty"]) await givePassword(market, name, password)
  })

  async function outcomesOf(name: string, typed: string, tries = 1) {
    const lines = await linesOf(async () => {
      const visitor = openVisitor(market.url)
      for (let turn = 0; turn < tries; turn += 1) await visitor.signIn(name, typed)
    })
    return lines.filter(({ outcome }) => outcome !== undefined)
  }
  const line = (outcome: string, username?: string) => ({
    time: expect.any(String),
    level: "info",
    message: expect.any(String),
    outcome,
    ipRange: "127.0.0.0/24",
    ...(username === undefined ? {} : { username }),
  })

  test("with the outcome, the IP range and, if the name is an account's, the username", async () => {
    expect(await outcomesOf("ADA@example.com", password)).toEqual([line("ok", "ada")])
    expect(await outcomesOf("ada", "wrong")).toEqual([line("wrong", "ada")])
    const { accounts } = market.app.store
    await accounts.setSuspended((await requireAccount(accounts, "empty")).id, true, new Date())
    expect(await outcomesOf("empty", password)).toEqual([line("suspended", "empty")])
  })

  test("without the entered text, which may be a password", async () => {
    expect(await outcomesOf(password, "x", 11)).toEqual([
      ...Array.from({ length: 10 }, () => line("wrong")),
      line("throttled"),
    ])
    expect(market.logged()).not.toContain(password)
  })
})
