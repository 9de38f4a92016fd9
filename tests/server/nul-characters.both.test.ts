/** PostgreSQL cannot store NUL characters. No parameter with one causes a server error, on either database. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { addSampleWebhooks, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import {
  openSignedIn,
  openVisitor,
  type Visitor,
  withoutFormTokens,
} from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { addOperator, openOperator } from "../harness/test-operators.ts"

const operatorToken = "operator-token-of-32-characters-or-more"
const sold = "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21"

let program: Program
let elif: Visitor
let deniz: Visitor
let ids: Readonly<Record<"account" | "key" | "endpoint" | "message", string>>
beforeAll(async () => {
  program = await startSampleWorkspace({ PAZAR_OPERATOR_TOKEN: operatorToken })
  await addSampleWebhooks(program)
  await addOperator(program, "deniz")
  elif = await openSignedIn(program.url, "elif")
  deniz = await openOperator(program.url, "deniz")
  const { store } = program.app
  const account = (await store.accounts.findByUsername("elif"))?.id ?? 0
  const [endpoint] = await store.endpoints.list(account)
  const [message] = await store.messages.list(endpoint?.id ?? "", null, 1)
  ids = {
    account: String(account),
    key: (await program.issue("elif")).key.id,
    endpoint: endpoint?.id ?? "",
    message: message?.id ?? "",
  }
})
afterAll(() => program.close())

const publicPages = ["/", "/login", "/activate", "/docs", "/docs/errors", "/invite/x", "/nowhere"]
const workspacePages = () => [
  ...["", "/usage.csv", "/log", "/log.csv", "/search", "/items", "/items/1001", "/check"],
  ...["/sales", "/sales.csv", "/settings/keys", "/settings/keys/new", "/settings/webhooks"],
  ...["", "/usage.csv", "/replace", "/leak", "/revoke"].map(
    (end) => `/settings/keys/${ids.key}${end}`,
  ),
  ...[`/settings/webhooks/${ids.endpoint}`, `/settings/webhooks/${ids.endpoint}/${ids.message}`],
  ...["/settings", "/settings/security", "/settings/people", "/settings/language"],
]
const consolePages = () => [
  ...["", "/login", "/authors", "/authors.csv", "/traffic", "/search", "/purchases", "/items"],
  ...["/purchases.csv", "/items.csv", "/keys", "/keys.csv", "/audit", "/audit.csv", "/imports"],
  ...["", "/log", "/traffic", `/webhooks/${ids.endpoint}`].map(
    (end) => `/authors/${ids.account}${end}`,
  ),
  ...[`/keys/${ids.key}`, "/items/1001", "/webhooks", "/operators", "/settings", "/security"],
]
const queryNames = [
  ...[
    "q",
    "sort",
    "page",
    "show",
    "key",
    "day",
    "operation",
    "item",
    "state",
    "days",
    "from",
    "to",
  ],
  ...["after", "before", "author", "kind", "account", "span", "done", "problem", "next"],
  "lang",
]
const workspaceForms = () => [
  ...["/login", "/login/link", "/invite/x", "/workspace/elif/check", "/workspace/elif/search"],
  ...[
    "/workspace/elif/sales",
    "/workspace/elif/items/1001/sites",
    "/workspace/elif/settings/language",
  ],
  ...[
    "/workspace/elif/settings/keys",
    "/workspace/elif/settings/keys/find",
    "/workspace/elif/settings/webhooks",
  ],
  ...["rename", "replace", "reveal"].map(
    (end) => `/workspace/elif/settings/keys/${ids.key}/${end}`,
  ),
  ...["/workspace/elif/settings/security/password", "/workspace/elif/settings/security/sessions/x"],
]
const consoleForms = () => [
  ...["/login", "/invite/x", "/search", "/purchases", "/items", "/keys", "/webhooks", "/operators"],
  ...["/operators/invite", "/security/password", `/authors/${ids.account}/invite`],
]
const fieldNames = [
  ...["purchase_code", "form_id", "kind", "name", "scope", "items", "expiry", "overlap", "locale"],
  ...["password", "repeat", "current", "next", "key", "url", "events", "q", "text", "search"],
  ...["limit", "license", "site", "token", "code", "page", "days", "item", "state", "author"],
]

/** Values that pages accept, and any text, each with a NUL character. */
const valid = ["", "a", "1001", "elif", "all", "30", "2026-01-01", "sk", sold, "purchase.created"]
const value = fc
  .tuple(fc.oneof(fc.constantFrom(...valid), fc.string({ maxLength: 8 })), fc.nat({ max: 8 }))
  .map(([text, at]) => `${text.slice(0, at)}\0${text.slice(at)}`)
const valuesOf = (names: readonly string[]) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), value), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 4,
    })
    .map((pairs): Record<string, string> => Object.fromEntries(pairs))

const onPages: readonly [name: string, visitor: () => Visitor, paths: () => readonly string[]][] = [
  ["for everybody", () => openVisitor(program.url), () => publicPages],
  ["of the workspace", () => elif, () => workspacePages().map((path) => `/workspace/elif${path}`)],
  ["of the console", () => deniz, () => consolePages().map((path) => `/console${path}`)],
]

