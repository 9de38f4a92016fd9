import { afterAll, afterEach, beforeAll, beforeEach, expect, setSystemTime, test } from "bun:test"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { dictionaries } from "../../../src/http/pages/translations/texts.ts"
import { requireAccount } from "../../../src/operations/catalog/account-operations.ts"
import { createSignInLink } from "../../../src/operations/sign-in/sign-in.ts"
import { tokens } from "../../../src/secrets/sign-in/tokens.ts"
import { unescapeHtml } from "../../harness/browser/docs-page.ts"
import { samplePassword, startSampleWorkspace } from "../../harness/browser/sample-workspace.ts"
import { openVisitor, type PageResponse, type Visitor } from "../../harness/browser/visitor.ts"
import { inviteOwner } from "../../harness/invite-owner.ts"
import { nextTotpCode } from "../../harness/next-totp-code.ts"
import type { Program } from "../../harness/program.ts"
import { queryStore, storeText } from "../../harness/stores/stored-rows.ts"
import { addOperator, openOperator, totpCode } from "../../harness/test-operators.ts"

const { keys, notices, twoFactor, signIn: signInTexts } = dictionaries.en
const securityPath = "/workspace/settings/security"
const setPath = `${securityPath}/second-factor`
const metricsToken = "a token of at least 32 characters".replaceAll(" ", "-")

let program: Program
let elif: Visitor
beforeAll(async () => {
  program = await startSampleWorkspace({ LOG_LEVEL: "info", PAZAR_METRICS_TOKEN: metricsToken })
  await addOperator(program, "deniz")
})
afterEach(() => setSystemTime())
afterAll(() => program.close())
beforeEach(async () => {
  await queryStore(program, "DELETE FROM sign_in_failures")
  await queryStore(program, "UPDATE people SET two_factor = NULL")
  await queryStore(program, "DELETE FROM recovery_codes")
  elif = openVisitor(program.url)
  await elif.signIn("elif")
})

const services = () => ({
  ...program.app.store,
  tokens,
  now: program.app.now,
  actor: commandLine,
})
const accountOf = (name: string) => requireAccount(program.app.store.accounts, name)
const goesTo = ({ status, location }: PageResponse) => [status, location]
const isIn = async (visitor: Visitor) => (await visitor.get("/workspace")).status === 200

async function setUp(visitor = elif, form: Readonly<Record<string, string>> = {}) {
  const { text } = await visitor.get(setPath)
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(" ", "") ?? ""
  const sent = { secret, code: totpCode(secret), password: samplePassword, ...form }
  const response = await visitor.submit(setPath, sent, setPath)
  const codes = [...response.text.matchAll(/<li>((?:[a-z2-7]{4}-){3}[a-z2-7]{4})<\/li>/g)]
  return { secret, sent: sent.code, response, codes: codes.map(([, code = ""]) => code) }
}
async function signIn(code: string, visitor = openVisitor(program.url), password = samplePassword) {
  const form_token = await visitor.formToken("/login")
  return visitor.post("/login", { form_token, name: "elif", password, code })
}
async function link(name = "elif") {
  const { token } = await createSignInLink(services(), await accountOf(name))
  return token
}
const enter = (visitor: Visitor, token: string, code: string) =>
  visitor.submit("/login/link", { token, code }, `/login/link/${token}`)

test("200: it is set up with the password and a code, and shows recovery codes once", async () => {
  const other = openVisitor(program.url)
  await other.signIn("elif")
  expect((await elif.get(securityPath)).text).toContain(`href="${setPath}"`)
  const { response, codes, secret } = await setUp()
  expect(response.status).toBe(200)
  expect(codes).toHaveLength(10)
  expect([await isIn(elif), await isIn(other)]).toEqual([true, false])
  const [, next = ""] = /<a class="button" href="([^"]*)"/.exec(response.text) ?? []
  const text = unescapeHtml((await elif.get(next)).text)
  expect(text).toContain(notices.second_factor_on)
  expect(text).toContain(twoFactor.codesLeft(10))
  for (const hidden of [secret, ...codes]) expect(text).not.toContain(hidden)
  const again = await elif.submit(setPath, { secret, code: "000000" }, securityPath)
  expect(goesTo(again)).toEqual([303, securityPath])
  const stored = await storeText(program)
  for (const hidden of [secret, ...codes]) expect(stored).not.toContain(hidden)
})

