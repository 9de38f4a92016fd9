/**
 * Secrets with known values pass through everything the server does, errors included, at the log level `debug`. No
 * secret may appear in the log, the metrics, a response to another person, an export without keys or the database.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { recoveryCodesCount } from "../../src/people/two-factor.ts"
import { createSigningKeyCipher } from "../../src/signing/signing-key.ts"
import { givePassword, samplePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, openVisitor } from "../harness/browser/visitor.ts"
import { inviteOwner } from "../harness/invite-owner.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { queryStore, storeText } from "../harness/stores/stored-rows.ts"
import { addOperator, openOperator, operatorPassword, totpCode } from "../harness/test-operators.ts"

const canary = (name: string) => `canary-${name}-4f1d8b2c9e7a6053`
const operatorToken = canary("operator-token")
const metricsToken = canary("metrics-token")
const masterKey = Buffer.from("canary-master-key-4f1d8b2c9e7a60").toString("base64")
const typed = { wrongPassword: canary("wrong-password"), nameField: canary("name-field") }
const importedKey = canary("imported-key")
const rejectedKey = canary("refused-key")
const code = canary("code")

let program: Program
/**
 * Secrets by description. Purchase codes are in `codes`: they are stored in plain text, and only logs and metrics
 * leave them out.
 */
const secrets = new Map<string, string>()
const codes = [code, canary("unknown-code")]
/** Responses to anybody but the owner of a secret. */
const exposed: string[] = []

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
async function see(path: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(`${program.url}${path}`, { redirect: "manual", ...init })
  exposed.push(JSON.stringify([...response.headers]), await response.text())
  return response.status
}

beforeAll(async () => {
  program = await startProgram({
    LOG_LEVEL: "debug",
    PAZAR_MASTER_KEY: masterKey,
    PAZAR_OPERATOR_TOKEN: operatorToken,
    PAZAR_METRICS_TOKEN: metricsToken,
  })
  await pushFeed()
  await signIn()
  await openConsole()
  await sendToApi()
  await breakStore()
  await lookAround()
})
afterAll(() => program.close())

async function pushFeed(): Promise<void> {
  const lines = [
    ...[account("ada", { api_key: importedKey }), account("bob"), item("ada", 1), item("bob", 2)],
    ...[purchase(code, 1), { type: "account", username: "eve", api_key: rejectedKey }],
    { ...account("dan"), api_key: `pzr_sk_${rejectedKey}` },
  ]
  const init = { method: "POST", headers: bearer(operatorToken), body: toFeed(lines) }
  expect(await see("/operator/feed", init)).toBe(422)
  for (const [name, value] of Object.entries({
    operatorToken,
    metricsToken,
    importedKey,
    refusedKey: rejectedKey,
  })) {
    secrets.set(name, value)
  }
  secrets.set("masterKey", masterKey)
  secrets.set("masterKey in hex", Buffer.from(masterKey, "base64").toString("hex"))
  secrets.set("masterKey as text", Buffer.from(masterKey, "base64").toString())
  const { store, masterKeys } = program.app
  for (const key of await store.signingKeys.list()) {
    const privateKey = createSigningKeyCipher(masterKeys).decrypt(key.encrypted, key.id)
    secrets.set(`signing key, ${key.state}`, privateKey)
  }
}

