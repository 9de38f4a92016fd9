import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setSystemTime,
  test,
} from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { invite } from "../../src/people/invitation-operations.ts"
import { confirmationSeconds } from "../../src/people/session.ts"
import { t } from "../../src/platform/t.ts"
import { secondsBefore } from "../../src/platform/time.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { samplePassword, startQuietWorkspace } from "../harness/browser/sample-workspace.ts"
import {
  openSignedIn,
  openVisitor,
  type PageResponse,
  type Visitor,
} from "../harness/browser/visitor.ts"
import { openTestProvider, otherKey, type TestProvider } from "../harness/identity-provider.ts"
import { inviteOwner } from "../harness/invite-owner.ts"
import { nextTotpCode } from "../harness/next-totp-code.ts"
import type { Program } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { queryStore, storeState } from "../harness/stores/stored-rows.ts"
import { addOperator, openNewOperator, totpCode } from "../harness/test-operators.ts"
import { until } from "../harness/until.ts"

const securityPath = "/workspace/elif/settings/security"
const startPath = "/login/oidc"

let provider: TestProvider
let program: Program
let host: string

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  provider = await openTestProvider(env.PAZAR_OIDC_ACCOUNT_CLAIM)
  program = await startQuietWorkspace({ LOG_LEVEL: "info", ...provider.env, ...env })
  provider.serve(program.url)
  host = new URL(provider.issuer).host
}
async function stop(): Promise<void> {
  await program.close()
  await provider.close()
}

const services = () => ({ ...program.app.store, tokens, now: program.app.now, actor: commandLine })
const accountOf = (name: string) => requireAccount(program.app.store.accounts, name)
const goesTo = ({ status, location }: PageResponse) => [status, location]
const { identities } = { identities: () => program.app.store.identities }
const people = () => queryStore<{ name: string }>(program, "SELECT name FROM people ORDER BY id")

async function personOf(name: string): Promise<number> {
  const person = await program.app.store.people.findByName(name)
  if (person === null) throw new Error(`nobody is named ${name}`)
  return person.id
}
const connected = async (subject: string, name: string) =>
  identities().connect({ issuer: provider.issuer, subject }, await personOf(name))

/** The URL that the page after the button leads to. */
const leadsTo = ({ headers }: PageResponse) => (headers.get("refresh") ?? "").replace("0; url=", "")

const begin = async (visitor: Visitor, fields = {}, from = "/login") =>
  leadsTo(await visitor.submit(startPath, fields, from))

/** Signs in at the provider, and returns the path to come back to. */
async function signInThere(url: string, subject: string): Promise<string> {
  const there = openVisitor(provider.issuer)
  const pathOf = (location: string | null) => {
    const { pathname, search } = new URL(location ?? "", provider.issuer)
    return pathname + search
  }
  const interaction = pathOf((await there.get(pathOf(url))).location)
  const form = { prompt: "login", login: subject, password: "any" }
  const { location } = await there.post(interaction, form)
  return pathOf((await there.get(pathOf(location))).location)
}

async function signInAs(
  subject: string,
  fields: Readonly<Record<string, string>> = {},
  from?: string,
  visitor = openVisitor(program.url),
): Promise<{ visitor: Visitor; response: PageResponse; away: string }> {
  const url = await begin(visitor, fields, from)
  const away = visitor.cookies.get("pazar-away") ?? ""
  return { visitor, away, response: await visitor.get(await signInThere(url, subject)) }
}
const isIn = async (visitor: Visitor) =>
  (await visitor.get("/workspace")).location?.startsWith("/workspace/")

const failsLike = (response: PageResponse, title: string) => {
  expect(unescapeHtml(response.text)).toContain(`<h1>${title}</h1>`)
  return response.status
}

afterEach(() => setSystemTime())

