import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test"
import { sessionIdleSeconds, sessionLifeSeconds } from "../../src/people/session.ts"
import { t } from "../../src/platform/t.ts"
import { secondsBefore } from "../../src/platform/time.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import {
  givePassword,
  samplePassword,
  startSampleWorkspace,
} from "../harness/browser/sample-workspace.ts"
import {
  openSignedIn,
  openVisitor,
  type PageResponse,
  type Visitor,
} from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

const securityPath = "/workspace/elif/settings/security"

let program: Program
beforeAll(async () => {
  program = await startSampleWorkspace()
})
afterAll(() => program.close())
beforeEach(() => queryStore(program, "DELETE FROM sessions"))

async function signedIn(): Promise<Visitor> {
  const visitor = await openSignedIn(program.url, "elif")
  return visitor
}

function thief(token: string): Visitor {
  const visitor = openVisitor(program.url)
  visitor.cookies.set("pazar", token)
  return visitor
}

const tokenOf = (visitor: Visitor) => visitor.cookies.get("pazar") ?? "none"
const isIn = async (visitor: Visitor, username = "elif") =>
  (await visitor.get(`/workspace/${username}`)).status === 200
const sessionCount = async () => (await queryStore(program, "SELECT id FROM sessions")).length
const goesTo = ({ status, location }: PageResponse) => [status, location]

describe("signing in", () => {
  test("a cookie planted before is not the session afterwards", async () => {
    const victim = openVisitor(program.url)
    victim.cookies.set("pazar", "planted")
    victim.cookies.set("pazar-visitor", "planted")
    await victim.signIn("elif")
    expect(await isIn(victim)).toBe(true)
    expect(tokenOf(victim)).toMatch(/^[\w-]{43}$/)
    expect(await isIn(thief("planted"))).toBe(false)
  })

  test("a chosen theme is that of the person in every browser, and of nobody else", async () => {
    const themeOf = async (visitor: Visitor, path = "/workspace/elif") =>
      / data-theme="(\w+)"/.exec((await visitor.get(path)).text)?.[1]
    const [visitor, other] = [await signedIn(), await signedIn()]
    expect(await themeOf(visitor, "/workspace/elif?theme=dark")).toBe("dark")
    expect([await themeOf(visitor), await themeOf(other)]).toEqual(["dark", "dark"])
    expect(await themeOf(other, "/workspace/elif?theme=system")).toBeUndefined()
    expect([await themeOf(visitor), await themeOf(other)]).toEqual([undefined, undefined])
    expect(await themeOf(openVisitor(program.url), "/login")).toBeUndefined()
    await visitor.get("/workspace/elif?theme=none")
    expect(await themeOf(visitor)).toBeUndefined()
  })

  test("a planted session ends, and its token does not give access to the victim's account", async () => {
    await givePassword(program, "marcus")
    const attacker = await openSignedIn(program.url, "marcus")
    const victim = thief(tokenOf(attacker))
    const form = { form_token: await victim.formToken(), name: "elif", password: samplePassword }
    expect(goesTo(await victim.post("/login", form))).toEqual([303, "/workspace"])
    expect((await victim.get("/workspace/elif")).text).toContain("Elif Kaya")
    expect([await isIn(attacker), await isIn(attacker, "marcus")]).toEqual([false, false])
  })

  test("again in the same browser: a new token, and the old one is invalid", async () => {
    const visitor = await signedIn()
    const first = tokenOf(visitor)
    const form = { form_token: await visitor.formToken(), name: "elif", password: samplePassword }
    await visitor.post("/login", form)
    expect(tokenOf(visitor)).not.toBe(first)
    expect(await isIn(visitor)).toBe(true)
    expect(await isIn(thief(first))).toBe(false)
    expect(await sessionCount()).toBe(1)
  })

  test("303: a signed-in author needs no form", async () => {
    const visitor = await signedIn()
    expect(goesTo(await visitor.get("/login"))).toEqual([303, "/workspace"])
  })

  test("the token is neither in the database nor in a page", async () => {
    const visitor = await signedIn()
    const rows = JSON.stringify(await queryStore(program, "SELECT * FROM sessions"))
    expect(rows).not.toContain(tokenOf(visitor))
    expect((await visitor.get(securityPath)).text).not.toContain(tokenOf(visitor))
  })
})