async function signIn(): Promise<void> {
  const ada = await requireAccount(program.app.store.accounts, "ada")
  await givePassword(program, "ada")
  await givePassword(program, "bob")
  for (const [name, value] of Object.entries({ password: samplePassword, ...typed }))
    secrets.set(name, value)
  const visitor = openVisitor(program.url)
  await visitor.signIn("ada", typed.wrongPassword)
  await visitor.signIn(typed.nameField, samplePassword)
  await visitor.signIn("ada")
  secrets.set("session", visitor.cookies.get("pazar") ?? "")
  const created = await visitor.submit("/workspace/ada/settings/keys/new", {
    form_id: "1111111111111111",
    kind: "sk",
    name: "Mine",
  })
  secrets.set("key of a form", /pzr_sk_[0-9A-Za-z]{36}/.exec(created.text)?.[0] ?? "")
  await visitor.submit("/workspace/ada/check", { purchase_code: code })

  const { token } = await inviteOwner({ ...program.app.store, tokens, now: program.app.now }, ada)
  secrets.set("invitation", token)
  await openVisitor(program.url).get(`/invite/${token}`)
  const link = await fetch(`${program.url}/operator/links`, {
    method: "POST",
    headers: bearer(operatorToken),
    body: JSON.stringify({ username: "ada" }),
  })
  const { url } = (await link.json()) as { url: string }
  secrets.set("sign-in link", url.split("/").at(-1) ?? "")
  await openVisitor(program.url).get(new URL(url).pathname)
}

async function openConsole(): Promise<void> {
  const link = await addOperator(program, "deniz", null)
  secrets.set("operator's invitation", link.split("/").at(-1) ?? "")
  await openVisitor(program.url).get(link)
  await addOperator(program, "ece")
  secrets.set("operator's password", operatorPassword)
  const visitor = await openOperator(program.url, "ece")
  for (const [name, value] of visitor.cookies) secrets.set(`operator's cookie ${name}`, value)
  const path = "/console/security/second-factor"
  const page = await visitor.get(path)
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1]?.replaceAll(" ", "") ?? ""
  secrets.set("second factor", secret)
  const form = { secret, code: totpCode(secret), password: operatorPassword }
  const { text } = await visitor.submit(path, form, path)
  const codes = new Set(text.match(/(?:[a-z2-7]{4}-){3}[a-z2-7]{4}/g))
  expect(codes.size).toBe(recoveryCodesCount)
  for (const code of codes) secrets.set(`recovery code ${code}`, code)
  for (const path of ["/console", "/console/security", "/console/audit"]) {
    exposed.push((await visitor.get(path)).text.replaceAll(/value="[^"]*"/g, ""))
  }
}

async function sendToApi(): Promise<void> {
  for (const kind of ["sk", "vk", "tk"] as const) {
    secrets.set(`key ${kind}`, (await program.issue("ada", kind)).secret)
  }
  const keys = [...secrets].filter(([name]) => /key/i.test(name)).map(([, value]) => value)
  const own: string[] = []
  for (const key of keys) {
    const query = new URLSearchParams({ api_key: key, purchase_code: code, item_id: "1" })
    const calls: readonly (readonly [string, RequestInit])[] = [
      [`/api/account/details?${query}`, {}],
      ["/api/items/all", { headers: { "X-Api-Key": key } }],
      ["/api/items/item?item_id=x", { headers: bearer(key) }],
      ["/api/purchases/validation", { method: "POST", body: query }],
      [
        "/api/purchases/validation",
        { method: "POST", body: JSON.stringify({ api_key: key, purchase_code: codes[1] }) },
      ],
      [
        "/api/purchases/validation",
        { method: "POST", headers: bearer(key), body: key.repeat(3_000) },
      ],
      [`/api/purchases/validation?${query}&nonce=0123456789abcdef`, { method: "POST" }],
      [`/v3/market/author/sale?code=${code}`, { headers: bearer(key) }],
      [`/api/nowhere/${key}?${query}`, { method: "DELETE" }],
      [`/nowhere/${key}?${query}`, {}],
      ["/metrics", { headers: bearer(key) }],
      ["/operator/links", { method: "POST", headers: bearer(key), body: key }],
    ]
    for (const [path, init] of calls) {
      const response = await fetch(`${program.url}${path}`, init)
      own.push(await response.text())
    }
  }
  // A response never contains the key that was sent, not even for its owner. It does contain the code.
  exposed.push(...own)
}

