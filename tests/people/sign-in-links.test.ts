import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { confirmationSeconds } from "../../src/people/session.ts"
import { createSignInLink } from "../../src/people/sign-in-operations.ts"
import { inLocale, t } from "../../src/platform/t.ts"
import { secondsBefore } from "../../src/platform/time.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { samplePassword, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import {
  openSignedIn,
  openVisitor,
  type PageResponse,
  type Visitor,
} from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { queryStore, storeText } from "../harness/stores/stored-rows.ts"

const signInUrl = "https://shop.example.com/enter?to=api"
const wayIn = () =>
  `<a class="button wraps" href="${signInUrl}">${t("Sign in through {site}", { site: "Çarşı" })}</a>`

let program: Program
beforeAll(async () => {
  const site = { PAZAR_SITE_NAME: "Çarşı", PAZAR_SIGN_IN_URL: signInUrl }
  program = await startSampleWorkspace({ ...site, LOG_LEVEL: "debug" })
})
afterAll(() => program.close())

/** elif has a password, marcus has none. */
async function link(username = "marcus"): Promise<string> {
  const account = await requireAccount(program.app.store.accounts, username)
  const { token } = await createSignInLink(
    { ...program.app.store, tokens, now: program.app.now, actor: commandLine },
    account,
  )
  return token
}
const open = (visitor: Visitor, token: string) => visitor.get(`/login/link/${token}`)
const enter = (visitor: Visitor, token: string) =>
  visitor.submit("/login/link", { token }, `/login/link/${token}`)
async function enterAs(username: string): Promise<Visitor> {
  const visitor = openVisitor(program.url)
  expect((await enter(visitor, await link(username))).status).toBe(303)
  return visitor
}
const letTimePass = () =>
  queryStore(
    program,
    "UPDATE sessions SET confirmed_at = ?",
    secondsBefore(new Date(), confirmationSeconds + 1),
  )
const bare = ({ status, text }: PageResponse) => ({ status, text })

test("303: opening a link does not use it up, submitting its form does", async () => {
  const token = await link()
  for (let preview = 0; preview < 3; preview++) {
    expect((await open(openVisitor(program.url), token)).status).toBe(200)
    await openVisitor(program.url).sendRequest(`/login/link/${token}`, { method: "HEAD" })
  }
  const [first, second] = [openVisitor(program.url), openVisitor(program.url)]
  const late = await second.formToken(`/login/link/${token}`)
  const { status, location } = await enter(first, token)
  expect([status, location]).toEqual([303, "/workspace"])
  expect((await first.get("/workspace/marcus")).text).toContain("Marcus Lind")
  expect((await second.post("/login/link", { token, form_token: late })).status).toBe(404)
  expect((await open(openVisitor(program.url), token)).status).toBe(404)
})

test("404: one of two concurrent uses fails", async () => {
  const token = await link()
  const visitors = [openVisitor(program.url), openVisitor(program.url)]
  const forms = await Promise.all(visitors.map((each) => each.formToken(`/login/link/${token}`)))
  const sent = await Promise.all(
    visitors.map((each, at) => each.post("/login/link", { token, form_token: forms[at] ?? "" })),
  )
  expect(sent.map(({ status }) => status).toSorted()).toEqual([303, 404])
})

test("404: expired, modified, and invented links get the same page, with a way to sign in", async () => {
  const visitor = openVisitor(program.url)
  const invented = bare(await open(visitor, "none"))
  expect(invented.status).toBe(404)
  expect(unescapeHtml(invented.text)).toContain(wayIn())
  const token = await link()
  for (const each of [`${token}x`, token.slice(0, -1), `${token}%00`]) {
    expect(bare(await open(visitor, each))).toEqual(invented)
  }
  await queryStore(program, "UPDATE sign_in_links SET expires_at = '2020-01-01T00:00:00Z'")
  expect(bare(await open(visitor, token))).toEqual(invented)
  const form_token = await visitor.formToken("/login")
  expect(bare(await visitor.post("/login/link", { token, form_token }))).toEqual(invented)
})