describe("an identity", () => {
  beforeAll(() => start())
  afterAll(() => stop())
  beforeEach(async () => {
    provider.change((claims) => claims)
    provider.serve(program.url)
    await queryStore(program, "DELETE FROM sign_in_failures")
    await queryStore(program, "DELETE FROM identities")
    await queryStore(program, "UPDATE people SET two_factor = NULL")
  })

  test("303: signs the connected person in, who comes to the page they wanted", async () => {
    await connected("7", "elif")
    const { response, visitor } = await signInAs("7", { next: "/workspace/items" })
    expect(goesTo(response)).toEqual([303, "/workspace/items"])
    expect((await visitor.get("/workspace/elif")).text).toContain("Elif")
    expect(visitor.cookies.has("pazar-away")).toBe(false)
    for (const next of [
      "https://evil.example/",
      "//evil.example",
      `/workspace/${"x".repeat(9_000)}`,
    ]) {
      const others = await signInAs("7", { next })
      expect(goesTo(others.response)).toEqual([303, "/workspace"])
      expect(others.away.length).toBeLessThan(4_000)
    }
    expect(program.logged()).toMatch(/"message":"sign-in","outcome":"ok".*"username":"elif"/)
  })

  test("the request has a state, a nonce and PKCE, and asks for nothing but the identity", async () => {
    const url = new URL(await begin(openVisitor(program.url)))
    const { state, nonce, code_challenge, ...others } = Object.fromEntries(url.searchParams)
    expect(others).toEqual({
      client_id: "pazar",
      redirect_uri: `${program.url}/login/oidc/callback`,
      response_type: "code",
      scope: "openid",
      code_challenge_method: "S256",
    })
    const random = [state, nonce, code_challenge]
    expect(random.map((text) => text?.length)).toEqual([43, 43, 43])
    const again = new URL(await begin(openVisitor(program.url))).searchParams
    expect(random).not.toContain(again.get("state"))
    expect(random).not.toContain(again.get("nonce"))
    expect(random).not.toContain(again.get("code_challenge"))
  })

  const hour = 3600
  const now = () => Math.floor(Date.now() / 1000)
  test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ["another nonce", (claims) => ({ ...claims, nonce: "x".repeat(43) })],
    ["no nonce", ({ nonce: _, ...claims }) => claims],
    ["another issuer", (claims) => ({ ...claims, iss: "http://localhost:1" })],
    ["another audience", (claims) => ({ ...claims, aud: "shop" })],
    ["a second audience", (claims) => ({ ...claims, aud: ["pazar", "shop"] })],
    ["an end in the past", (claims) => ({ ...claims, exp: now() - hour })],
    ["a beginning in the future", (claims) => ({ ...claims, nbf: now() + hour })],
    ["no subject", ({ sub: _, ...claims }) => claims],
    ["an empty subject", (claims) => ({ ...claims, sub: "" })],
    ["a subject with NUL", (claims) => ({ ...claims, sub: "7\0" })],
  ])("401: a token with %s", async (_, change) => {
    await connected("7", "elif")
    provider.change(change)
    const { response, visitor } = await signInAs("7")
    expect(failsLike(response, "The sign-in failed")).toBe(401)
    expect(await isIn(visitor)).toBe(false)
  })

  test("401: a token that somebody else signed", async () => {
    await connected("7", "elif")
    provider.change((claims) => claims, otherKey)
    const { response, visitor } = await signInAs("7")
    expect(failsLike(response, "The sign-in failed")).toBe(401)
    expect(await isIn(visitor)).toBe(false)
  })

  test.each([
    ["another issuer", /iss=[^&]*/, "iss=https%3A%2F%2Fevil.example"],
    ["no issuer", /&iss=[^&]*/, ""],
    ["another code", /code=[^&]*/, "code=x"],
    ["no code", /code=[^&]*&/, ""],
  ])("401: a response with %s, and the browser begins again", async (_, found, replaced) => {
    await connected("7", "elif")
    const visitor = openVisitor(program.url)
    const path = await signInThere(await begin(visitor), "7")
    const changed = await visitor.get(path.replace(found, replaced))
    expect(failsLike(changed, "The sign-in failed")).toBe(401)
    expect(failsLike(await visitor.get(path), "Sign in again")).toBe(400)
    expect(await isIn(visitor)).toBe(false)
  })

  test("400: a response with another state, as of another tab; the last one that began works", async () => {
    await connected("7", "elif")
    const visitor = openVisitor(program.url)
    const first = await signInThere(await begin(visitor), "7")
    const path = await signInThere(await begin(visitor), "7")
    for (const other of [
      first,
      path.replace(/state=[^&]*/, "state=x"),
      path.replace(/&state=[^&]*/, ""),
    ])
      expect(failsLike(await visitor.get(other), "Sign in again")).toBe(400)
    expect(await isIn(visitor)).toBe(false)
    expect((await visitor.get(path)).status).toBe(303)
  })

  test("401: a code that was requested without PKCE", async () => {
    await connected("7", "elif")
    const visitor = openVisitor(program.url)
    const url = (await begin(visitor)).replace(/&code_challenge[^&]*/g, "")
    expect(url).not.toContain("challenge")
    const response = await visitor.get(await signInThere(url, "7"))
    expect(failsLike(response, "The sign-in failed")).toBe(401)
    expect(await isIn(visitor)).toBe(false)
  })

  test("a response works once, and only in the browser that began", async () => {
    await connected("7", "elif")
    const visitor = openVisitor(program.url)
    const url = await begin(visitor)
    const away = visitor.cookies.get("pazar-away") ?? ""
    const path = await signInThere(url, "7")
    const stranger = openVisitor(program.url)
    expect(failsLike(await stranger.get(path), "Sign in again")).toBe(400)
    stranger.cookies.set("pazar-away", `${away.slice(0, -4)}AAAA`)
    expect(failsLike(await stranger.get(path), "Sign in again")).toBe(400)
    expect((await visitor.get(path)).status).toBe(303)
    expect((await visitor.get(path)).status).toBe(400)
    stranger.cookies.set("pazar-away", away)
    expect(failsLike(await stranger.get(path), "The sign-in failed")).toBe(401)
    expect(await isIn(stranger)).toBe(false)
  })

  test("400: a sign-in that began more than ten minutes ago", async () => {
    await connected("7", "elif")
    const visitor = openVisitor(program.url)
    const path = await signInThere(await begin(visitor), "7")
    setSystemTime(new Date(Date.now() + 601_000))
    expect((await visitor.get(path)).status).toBe(400)
  })

  test("403: only a form of this site begins a sign-in", async () => {
    const visitor = openVisitor(program.url)
    const form_token = await visitor.formToken("/login")
    const sent = [
      await visitor.post(startPath, {}),
      await visitor.post(startPath, { form_token }, { Origin: "https://evil.example" }),
      await visitor.post(startPath, { form_token }, { "Sec-Fetch-Site": "cross-site" }),
    ]
    expect(sent.map(({ status }) => status)).toEqual([403, 403, 403])
    expect((await visitor.get(startPath)).status).toBe(404)
    expect(visitor.cookies.has("pazar-away")).toBe(false)
  })

  test("303: a visitor who cancels comes back to the sign-in page", async () => {
    const visitor = openVisitor(program.url)
    const state = new URL(await begin(visitor, { next: "/workspace/items" })).searchParams.get(
      "state",
    )
    const query = new URLSearchParams({ error: "access_denied", state: `${state}` })
    const response = await visitor.get(`/login/oidc/callback?${query}&iss=${provider.issuer}`)
    expect(goesTo(response)).toEqual([303, "/login?next=%2Fworkspace%2Fitems"])
  })

  test("403: nobody is found by an e-mail address or a name of the provider", async () => {
    const before = await people()
    provider.change((claims) => ({
      ...claims,
      email: "elif@example.com",
      email_verified: true,
      preferred_username: "elif",
    }))
    const { response, visitor } = await signInAs("8")
    expect(failsLike(response, "Not connected yet")).toBe(403)
    expect([await isIn(visitor), await people()]).toEqual([false, before])
  })

  test("429: ten wrong responses use up the attempts of an IP range", async () => {
    const visitor = openVisitor(program.url)
    const statuses = new Set<number>()
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const state = new URL(await begin(visitor)).searchParams.get("state")
      const query = new URLSearchParams({
        state: `${state}`,
        code: "guessed",
        iss: provider.issuer,
      })
      statuses.add((await visitor.get(`/login/oidc/callback?${query}`)).status)
    }
    expect([...statuses]).toEqual([401, 429])
  })

  test("the second factor is asked here too", async () => {
    const elif = await openSignedIn(program.url, "elif")
    const setPath = `${securityPath}/second-factor`
    const { text } = await elif.get(setPath)
    const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(" ", "") ?? ""
    await elif.submit(
      setPath,
      { secret, code: totpCode(secret), password: samplePassword },
      setPath,
    )
    await connected("7", "elif")
    const { response, visitor } = await signInAs("7", { next: "/workspace/items" })
    expect(response.location).toStartWith("/login/code")
    expect(await isIn(visitor)).toBe(false)
    const enter = (code: string) =>
      visitor.submit("/login/code", { code, next: "/workspace/items" }, response.location ?? "")
    expect((await enter("000000")).status).toBe(401)
    expect(goesTo(await enter(nextTotpCode(secret)))).toEqual([303, "/workspace/items"])
    expect(await isIn(visitor)).toBe(true)
  })

  test("403: a person all of whose accounts are suspended", async () => {
    await connected("7", "elif")
    const { accounts } = program.app.store
    const { id } = await accountOf("elif")
    await accounts.setSuspended(id, true, new Date())
    const { response, visitor } = await signInAs("7")
    expect(failsLike(response, "Account suspended")).toBe(403)
    await accounts.setSuspended(id, false, new Date())
    expect(await isIn(visitor)).toBe(false)
  })

  describe("of a person who is signed in", () => {
    const signedIn = async () => {
      const visitor = await openSignedIn(program.url, "elif")
      return visitor
    }
    const letTimePass = () =>
      queryStore(
        program,
        "UPDATE sessions SET confirmed_at = ?",
        secondsBefore(new Date(), confirmationSeconds + 1),
      )
    const connect = async (visitor: Visitor, subject: string, path = securityPath) => {
      const page = await visitor.submit(`${path}/identities`, {}, path)
      return visitor.get(await signInThere(leadsTo(page), subject))
    }
    const remove = (visitor: Visitor, subject: string, fields = {}, path = securityPath) =>
      visitor.submit(
        `${path}/identities/remove`,
        { issuer: provider.issuer, subject, ...fields },
        path,
      )

    test("is connected on the security page, and disconnected there", async () => {
      const visitor = await signedIn()
      const response = await connect(visitor, "7")
      expect(goesTo(response)).toEqual([303, `${securityPath}?done=identity_connected`])
      expect((await visitor.get(securityPath)).text).toContain('value="7"')
      expect((await signInAs("7")).response.status).toBe(303)
      expect(goesTo(await remove(visitor, "7"))).toEqual([
        303,
        `${securityPath}?done=identity_removed`,
      ])
      expect((await signInAs("7")).response.status).toBe(403)
      const events = await program.app.store.audit.list(
        { accountId: null, kind: "person" },
        null,
        9,
      )
      expect(events.slice(0, 2).map(({ action, actor }) => [action, actor.name])).toEqual([
        ["identity_removed", "elif"],
        ["identity_connected", "elif"],
      ])
    })

    test("the console has it too, for an operator", async () => {
      const deniz = await openNewOperator(program, "deniz")
      const path = "/console/security"
      expect(goesTo(await connect(deniz, "9", path))).toEqual([
        303,
        `${path}?done=identity_connected`,
      ])
      const { response, visitor } = await signInAs("9", { next: "/console/audit" })
      expect(response.location).toBe("/console/audit")
      expect((await visitor.get("/console/audit")).status).toBe(200)
    })

    test("asks for the password after five minutes, also to be disconnected", async () => {
      const visitor = await signedIn()
      await connected("7", "elif")
      await letTimePass()
      const page = await visitor.submit(`${securityPath}/identities`, {}, securityPath)
      expect([page.status, leadsTo(page)]).toEqual([422, ""])
      expect((await remove(visitor, "7")).status).toBe(422)
      expect((await remove(visitor, "7", { password: samplePassword })).status).toBe(303)
      await letTimePass()
      const form = { password: samplePassword }
      const confirmed = await visitor.submit(`${securityPath}/identities`, form, securityPath)
      expect(leadsTo(confirmed)).toContain("prompt=login")
    })

    test("400: is not connected to another session than the one that began", async () => {
      const visitor = await signedIn()
      const url = leadsTo(await visitor.submit(`${securityPath}/identities`, {}, securityPath))
      await visitor.submit("/logout", {}, securityPath)
      await visitor.signIn("elif")
      const response = await visitor.get(await signInThere(url, "7"))
      expect(failsLike(response, "Sign in again")).toBe(400)
      const later = await signedIn()
      const away = leadsTo(await later.submit(`${securityPath}/identities`, {}, securityPath))
      later.cookies.delete("pazar")
      expect((await later.get(await signInThere(away, "7"))).status).toBe(400)
      expect(await identities().find({ issuer: provider.issuer, subject: "7" })).toBeNull()
    })

    test("409: is not taken from somebody else", async () => {
      await addOperator(program, "cem")
      await connected("7", "cem")
      const response = await connect(await signedIn(), "7")
      expect(failsLike(response, "Connected to somebody else")).toBe(409)
      expect((await remove(await signedIn(), "7")).status).toBe(422)
      expect(await identities().find({ issuer: provider.issuer, subject: "7" })).toBe(
        await personOf("cem"),
      )
    })

    test("422: the only way to sign in stays", async () => {
      const link = await inviteOwner(services(), await accountOf("marcus"))
      const { visitor } = await signInAs("3", { invitation: link.token }, `/invite/${link.token}`)
      const path = securityPath.replace("elif", "marcus")
      const response = await remove(visitor, "3", {}, path)
      expect(unescapeHtml(response.text)).toContain(
        "You have no other way to sign in. Set a password first.",
      )
      expect(response.status).toBe(422)
      await letTimePass()
      const page = unescapeHtml((await visitor.get(path)).text)
      expect(page).toContain(t("Sign in through {site}", { site: host }))
      const { response: back } = await signInAs("3", { next: path }, path, visitor)
      expect(goesTo(back)).toEqual([303, path])
      expect((await visitor.get(path)).text).toContain('name="repeat"')
    })
  })

  describe("of somebody with an invitation", () => {
    const inviteTo = async (role: "support" | "owner", name: string) =>
      invite(services(), {
        accountId: (await accountOf("elif")).id,
        role,
        name,
        email: `${name}@example.com`,
      })
    const accept = (subject: string, token: string) =>
      signInAs(subject, { invitation: token }, `/invite/${token}`)

    test("303: creates the person without a password, once", async () => {
      const { token } = await inviteTo("support", "deria")
      const page = unescapeHtml((await openVisitor(program.url).get(`/invite/${token}`)).text)
      expect(page).toContain(t("Continue with {host}", { host }))
      const { response, visitor } = await accept("4", token)
      expect(goesTo(response)).toEqual([303, "/workspace"])
      expect((await visitor.get("/workspace/elif")).text).toContain("Elif")
      const id = await personOf("deria")
      expect(await program.app.store.passwords.find(id)).toBeNull()
      expect((await openVisitor(program.url).get(`/invite/${token}`)).status).toBe(404)
      expect((await signInAs("4")).response.status).toBe(303)
      const events = await program.app.store.audit.list(
        { accountId: null, kind: "person" },
        null,
        1,
      )
      expect(events).toMatchObject([{ action: "identity_connected", subjectId: "deria" }])
    })

    test("303: a name that somebody has gets a number", async () => {
      const { token } = await inviteTo("support", "elif")
      await accept("5", token)
      expect(await identities().find({ issuer: provider.issuer, subject: "5" })).toBe(
        await personOf("elif-2"),
      )
    })

    test("404: a link that was used meanwhile connects nobody", async () => {
      const { token } = await inviteTo("support", "hazal")
      const visitor = openVisitor(program.url)
      const url = await begin(visitor, { invitation: token }, `/invite/${token}`)
      await accept("4", token)
      const before = await storeState(program)
      expect((await visitor.get(await signInThere(url, "6"))).status).toBe(404)
      expect(await storeState(program)).toEqual(before)
    })

    test("303: somebody who is connected signs in, and joins as themselves", async () => {
      await addOperator(program, "ozan")
      await connected("6", "ozan")
      const { token } = await inviteTo("support", "nobody")
      const { response, visitor } = await accept("6", token)
      expect(goesTo(response)).toEqual([303, `/invite/${token}`])
      const joined = await visitor.submit(`/invite/${token}/join`, {}, `/invite/${token}`)
      expect(goesTo(joined)).toEqual([303, "/workspace/elif?done=joined"])
    })

    test("409: a link to a new password connects nobody else's identity", async () => {
      await connected("7", "elif")
      const { token } = await invite(services(), {
        personId: await personOf("ozan"),
        name: "ozan",
      })
      const { response, visitor } = await accept("7", token)
      expect(failsLike(response, "Connected to somebody else")).toBe(409)
      expect(await isIn(visitor)).toBe(false)
      expect((await accept("8", token)).response.status).toBe(303)
      expect(await identities().find({ issuer: provider.issuer, subject: "8" })).toBe(
        await personOf("ozan"),
      )
    })
  })

  describe("without its provider", () => {
    const works = async () =>
      expect((await openVisitor(program.url).signIn("elif")).status).toBe(303)

    test("503: a provider that is down when it is needed; the log names the reason, without secrets", async () => {
      await connected("7", "elif")
      const visitor = openVisitor(program.url)
      const path = await signInThere(await begin(visitor), "7")
      provider.serve(program.url, "broken")
      expect(failsLike(await visitor.get(path), "Sign-in elsewhere does not work now")).toBe(503)
      await works()
      await until(() => program.logged().includes("OpenID Connect failed"))
      const [code = ""] = /(?<=code=)[^&]+/.exec(path) ?? []
      for (const secret of [code, provider.env.PAZAR_OIDC_CLIENT_SECRET ?? "-"])
        expect(program.logged()).not.toContain(secret)
    })
  })
})