describe.each(onPages)("a query with NUL characters, on the pages %s", (_, visitorOf, pathsOf) => {
  test("each parameter separately", async () => {
    const visitor = visitorOf()
    const failed: string[] = []
    for (const path of pathsOf()) {
      expect([path, (await visitor.get(path)).status]).not.toEqual([path, 500])
      for (const name of queryNames) {
        const url = `${path}?${name}=a%00b`
        const isFailing = async () => (await visitor.get(url)).status >= 500
        // On a busy machine a page can be unavailable once.
        if ((await isFailing()) && (await isFailing())) failed.push(url)
      }
    }
    expect(failed).toEqual([])
  }, 180_000)
})

test("a NUL character in a query is removed, as in a form", async () => {
  const plain = await elif.get("/workspace/elif/items?q=anadolu&sort=name")
  expect(plain.text).toContain("Anadolu")
  const withNul = await elif.get("/workspace/elif/items?q=%00ana%00dolu&sort=na%00me")
  expect(withNul.status).toBe(200)
  expect(withoutFormTokens(withNul.text)).toBe(withoutFormTokens(plain.text))
  // The remaining characters must not form a NUL character.
  expect((await elif.get("/workspace/elif/items?q=%0%000")).status).toBe(200)
})

const onForms: readonly [name: string, visitor: () => Visitor, paths: () => readonly string[]][] = [
  ["of the workspace", () => elif, workspaceForms],
  ["of the console", () => deniz, () => consoleForms().map((path) => `/console${path}`)],
]

describe.each(onForms)("NUL characters in the forms %s", (name, visitorOf, pathsOf) => {
  test("any fields, with a NUL character in the query too", async () => {
    const visitor = visitorOf()
    const page = name === "of the console" ? "/console/search" : "/workspace/elif/check"
    const form_token = await visitor.formToken(page)
    await fc.assert(
      fc.asyncProperty(fc.nat(), valuesOf(fieldNames), async (at, fields) => {
        const path = pathsOf()[at % pathsOf().length] ?? "/"
        for (const each of [path, `${path}?q=%00`]) {
          expect((await visitor.post(each, { form_token, ...fields })).status).toBeLessThan(500)
        }
      }),
      { numRuns: 120 },
    )
  })
})

describe("NUL characters in the parameters of the API", () => {
  const post = async (path: string, parameters: Readonly<Record<string, string>>) => {
    const { secret } = await program.issue("elif")
    const all = { api_key: secret, ...parameters }
    const bodies = [new URLSearchParams(all), JSON.stringify(all)]
    const responses = await Promise.all(
      bodies.map((body) => fetch(`${program.url}${path}`, { method: "POST", body })),
    )
    return responses.map(({ status, headers }) => `${status} ${headers.get("pazar-reason")}`)
  }
  const get = async (path: string, query: Readonly<Record<string, string>>) => {
    const { secret } = await program.issue("elif")
    const url = `${program.url}${path}?${new URLSearchParams(query)}`
    const { status, headers } = await fetch(url, { headers: { Authorization: `Bearer ${secret}` } })
    return `${status} ${headers.get("pazar-reason")}`
  }
  const validation = "/api/purchases/validation"
  const release = "/api/purchases/release"

  test.each<[path: string, parameters: Readonly<Record<string, string>>, response: string]>([
    [validation, { purchase_code: `\0${sold.slice(0, 9)}\0${sold.slice(9)}` }, "200 ok"],
    [validation, { purchase_code: "no-such\0-code" }, "404 unknown_code"],
    [validation, { purchase_code: "\0" }, "400 missing_parameter"],
    [validation, { purchase_code: sold, site: "shop.com\0", domain: "\0" }, "200 ok"],
    [validation, { purchase_code: sold, nonce: "0123456789abcdef\0" }, "400 invalid_parameter"],
    [validation, { purchase_code: sold, lang: "t\0r" }, "200 ok"],
    [validation, { purchase_code: sold, api_key: "pzr_sk_\0" }, "401 unknown_key"],
    [validation, { purchase_code: sold, api_key: "imported\0key" }, "401 unknown_key"],
    [release, { purchase_code: sold, site: "shop.com\0" }, "400 invalid_parameter"],
    [release, { purchase_code: "no-such\0-code", site: "a.com" }, "404 unknown_code"],
  ])("%s %j: %s", async (path, parameters, response) => {
    expect(await post(path, parameters)).toEqual([response, response])
  })

  test.each<[path: string, query: Readonly<Record<string, string>>, response: string]>([
    ["/api/items/item", { item_id: "1001\0" }, "400 invalid_parameter"],
    ["/api/items/all", { lang: "\0" }, "200 ok"],
    ["/api/account/details", { lang: "\0" }, "200 ok"],
    ["/v3/market/author/sale", { code: `${sold}\0` }, "200 ok"],
    ["/v3/market/author/sale", { code: "no-such\0-code" }, "404 unknown_code"],
  ])("GET %s %j: %s", async (path, query, response) => {
    expect(await get(path, query)).toBe(response)
  })
})

describe("NUL characters on operator paths", () => {
  const push = (path: string, body: string) =>
    fetch(`${program.url}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${operatorToken}` },
      body,
    })

  test("400: a sign-in link for a username with a NUL character", async () => {
    expect((await push("/operator/links", JSON.stringify({ username: "el\0if" }))).status).toBe(400)
  })
})
