import { afterAll, afterEach, beforeAll, beforeEach, expect, setSystemTime, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { createSignInLink } from "../../src/people/sign-in-operations.ts"
import { t } from "../../src/platform/t.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { samplePassword, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import {
  hiddenField,
  openSignedIn,
  openVisitor,
  type PageResponse,
  type Visitor,
} from "../harness/browser/visitor.ts"
import { inviteOwner } from "../harness/invite-owner.ts"
import { nextTotpCode } from "../harness/next-totp-code.ts"
import type { Program } from "../harness/program.ts"
import { queryStore, storeText } from "../harness/stores/stored-rows.ts"
import { addOperator, openOperator, signInOperator, totpCode } from "../harness/test-operators.ts"

const securityPath = "/workspace/elif/settings/security"
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
  elif = await openSignedIn(program.url, "elif")
})

const services = () => ({
  ...program.app.store,
  tokens,
  now: program.app.now,
  actor: commandLine,
})
const accountOf = (name: string) => requireAccount(program.app.store.accounts, name)
const goesTo = ({ status, location }: PageResponse) => [status, location]
const isIn = async (visitor: Visitor) => (await visitor.get("/workspace/elif")).status === 200

async function setUp(visitor = elif, form: Readonly<Record<string, string>> = {}, path = setPath) {
  const { text } = await visitor.get(path)
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(" ", "") ?? ""
  const sent = { secret, code: totpCode(secret), password: samplePassword, ...form }
  const response = await visitor.submit(path, sent)
  const codes = [...response.text.matchAll(/<li>((?:[a-z2-7]{4}-){3}[a-z2-7]{4})<\/li>/g)]
  return { secret, sent: sent.code, response, codes: codes.map(([, code = ""]) => code) }
}
const signIn = (code: string, visitor = openVisitor(program.url)) =>
  visitor.signIn("elif", samplePassword, { code })
const codePath = "/login/code"
/** Right after the correct password. */
async function openPending(name = "elif") {
  const visitor = openVisitor(program.url)
  expect(goesTo(await visitor.signIn(name))).toEqual([303, codePath])
  return visitor
}
const enterCode = (visitor: Visitor, code: string) => visitor.submit(codePath, { code }, codePath)
async function link(name = "elif") {
  const { token } = await createSignInLink(services(), await accountOf(name))
  return token
}
const enter = (visitor: Visitor, token: string) =>
  visitor.submit("/login/link", { token }, `/login/link/${token}`)

test("200: it is set up with the password and a code, and shows recovery codes once", async () => {
  const other = await openSignedIn(program.url, "elif")
  expect((await elif.get(securityPath)).text).toContain(`href="${setPath}"`)
  const { response, codes, secret } = await setUp()
  expect(response.status).toBe(200)
  expect(codes).toHaveLength(10)
  expect([await isIn(elif), await isIn(other)]).toEqual([true, false])
  const [, next = ""] = /<a class="button" href="([^"]*)"/.exec(response.text) ?? []
  const text = unescapeHtml((await elif.get(next)).text)
  expect(text).toContain("2FA was enabled. Each sign-in now requires a code.")
  expect(text).toContain(t("{n recovery code|recovery codes} left.", { n: 10 }))
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

test("303: the correct password leads to the page that asks for a code, and signs nobody in", async () => {
  await setUp()
  const visitor = await openPending()
  const { status, text } = await visitor.get(codePath)
  expect([status, await isIn(visitor)]).toEqual([200, false])
  expect(text).toContain('autocomplete="one-time-code"')
  expect(unescapeHtml(text)).toContain(
    t("You are signing in to {site} as {name}.", { name: "\u2068elif\u2069", site: "Pazar" }),
  )
  const { text: first } = await openVisitor(program.url).get("/login")
  expect(first).not.toContain('name="code"')
})