describe("ending", () => {
  test("sign out ends this session, for every copy of its cookie, and no other", async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()]
    const stolen = thief(tokenOf(here))
    expect(goesTo(await here.submit("/logout"))).toEqual([303, "/login"])
    expect(here.cookies.has("pazar")).toBe(false)
    expect([await isIn(stolen), await isIn(elsewhere)]).toEqual([false, true])
  })

  test("sign out everywhere asks for confirmation, ends all sessions, and confirms it", async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()]
    const stolen = thief(tokenOf(here))
    const text = unescapeHtml((await here.get(securityPath)).text)
    expect(text).toContain(
      `<details><summary>Sign out everywhere</summary><p>Signs out all sessions, including this one.`,
    )
    const done = "/login?done=signed_out"
    expect(goesTo(await here.submit(`${securityPath}/sessions/all`))).toEqual([303, done])
    expect(unescapeHtml((await here.get(done)).text)).toContain("You were signed out everywhere.")
    expect([await isIn(stolen), await isIn(elsewhere)]).toEqual([false, false])
    expect(await sessionCount()).toBe(0)
  })

  test("one session of the list", async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()]
    const { text } = await here.get(securityPath)
    const [, path = ""] = /action="([^"]+\/sessions\/session_[^"]+)"/.exec(text) ?? []
    expect(goesTo(await here.submit(path))).toEqual([303, securityPath])
    expect([await isIn(here), await isIn(elsewhere)]).toEqual([true, false])
  })

  test("a new password ends every other session, and the old cookie of this one", async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()]
    const stolen = thief(tokenOf(here))
    const password = "another fine password"
    const fields = { current: samplePassword, password, repeat: password }
    expect(goesTo(await here.submit(`${securityPath}/password`, fields))).toEqual([
      303,
      `${securityPath}?done=password`,
    ])
    const inside = [await isIn(here), await isIn(stolen), await isIn(elsewhere)]
    await givePassword(program, "elif")
    expect(inside).toEqual([true, false, false])
  })

  test("a password set by the operator ends all sessions", async () => {
    const here = await signedIn()
    await givePassword(program, "elif")
    expect(await isIn(here)).toBe(false)
  })

  test("a password that the operator has set concurrently is not overwritten", async () => {
    const stolen = await signedIn()
    const password = "mine from now on"
    const { verify } = Bun.password
    {
      using _verifying = spyOn(Bun.password, "verify").mockImplementation(
        async (password, hash) => {
          const isRight = await verify(password, hash)
          await givePassword(program, "elif")
          return isRight
        },
      )
      const fields = { current: samplePassword, password, repeat: password }
      const response = await stolen.submit(`${securityPath}/password`, fields)
      expect(goesTo(response)).toEqual([303, "/login"])
    }
    expect(await sessionCount()).toBe(0)
    expect((await openVisitor(program.url).signIn("elif", password)).status).toBe(401)
    expect((await openVisitor(program.url).signIn("elif")).status).toBe(303)
  })

  test("422: a wrong current password changes and ends nothing", async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()]
    const password = "another fine password"
    const fields = { current: "not this one", password, repeat: password }
    expect((await here.submit(`${securityPath}/password`, fields)).status).toBe(422)
    expect([await isIn(here), await isIn(elsewhere)]).toEqual([true, true])
    expect((await openVisitor(program.url).signIn("elif", password)).status).toBe(401)
  })

  test("422: a rejected change names every problem beside its field", async () => {
    const visitor = await signedIn()
    const fields = { current: "not this one", password: "elif", repeat: "another" }
    const { text } = await visitor.submit(`${securityPath}/password`, fields)
    const errorOf = (name: string) =>
      unescapeHtml(text.match(`id="${name}-error">([^<]+)<`)?.[1] ?? "")
    expect(["current", "password", "repeat"].map(errorOf)).toEqual([
      "Wrong password.",
      `${t("Use at least {min} characters.", { min: 12 })} Your name and e-mail address are easy to guess. Use a few unrelated words instead.`,
      "The passwords do not match.",
    ])
  })

  test("a deleted account has no session", async () => {
    await program.load([{ type: "account", ...guest }])
    await givePassword(program, "guest")
    const visitor = await openSignedIn(program.url, "guest")
    expect(await isIn(visitor, "guest")).toBe(true)
    await program.load([{ type: "account", username: "guest", deleted: true }])
    expect(await isIn(visitor, "guest")).toBe(false)
  })
})

const guest = {
  username: "guest",
  email: "guest@example.com",
  balance: 0,
  currency: "USD",
  name: { firstname: "G", lastname: "G", full_name: "G G" },
  profile: {
    heading: "",
    description: "",
    contact: { email: "guest@example.com" },
    social_links: {},
    media: { avatar: "https://img.example.com/a.png", cover: "https://img.example.com/c.png" },
  },
  registered_at: "2024-04-27T12:00:00Z",
}