describe("with an account claim", () => {
  beforeAll(() => start({ PAZAR_OIDC_ACCOUNT_CLAIM: "preferred_username" }))
  afterAll(() => stop())

  test("303: signs the owner of the account in, who is created if necessary", async () => {
    const { response, visitor } = await signInAs("marcus")
    expect(goesTo(response)).toEqual([303, "/workspace"])
    expect((await visitor.get("/workspace/marcus")).text).toContain("Marcus Lind")
    const before = await people()
    await signInAs("marcus")
    await signInAs("elif")
    expect(await people()).toEqual(before)
  })

  test("403: an unknown account, and a claim that is no text, create nobody", async () => {
    const before = await people()
    const { response } = await signInAs("nobody-there")
    expect(failsLike(response, "Not connected yet")).toBe(403)
    for (const preferred_username of [undefined, null, 7, ["elif"], "", "elif\0"]) {
      provider.change((claims) => ({ ...claims, preferred_username }))
      expect((await signInAs("elif")).response.status).toBe(403)
    }
    provider.change((claims) => claims)
    expect(await people()).toEqual(before)
  })

  test("403: a suspended account, whose owner is not created", async () => {
    const { accounts } = program.app.store
    await program.load([account("halted")])
    const { id } = await accountOf("halted")
    await accounts.setSuspended(id, true, new Date())
    const before = await people()
    const { response, visitor } = await signInAs("halted")
    expect(failsLike(response, "Account suspended")).toBe(403)
    expect([await isIn(visitor), await people()]).toEqual([false, before])
    await accounts.setSuspended(id, false, new Date())
    expect((await signInAs("halted")).response.status).toBe(303)
  })

  test("a connected person comes first", async () => {
    await connected("marcus", "elif")
    const { visitor } = await signInAs("marcus")
    expect((await visitor.get("/workspace/elif")).text).toContain("Elif")
  })
})

test("503: without metadata the password still signs in", async () => {
  await start()
  provider.serve(program.url, "broken")
  const visitor = openVisitor(program.url)
  const page = await visitor.submit(startPath, { next: "/workspace/items" }, "/login")
  expect(failsLike(page, "Sign-in elsewhere does not work now")).toBe(503)
  expect((await visitor.signIn("elif")).status).toBe(303)
  provider.serve(program.url)
  expect(await begin(openVisitor(program.url))).toStartWith(`${provider.issuer}/auth?`)
  await stop()
})

test("without PAZAR_OIDC_ISSUER there is no trace of it", async () => {
  program = await startQuietWorkspace()
  const visitor = openVisitor(program.url)
  const page = await visitor.get("/login")
  expect(page.text).not.toContain("oidc")
  expect((await visitor.submit(startPath, {}, "/login")).status).toBe(404)
  expect((await visitor.get("/login/oidc/callback?code=1&state=2")).status).toBe(404)
  await visitor.signIn("elif")
  expect((await visitor.get(securityPath)).text).not.toContain("identities")
  expect((await visitor.submit(`${securityPath}/identities`, {}, securityPath)).status).toBe(404)
  await program.close()
})