test("401: a wrong or used code shows the page again; the next one signs in, to the requested page", async () => {
  const { secret, sent, codes } = await setUp()
  const [recovery = ""] = codes
  const visitor = openVisitor(program.url)
  const next = "/workspace/sales?days=90"
  const { location } = await visitor.signIn("elif", samplePassword, { next })
  expect(location).toBe(`${codePath}?${new URLSearchParams({ next })}`)
  for (const wrong of ["000000", sent, ""]) {
    const response = await visitor.submit(codePath, { code: wrong, next }, location ?? "")
    expect([response.status, await isIn(visitor)]).toEqual([401, false])
    expect(unescapeHtml(response.text)).toContain(
      "This code is wrong or was already used. Wait for the next one.",
    )
    expect(hiddenField(unescapeHtml(response.text), "next")).toBe(next)
  }
  const code = nextTotpCode(secret)
  expect(goesTo(await visitor.submit(codePath, { code, next }, codePath))).toEqual([303, next])
  expect((await signIn(code)).status).toBe(401)
  expect([(await signIn(recovery)).status, (await signIn(recovery)).status]).toEqual([303, 401])
})

test("429: five wrong codes use up the author's attempts from all IP ranges, but not the recovery codes", async () => {
  const { secret, codes } = await setUp()
  const visitor = await openPending()
  const statuses: number[] = []
  for (let guess = 0; guess < 6; guess += 1)
    statuses.push((await enterCode(visitor, "000000")).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  const right = nextTotpCode(secret)
  expect((await signIn(right)).status).toBe(429)
  expect((await enterCode(visitor, codes[0] ?? "")).status).toBe(303)
  expect(
    (await openOperator(program.url, "deniz").then((each) => each.get("/console"))).status,
  ).toBe(200)
})

test("wrong passwords use up no attempts at codes, and wrong codes none at passwords", async () => {
  const { secret } = await setUp()
  for (let guess = 0; guess < 9; guess += 1)
    expect((await openVisitor(program.url).signIn("elif", "wrong one")).status).toBe(401)
  const visitor = await openPending()
  for (let guess = 0; guess < 4; guess += 1)
    expect((await enterCode(visitor, "000000")).status).toBe(401)
  expect((await signIn(nextTotpCode(secret))).status).toBe(303)
})

test("303: the sign-in starts again after five minutes, in another browser and after a change of the password", async () => {
  const { secret } = await setUp()
  const expired = [303, "/login?done=sign_in_expired"]
  const fails = async (visitor: Visitor, code = nextTotpCode(secret)) => {
    const form_token = await visitor.formToken("/login")
    expect(goesTo(await visitor.get(codePath))).toEqual(expired)
    expect(goesTo(await visitor.post(codePath, { form_token, code }))).toEqual(expired)
    expect(await isIn(visitor)).toBe(false)
  }
  await fails(openVisitor(program.url))

  const pending = await openPending()
  const token = pending.cookies.get("pazar-pending") ?? ""
  const thief = openVisitor(program.url)
  thief.cookies.set("pazar-pending", token)
  await fails(thief)
  const forger = await openPending()
  forger.cookies.set("pazar-pending", `${token.slice(0, -2)}AA`)
  await fails(forger)

  const { hash } = program.hasher
  const change = async (text: string) =>
    queryStore(program, "UPDATE people SET password_hash = ? WHERE name = 'elif'", await hash(text))
  await change("another password")
  const changed = await openVisitor(program.url)
  changed.cookies.set("pazar-pending", token)
  changed.cookies.set("pazar-visitor", pending.cookies.get("pazar-visitor") ?? "")
  await fails(changed)
  await change(samplePassword)

  const late = await openPending()
  setSystemTime(new Date(Date.now() + 5 * 60_000))
  const kept = late.cookies.get("pazar-pending") ?? ""
  await fails(late)
  const text = unescapeHtml((await late.get("/login?done=sign_in_expired")).text)
  expect(text).toContain("This sign-in has expired. Enter your password again.")
  expect(kept).not.toBe("")
})

test("303: a code completes the sign-in of this browser only once, whatever else its tabs do", async () => {
  const { codes } = await setUp()
  const visitor = await openPending()
  const token = visitor.cookies.get("pazar-pending") ?? ""
  const [one = "", other = ""] = codes
  // Somebody without 2FA, in a second tab.
  const tab = openVisitor(program.url)
  tab.cookies.set("pazar-pending", token)
  tab.cookies.set("pazar-visitor", visitor.cookies.get("pazar-visitor") ?? "")
  expect(goesTo(await signInOperator(tab, "deniz"))).toEqual([303, "/console"])
  expect((await enterCode(visitor, one)).status).toBe(303)
  expect(visitor.cookies.has("pazar-pending")).toBe(false)
  // Without another code, the token of a completed sign-in signs nobody in.
  tab.cookies.delete("pazar")
  expect((await enterCode(tab, one)).status).toBe(401)
  expect((await enterCode(tab, other)).status).toBe(303)
})

test("403: a suspension is revealed after the code, not before", async () => {
  const { codes } = await setUp()
  const { id } = await accountOf("elif")
  await program.app.store.accounts.setSuspended(id, true, new Date())
  const visitor = await openPending()
  expect((await enterCode(visitor, "000000")).status).toBe(401)
  expect((await enterCode(visitor, codes[0] ?? "")).status).toBe(403)
  expect(await isIn(visitor)).toBe(false)
  await program.app.store.accounts.setSuspended(id, false, new Date())
})

test("a sign-in link requires a code too, after it was used up", async () => {
  const { secret } = await setUp()
  const visitor = openVisitor(program.url)
  const token = await link()
  const used = await enter(visitor, token)
  expect(goesTo(used)).toEqual([303, `${codePath}?next=%2Fworkspace`])
  expect((await openVisitor(program.url).get(`/login/link/${token}`)).status).toBe(404)
  expect([(await enterCode(visitor, "000000")).status, await isIn(visitor)]).toEqual([401, false])
  expect(goesTo(await enterCode(visitor, nextTotpCode(secret)))).toEqual([303, "/workspace"])
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

test("wrong codes are logged and counted", async () => {
  await setUp()
  const visitor = await openPending()
  const guess = async () => {
    for (let tries = 0; tries < 6; tries += 1) await enterCode(visitor, "000000")
    await enterCode(visitor, "a-recovery-code-that-none-has")
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

test("an invitation sets the password, and asks for the code", async () => {
  const { secret } = await setUp()
  const { token } = await inviteOwner(services(), await accountOf("elif"))
  const visitor = openVisitor(program.url)
  const form = { password: samplePassword, repeat: samplePassword }
  const set = await visitor.submit(`/invite/${token}`, form, `/invite/${token}`)
  expect(goesTo(set)).toEqual([303, `${codePath}?done=first_password`])
  const { text } = await visitor.get(set.location ?? "")
  expect(unescapeHtml(text)).toContain("Your password is set. Enter a 2FA code to sign in.")
  expect((await enterCode(visitor, nextTotpCode(secret))).status).toBe(303)
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
  const path = setPath.replace("elif", "marcus")
  await enter(marcus, await link("marcus"))
  expect((await marcus.get(path)).text).not.toContain('type="password"')
  await queryStore(program, "UPDATE sessions SET confirmed_at = '2026-01-01T00:00:00Z'")
  const { location } = await marcus.get(path)
  expect(location).toBe(`${path}/confirm`)
  const { text } = await marcus.get(location ?? "")
  expect(unescapeHtml(text)).toContain(
    "You signed in more than five minutes ago, and your account has no password. Sign in again, from your marketplace or with a passkey, and repeat the action, or set a password under Settings, Security within five minutes of signing in.",
  )
  await enter(marcus, await link("marcus"))
  expect((await setUp(marcus, {}, path)).codes).toHaveLength(10)
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