test("422: a wrong code or password sets nothing up", async () => {
  const wrong = [{ code: "000000" }, { password: "something else" }]
  for (const form of wrong) {
    const { response, codes } = await setUp(elif, form)
    expect([response.status, codes]).toEqual([422, []])
  }
  expect((await signIn("")).status).toBe(303)
})

test("401: a password without a valid code does not sign in, with the page of a wrong password", async () => {
  const { secret, sent, codes } = await setUp()
  const bare = ({ status, text }: PageResponse) => `${status} ${text.replace(/value="[^"]*"/g, "")}`
  const [recovery = ""] = codes
  expect(bare(await signIn(""))).toBe(bare(await signIn("", openVisitor(program.url), "wrong one")))
  expect(bare(await signIn("000000"))).toBe(
    bare(await signIn("000000", openVisitor(program.url), "wrong one")),
  )
  expect((await signIn(sent)).status).toBe(401)
  const next = nextTotpCode(secret)
  expect([(await signIn(next)).status, (await signIn(next)).status]).toEqual([303, 401])
  expect([(await signIn(recovery)).status, (await signIn(recovery)).status]).toEqual([303, 401])
})

test("401: a right password without a code gets a hint that a code may be missing", async () => {
  await setUp()
  const { status, text } = await signIn("")
  expect([status, unescapeHtml(text).includes(signInTexts.wrong)]).toEqual([401, true])
})

test("401: five wrong codes use up the author's attempts, but not the recovery codes", async () => {
  const { secret, codes } = await setUp()
  for (let guess = 0; guess < 5; guess += 1) expect((await signIn("000000")).status).toBe(401)
  expect((await signIn(nextTotpCode(secret))).status).toBe(401)
  expect((await signIn(codes[0] ?? "")).status).toBe(303)
  expect(
    (await openOperator(program.url, "deniz").then((each) => each.get("/console"))).status,
  ).toBe(200)
})

test("a sign-in link requires a code too, and a wrong one leaves the link valid", async () => {
  const { secret } = await setUp()
  const visitor = openVisitor(program.url)
  const token = await link()
  const { text } = await visitor.get(`/login/link/${token}`)
  expect(text).toContain('autocomplete="one-time-code"')
  expect(text).not.toContain("data-submits")
  const wrong = await enter(visitor, token, "000000")
  expect([wrong.status, await isIn(visitor)]).toEqual([401, false])
  expect(goesTo(await enter(visitor, token, nextTotpCode(secret)))).toEqual([303, "/workspace"])
  const marcus = openVisitor(program.url)
  const own = await link("marcus")
  expect((await marcus.get(`/login/link/${own}`)).text).toContain("data-submits")
})