test("403: a form of another page or site signs nobody in, and the link stays valid", async () => {
  const token = await link()
  const visitor = openVisitor(program.url)
  const form_token = await visitor.formToken(`/login/link/${token}`)
  const foreign = [
    await visitor.post("/login/link", { token }),
    await openVisitor(program.url).post("/login/link", { token, form_token }),
    await visitor.post("/login/link", { token, form_token }, { Origin: "https://evil.example" }),
    await visitor.post("/login/link", { token, form_token }, { "Sec-Fetch-Site": "cross-site" }),
  ]
  expect(foreign.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  expect((await enter(visitor, token)).status).toBe(303)
})

test("303: another author's session is replaced, but only by a click", async () => {
  const visitor = await openSignedIn(program.url, "elif")
  const before = openVisitor(program.url)
  before.cookies.set("pazar", visitor.cookies.get("pazar") ?? "")
  const token = await link()
  const page = unescapeHtml((await open(visitor, token)).text)
  expect(page).toContain(
    t("This browser is signed in as {name}. Continuing ends that session.", {
      name: "\u2068elif\u2069",
    }),
  )
  expect(page).not.toContain("data-submits")
  await enter(visitor, token)
  expect((await visitor.get("/workspace/marcus")).text).toContain("Marcus Lind")
  expect((await before.get("/workspace/marcus")).status).toBe(303)
  expect((await open(visitor, await link())).text).toContain('data-submits=""')
  expect((await open(openVisitor(program.url), await link())).text).toContain('data-submits=""')
})

test("403: a link of an account that was suspended since; it works after the account is resumed", async () => {
  const token = await link()
  const visitor = openVisitor(program.url)
  const form_token = await visitor.formToken(`/login/link/${token}`)
  const { accounts } = program.app.store
  const { id } = await requireAccount(accounts, "marcus")
  await accounts.setSuspended(id, true, new Date())
  expect((await open(visitor, token)).status).toBe(403)
  expect((await visitor.post("/login/link", { token, form_token })).status).toBe(403)
  await expect(link()).rejects.toThrow("account_suspended")
  await accounts.setSuspended(id, false, new Date())
  expect((await visitor.post("/login/link", { token, form_token })).status).toBe(303)
})

test("the token is neither in the database nor in the log, and the page sends it to no other site", async () => {
  const token = await link()
  const visitor = openVisitor(program.url)
  const { headers } = await open(visitor, token)
  expect(headers.get("referrer-policy")).toBe("same-origin")
  expect(headers.get("cache-control")).toBe("private, no-store")
  expect(await storeText(program)).not.toContain(token)
  await enter(visitor, token)
  expect(program.logged()).not.toContain(token)
})

describe("an author without a password", () => {
  const keysPath = "/workspace/marcus/settings/keys"
  const securityPath = "/workspace/marcus/settings/security"
  const makeKey = (visitor: Visitor, id: string) =>
    visitor.submit(`${keysPath}/new`, {
      form_id: `form-of-a-link-${id}`,
      kind: "sk",
      name: "By link",
    })

  test("creates a key within five minutes, and later needs another link", async () => {
    const visitor = await enterAs("marcus")
    expect((await makeKey(visitor, "one")).text).toContain("data-secret")
    await letTimePass()
    const confirmation = await makeKey(visitor, "two")
    expect(confirmation.status).toBe(422)
    expect(unescapeHtml(confirmation.text)).toContain(`<h1>Sign in again</h1>`)
    expect(unescapeHtml(confirmation.text)).toContain(wayIn())
    const sent = await visitor.submit(`${keysPath}/new`, {
      form_id: "form-of-a-link-two",
      password: "",
    })
    expect(sent.status).toBe(422)
  })

  test("sets a password within five minutes, and not later", async () => {
    const chosen = { password: "nar pencere bülbül", repeat: "nar pencere bülbül" }
    const set = (visitor: Visitor) => visitor.submit(`${securityPath}/password`, chosen)
    const visitor = await enterAs("marcus")
    await letTimePass()
    expect(unescapeHtml((await visitor.get(securityPath)).text)).toContain(wayIn())
    await set(visitor)
    expect((await openVisitor(program.url).signIn("marcus", chosen.password)).status).toBe(401)
    const again = await enterAs("marcus")
    const page = (await again.get(securityPath)).text
    const fields = ["password", "repeat", "current"].map((name) => page.includes(`name="${name}"`))
    expect(fields).toEqual([true, true, false])
    expect((await set(again)).location).toBe(`${securityPath}?done=password`)
    expect((await again.get("/workspace/marcus")).status).toBe(200)
    expect((await visitor.get("/workspace/marcus")).status).toBe(303)
    expect((await openVisitor(program.url).signIn("marcus", chosen.password)).status).toBe(303)
  })
})

test("an author with a password, who used a link, needs the password after five minutes", async () => {
  const visitor = await enterAs("elif")
  const security = (await visitor.get("/workspace/elif/settings/security")).text
  expect(security).toContain('name="current"')
  await letTimePass()
  const keysPath = "/workspace/elif/settings/keys"
  const form = { form_id: "form-of-elif-by-link", kind: "sk", name: "x" }
  expect((await visitor.submit(`${keysPath}/new`, form)).status).toBe(422)
  const created = await visitor.submit(`${keysPath}/new`, { ...form, password: samplePassword })
  expect(created.text).toContain("data-secret")
})

const quietButton = '<button type="submit" class="quiet">'

test.each(["en", "tr"] as const)(
  "PAZAR_SIGN_IN_URL is the main way to sign in (%s)",
  async (lang) => {
    const visitor = openVisitor(program.url, { "Accept-Language": lang })
    const page = unescapeHtml((await visitor.get("/login")).text)
    expect(page).toContain(inLocale(lang, wayIn))
    expect(page).toContain(
      inLocale(lang, () =>
        t("No password yet, or forgot it? Sign in through {site}.", { site: "Çarşı" }),
      ),
    )
    expect(page.match(/<button[^>]*>/g)).toEqual([quietButton, quietButton])
    expect(unescapeHtml((await visitor.get("/invite/none")).text)).toContain(inLocale(lang, wayIn))
  },
)