describe("303: a form submitted after its session has ended", () => {
  test("leads to the sign-in page, which says that nothing was changed", async () => {
    const visitor = await signedIn()
    const form_token = await visitor.formToken()
    await queryStore(program, "DELETE FROM sessions")
    const sent = await visitor.post("/workspace/elif/check", { form_token, purchase_code: "x" })
    expect(goesTo(sent)).toEqual([303, "/login?done=session_ended"])
    const isShownOn = async (path: string) =>
      unescapeHtml((await visitor.get(path)).text).includes(
        "Your session has ended, so nothing was changed. Sign in and submit the form again.",
      )
    expect(await isShownOn("/login?done=session_ended")).toBe(true)
    expect(await isShownOn("/login")).toBe(false)
  })

  test("signs out without an error, also in another tab", async () => {
    const visitor = await signedIn()
    const form_token = await visitor.formToken()
    const sent = [
      await visitor.post("/logout", { form_token }),
      await visitor.post("/logout", { form_token }),
    ]
    expect(sent.map(goesTo)).toEqual([
      [303, "/login"],
      [303, "/login"],
    ])
  })

  test("403: a cross-site form", async () => {
    const visitor = await signedIn()
    const form_token = await visitor.formToken()
    await queryStore(program, "DELETE FROM sessions")
    const foreign = { "Sec-Fetch-Site": "cross-site" }
    expect((await visitor.post("/workspace/elif/check", { form_token }, foreign)).status).toBe(403)
  })
})

describe("limits", () => {
  const ago = (seconds: number) => secondsBefore(new Date(), seconds)
  const cases: readonly [string, string, number, boolean][] = [
    ["idle for less than the limit", "last_seen_at", sessionIdleSeconds - 60, true],
    ["idle for longer", "last_seen_at", sessionIdleSeconds + 60, false],
    ["begun less than the limit ago", "created_at", sessionLifeSeconds - 60, true],
    ["begun longer ago, however busy", "created_at", sessionLifeSeconds + 60, false],
  ]
  test.each(cases)("%s", async (_name, column, seconds, isOpen) => {
    const visitor = await signedIn()
    await queryStore(program, `UPDATE sessions SET ${column} = ?`, ago(seconds))
    expect(await isIn(visitor)).toBe(isOpen)
    expect(await sessionCount()).toBe(isOpen ? 1 : 0)
  })

  test("a request restarts the idle time", async () => {
    const visitor = await signedIn()
    await queryStore(program, "UPDATE sessions SET last_seen_at = ?", ago(sessionIdleSeconds - 60))
    await isIn(visitor)
    const sql = "SELECT last_seen_at AS at FROM sessions"
    const [row] = await queryStore<{ at: string }>(program, sql)
    expect((row?.at ?? "") >= ago(60)).toBe(true)
  })

  test("the list of open sessions contains no expired one", async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()]
    const rows = async () =>
      [...(await here.get(securityPath)).text.matchAll(/sessions\/session_/g)].length
    expect(await rows()).toBe(1)
    const digest = new Bun.CryptoHasher("sha256").update(tokenOf(elsewhere)).digest()
    await queryStore(
      program,
      "UPDATE sessions SET last_seen_at = ? WHERE token_digest = ?",
      ...[ago(sessionIdleSeconds + 60), digest],
    )
    expect(await rows()).toBe(0)
  })
})

describe("cookies", () => {
  const attributes = (response: PageResponse) =>
    response.headers.getSetCookie().map((line) => line.replace(/=[^;]*/, "=…"))

  test("over http: not available to scripts and cross-site forms", async () => {
    const visitor = openVisitor(program.url)
    expect(attributes(await visitor.get("/login?lang=tr"))).toEqual([
      "pazar-lang=…; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax",
      "pazar-visitor=…; Path=/; HttpOnly; SameSite=Lax",
    ])
    expect(attributes(await visitor.signIn("elif"))).toEqual([
      "pazar=…; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax",
    ])
    expect(attributes(await visitor.submit("/logout"))).toEqual([
      "pazar=…; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
    ])
  })

  test("over https: bound to this host and to encryption", async () => {
    const secure = await startSampleWorkspace({ PAZAR_PUBLIC_URL: "https://api.example.com" })
    const visitor = openVisitor(secure.url, { Origin: "https://api.example.com" })
    const responses = [
      await visitor.get("/login?lang=tr"),
      await visitor.signIn("elif"),
      await visitor.get("/workspace/elif"),
      await visitor.submit("/logout"),
    ]
    await secure.close()
    expect(responses.flatMap(attributes)).toEqual([
      "__Host-pazar-lang=…; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Lax",
      "__Host-pazar-visitor=…; Path=/; HttpOnly; Secure; SameSite=Lax",
      "__Host-pazar=…; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax",
      "__Host-pazar=…; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 303, 200, 303])
  })

  test("over https a cookie without the prefix is ignored", async () => {
    const secure = await startSampleWorkspace({ PAZAR_PUBLIC_URL: "https://api.example.com" })
    const visitor = await openSignedIn(secure.url, "elif")
    const token = visitor.cookies.get("__Host-pazar") ?? ""
    const plain = openVisitor(secure.url)
    plain.cookies.set("pazar", token)
    const response = await plain.get("/workspace/elif")
    await secure.close()
    expect(response.status).toBe(303)
  })
})