async function breakStore(): Promise<void> {
  const key = secrets.get("key sk") ?? ""
  for (const table of ["purchases", "accounts", "api_keys", "sessions"]) {
    await queryStore(program, `ALTER TABLE ${table} RENAME TO gone`)
    const unknown = `unknown-${canary("key")}-${table}`
    secrets.set(`key while ${table} is gone`, unknown)
    for (const each of [key, unknown]) {
      const query = new URLSearchParams({ api_key: each, purchase_code: code })
      await see(`/api/purchases/validation?${query}`, { method: "POST" })
    }
    await see(`/workspace/ada?key=${key}`, {
      headers: { Cookie: `pazar=${secrets.get("session")}` },
    })
    await queryStore(program, `ALTER TABLE gone RENAME TO ${table}`)
  }
  expect(program.logged()).toContain('"message":"request failed"')
}

async function lookAround(): Promise<void> {
  const bob = await openSignedIn(program.url, "bob")
  const pages = ["", "/items", "/settings", "/settings/keys", "/settings/security"]
  const paths = ["ada", "bob"].flatMap((name) => pages.map((page) => `/workspace/${name}${page}`))
  for (const path of [...paths, "/docs"]) exposed.push((await bob.get(path)).text)
  for (const path of ["/", "/docs", "/login", "/openapi.json", "/readyz"]) await see(path)
  await see("/.well-known/pazar-keys.json")
  await see("/operator/openapi.json", { headers: bearer(operatorToken) })
}

const spellingsOf = (secret: string) => [
  ...[secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)],
  ...[
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
    Buffer.from(secret).toString("hex"),
  ],
]
const foundIn = (text: string, values: Iterable<readonly [string, string]>) =>
  [...values]
    .filter(([, secret]) => spellingsOf(secret).some((each) => text.includes(each)))
    .map(([name]) => name)

test("every secret was used", () => {
  expect(secrets.size).toBeGreaterThanOrEqual(32)
  expect([...secrets].filter(([, secret]) => secret.length < 16)).toEqual([])
})

describe("no secret is in", () => {
  const codesByName = codes.map((each) => [each, each] as const)

  test("the log", () => {
    const logged = program.logged()
    expect(logged).toContain('"route":"validate_purchase"')
    expect(foundIn(logged, [...secrets, ...codesByName])).toEqual([])
  })

  test("the metrics", async () => {
    const response = await fetch(`${program.url}/metrics`, { headers: bearer(metricsToken) })
    const text = await response.text()
    expect(text).toContain("pazar_requests_total")
    expect(foundIn(text, [...secrets, ...codesByName])).toEqual([])
  })

  test("a response to another person", () => {
    expect(foundIn(exposed.join("\n"), secrets)).toEqual([])
  })

  test("an export without keys", async () => {
    const dump = await program.dump()
    expect(dump).toContain(code)
    expect(foundIn(dump, secrets)).toEqual([])
  })

  test("the database, and therefore a backup", async () => {
    const text = await storeText(program)
    expect(text).toContain(code)
    expect(foundIn(text, secrets)).toEqual([])
  })

  test("an error of the command line", async () => {
    const bad = {
      DATABASE_URL: `postgres://pazar:${canary("database-password")}@127.0.0.1:1/pazar`,
      PAZAR_MASTER_KEY: masterKey,
    }
    const outcomes = [
      await runInProcess(program.folder, ["doctor"], { env: bad }),
      await runInProcess(program.folder, ["doctor"], {
        env: { ...bad, PAZAR_MASTER_KEY: canary("bad-key") },
      }),
      await runInProcess(program.folder, ["doctor"], {
        env: { PAZAR_OPERATOR_TOKEN: "canary-short" },
      }),
      await runInProcess(program.folder, ["key", "find"], { input: canary("pasted-key") }),
      await runInProcess(program.folder, ["account", "password", "nobody"], {
        input: canary("new-password"),
      }),
      await runInProcess(program.folder, ["import", join(program.folder, canary("file"))]),
    ]
    expect(outcomes.map(({ status }) => status)).not.toContain(0)
    const outputs = outcomes
      .slice(0, -1)
      .map(({ stdout, stderr }) => stdout + stderr)
      .join("\n")
    expect(outputs).not.toContain("canary-")
    expect(outputs).not.toContain(masterKey)
  })
})