test("429: attempts at codes of a link are limited", async () => {
  await setUp()
  const token = await link()
  const visitor = openVisitor(program.url)
  const statuses: number[] = []
  for (let guess = 0; guess < 6; guess += 1) {
    statuses.push((await enter(visitor, token, "000000")).status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
})

/** The logged outcomes of sign-ins while `work` ran, and the growth of their counters. */
async function signInsDuring(work: () => Promise<unknown>) {
  const outcomes = ["wrong", "throttled"] as const
  const scrape = async () => {
    const headers = { Authorization: `Bearer ${metricsToken}` }
    const text = await (await fetch(`${program.url}/metrics`, { headers })).text()
    return outcomes.map((outcome) =>
      Number(
        new RegExp(`^pazar_sign_ins_total{outcome="${outcome}"} (\\d+)$`, "m").exec(text)?.[1],
      ),
    )
  }
  const [logBefore, before] = [program.logged().length, await scrape()]
  await work()
  const lines = program.logged().slice(logBefore).trim().split("\n")
  const logged = lines
    .map((line) => JSON.parse(line))
    // Throttled ones are repeated, so the log only counts them.
    .filter(({ outcome }) => outcome !== undefined && outcome !== "throttled")
    .map(({ outcome, username, ipRange }) => `${outcome} ${username} ${ipRange}`)
  const grown = (await scrape()).map((count, index) => count - (before[index] ?? 0))
  return { logged, grown }
}
const wrong = "wrong elif 127.0.0.0/24"

test("wrong codes on the page of a link are logged and counted as at the sign-in", async () => {
  await setUp()
  const token = await link()
  const visitor = openVisitor(program.url)
  const guess = async () => {
    for (let tries = 0; tries < 6; tries += 1) await enter(visitor, token, "000000")
    await enter(visitor, token, "a-recovery-code-that-none-has")
  }
  expect(await signInsDuring(guess)).toEqual({
    logged: [wrong, wrong, wrong, wrong, wrong, wrong],
    grown: [6, 1],
  })
})

test("a wrong code while disabling, and a wrong password when it is required again, are counted too", async () => {
  const form = { current: "another one", password: "x", repeat: "x" }
  const change = () => elif.submit(`${securityPath}/password`, form, securityPath)
  expect(await signInsDuring(change)).toEqual({ logged: [wrong], grown: [1, 0] })
  await setUp()
  const off = () => elif.submit(`${setPath}/off`, { code: "000000" }, securityPath)
  expect(await signInsDuring(off)).toEqual({ logged: [wrong], grown: [1, 0] })
})

test("an invitation sets the password, and the sign-in requires the code", async () => {
  const { secret } = await setUp()
  const { token } = await inviteOwner(services(), await accountOf("elif"))
  const visitor = openVisitor(program.url)
  const form = { password: samplePassword, repeat: samplePassword }
  const set = await visitor.submit(`/invite/${token}`, form, `/invite/${token}`)
  expect(goesTo(set)).toEqual([303, "/login?done=first_password"])
  const { text } = await visitor.get(set.location ?? "")
  expect(unescapeHtml(text)).toContain(notices.first_password)
  expect((await signIn(nextTotpCode(secret), visitor)).status).toBe(303)
})

test("it is disabled with a code, and not without", async () => {
  const { secret } = await setUp()
  const off = (code: string) => elif.submit(`${setPath}/off`, { code }, securityPath)
  expect((await off("000000")).status).toBe(422)
  expect(goesTo(await off(nextTotpCode(secret)))).toEqual([
    303,
    `${securityPath}?done=second_factor_off`,
  ])
  expect((await signIn("")).status).toBe(303)
})

test("an author without a password enables it soon after a link, not later", async () => {
  const marcus = openVisitor(program.url)
  await enter(marcus, await link("marcus"), "")
  expect((await marcus.get(setPath)).text).not.toContain('type="password"')
  await queryStore(program, "UPDATE sessions SET confirmed_at = '2026-01-01T00:00:00Z'")
  const { location } = await marcus.get(setPath)
  expect(location).toBe(`${setPath}/confirm`)
  const { text } = await marcus.get(location ?? "")
  expect(unescapeHtml(text)).toContain(keys.confirm.noPassword)
  await enter(marcus, await link("marcus"), "")
  expect((await setUp(marcus)).codes).toHaveLength(10)
})

test("an operator removes it, which the audit log records", async () => {
  await setUp()
  const deniz = await openOperator(program.url, "deniz")
  const { id } = await accountOf("elif")
  const path = `/console/authors/${id}`
  expect((await deniz.get(path)).text).toContain(`href="${path}/remove-factor"`)
  const { location } = await deniz.submit(`${path}/remove-factor`, {}, `${path}/remove-factor`)
  expect(location).toBe(`${path}?done=remove-factor`)
  expect((await deniz.get(path)).text).not.toContain("remove-factor")
  expect((await signIn("")).status).toBe(303)
  const events = await program.app.store.audit.list({ accountId: id, kind: "person" }, null, 2)
  expect(events.map(({ action, actor }) => [action, actor.kind])).toEqual([
    ["second_factor_off", "operator"],
    ["second_factor_on", "author"],
  ])
})
