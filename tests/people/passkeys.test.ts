import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test"
import { passkeysMax, userHandleOf } from "../../src/people/passkey.ts"
import { twoFactorMetadataKey } from "../../src/people/two-factor.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { addPasskey, ceremonyOn, requestOn } from "../harness/browser/passkey-pages.ts"
import {
  givePassword,
  samplePassword,
  startSampleWorkspace,
} from "../harness/browser/sample-workspace.ts"
import {
  type Fields,
  hiddenField,
  openSignedIn,
  openVisitor,
  type Visitor,
} from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { type Authenticator, createAuthenticator } from "../harness/software-authenticator.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { addOperator, openOperator } from "../harness/test-operators.ts"

const securityPath = "/workspace/elif/settings/security"
const newPath = `${securityPath}/passkeys/new`
const newPathOfMarcus = newPath.replace("elif", "marcus")

let program: Program
let elif: Visitor
let authenticator: Authenticator
beforeAll(async () => {
  program = await startSampleWorkspace({ LOG_LEVEL: "info" })
  await addOperator(program, "deniz")
  await givePassword(program, "marcus")
})
afterAll(() => program.close())
beforeEach(async () => {
  elif = await openSignedIn(program.url, "elif")
  authenticator = createAuthenticator("ed25519")
})
afterEach(async () => {
  for (const table of ["passkeys", "sign_in_failures", "sessions"])
    await queryStore(program, `DELETE FROM ${table}`)
})

const add = (visitor = elif, path = newPath, name = "Telefon", one = authenticator) =>
  addPasskey(visitor, path, one, name)
const personId = async (name = "elif") => (await program.app.store.people.findByName(name))?.id ?? 0
/** The fields of the form on the sign-in page. */
async function assertion(visitor: Visitor, name = "elif", path = "/login"): Promise<Fields> {
  const { text } = await visitor.get(path)
  const userHandle = userHandleOf(await personId(name))
  const next = hiddenField(text, "next") ?? ""
  const form_token = hiddenField(text, "form_token") ?? ""
  return { form_token, next, ...authenticator.sign(ceremonyOn(text, { userHandle })) }
}
async function signIn(visitor = openVisitor(program.url), name = "elif", path = "/login") {
  return visitor.post("/login/passkey", await assertion(visitor, name, path))
}
const isIn = async (visitor: Visitor) =>
  (await visitor.get("/workspace")).location?.startsWith("/workspace/")
const makeOld = () =>
  queryStore(program, "UPDATE sessions SET confirmed_at = '2026-01-01T00:00:00Z'")
const actions = async () =>
  (await program.app.store.audit.list({ accountId: null, kind: "person" }, null, 2)).map(
    ({ action, actor, subjectId }) => [action, actor.name, subjectId],
  )

test("303: it is added under a name, signs in, and is listed with its last use", async () => {
  expect((await add()).location).toBe(`${securityPath}?done=passkey_added`)
  expect((await actions())[0]).toEqual(["passkey_added", "elif", "elif"])
  const visitor = openVisitor(program.url)
  const { status, location } = await signIn(visitor)
  expect([status, location, await isIn(visitor)]).toEqual([303, "/workspace", true])
  expect(program.logged()).toContain('"outcome":"ok"')
  const { text } = await visitor.get(`${securityPath}?done=passkey_added`)
  for (const shown of [
    "Telefon",
    "The passkey was added. You can sign in with it.",
    "Add a passkey",
  ])
    expect(unescapeHtml(text)).toContain(shown)
  expect(text.match(/<time/g)?.length).toBeGreaterThan(2)
})

test("303: the page that was wanted is opened, and no other site", async () => {
  await add()
  const next = "/login?next=/workspace/items%3Fsort%3Dprice"
  const { location } = await signIn(openVisitor(program.url), "elif", next)
  expect(location).toBe("/workspace/items?sort=price")
  const away = await signIn(openVisitor(program.url), "elif", "/login?next=https://evil.test/")
  expect(away.location).toBe("/workspace")
})

test("the page says what the browser has to create, without what it has", async () => {
  await add()
  const { create, origin } = requestOn((await elif.get(newPath)).text)
  const host = new URL(program.url).hostname
  expect([origin, create.rp.id, create.user.name]).toEqual([program.url, host, "elif"])
  expect(create.excludeCredentials).toEqual([{ type: "public-key", id: authenticator.id }])
  expect(create.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-8, -7, -257])
  expect(create.authenticatorSelection).toMatchObject({
    residentKey: "required",
    userVerification: "required",
  })
  const { get } = requestOn((await openVisitor(program.url).get("/login")).text)
  expect(get).toEqual({
    challenge: expect.any(String),
    rpId: host,
    userVerification: "required",
  })
})

test("401: the same form a second time, also after signing out", async () => {
  await add()
  const visitor = openVisitor(program.url)
  const sent = await assertion(visitor)
  const cookies = new Map(visitor.cookies)
  expect((await visitor.post("/login/passkey", sent)).status).toBe(303)
  await visitor.submit("/logout")
  for (const [name, value] of cookies) visitor.cookies.set(name, value)
  visitor.cookies.delete("pazar")
  const { status, text } = await visitor.post("/login/passkey", sent)
  expect([status, await isIn(visitor)]).toEqual([401, false])
  expect(unescapeHtml(text)).toContain(
    "The passkey was rejected: it was removed, or this page was open for too long. Try again.",
  )
})

test("another browser cannot send the form, and another page's challenge is rejected", async () => {
  await add()
  const [victim, thief] = [openVisitor(program.url), openVisitor(program.url)]
  const stolen = await assertion(victim)
  expect((await thief.post("/login/passkey", stolen)).status).toBe(403)
  const { form_token = "" } = await assertion(thief)
  expect((await thief.post("/login/passkey", { ...stolen, form_token })).status).toBe(401)
  expect((await victim.post("/login/passkey", stolen)).status).toBe(303)
})

test("401: an unknown passkey, and an empty form, as any other rejection", async () => {
  const visitor = openVisitor(program.url)
  const [unknown, empty] = [
    await signIn(visitor),
    await visitor.submit("/login/passkey", {}, "/login"),
  ]
  expect([unknown.status, empty.status]).toEqual([401, 401])
  await add()
  authenticator = createAuthenticator("p256")
  expect((await signIn(visitor)).status).toBe(401)
})

test("429: ten rejected responses, and the password still signs in", async () => {
  const visitor = openVisitor(program.url)
  const statuses = []
  for (let guess = 0; guess < 11; guess += 1) statuses.push((await signIn(visitor)).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  expect((await visitor.signIn("elif")).status).toBe(303)
})

test("403: a suspended account, only with its passkey", async () => {
  const marcus = await openSignedIn(program.url, "marcus")
  await add(marcus, newPathOfMarcus)
  const { accounts } = program.app.store
  const id = (await accounts.findByUsername("marcus"))?.id ?? 0
  await accounts.setSuspended(id, true, new Date())
  const { status, text } = await signIn(openVisitor(program.url), "marcus")
  expect([
    status,
    unescapeHtml(text).includes(
      "Your marketplace suspended this account. You cannot sign in and your API keys are rejected. No data was deleted.",
    ),
  ]).toEqual([403, true])
  expect((await signIn(openVisitor(program.url), "elif")).status).toBe(401)
  await accounts.setSuspended(id, false, new Date())
})

test("it is added only soon after the password was entered", async () => {
  await makeOld()
  const { text } = await elif.get(newPath)
  expect([hiddenField(text, "clientDataJSON"), requestOn(text)]).toEqual([null, {}])
  expect(text).toContain('type="password"')
  const wrong = await elif.submit(newPath, { password: "another one" }, newPath)
  expect([wrong.status, unescapeHtml(wrong.text).includes("Wrong password.")]).toEqual([
    ...[422, true],
  ])
  const { location } = await elif.submit(newPath, { password: samplePassword }, newPath)
  expect(location).toBe(newPath)
  const { text: form } = await elif.get(newPath)
  await makeOld()
  const sent = authenticator.register(ceremonyOn(form))
  const form_token = hiddenField(form, "form_token") ?? ""
  const late = await elif.post(newPath, { form_token, name: "x", ...sent })
  expect(late.text).toContain('type="password"')
  expect(await program.app.store.passkeys.list(await personId())).toEqual([])
})

test("422: a challenge of another person's page, and an authenticator that is known", async () => {
  const marcus = await openSignedIn(program.url, "marcus")
  const creation = ceremonyOn((await marcus.get(newPathOfMarcus)).text)
  const sent = { name: "x", ...authenticator.register(creation) }
  const { status, text } = await elif.submit(newPath, sent, newPath)
  expect([status, unescapeHtml(text).includes("The passkey was not added. Try again.")]).toEqual([
    422,
    true,
  ])
  expect((await add(marcus, newPathOfMarcus)).status).toBe(303)
  expect((await add()).status).toBe(422)
})

test("twenty are enough", async () => {
  for (let index = 0; index < passkeysMax; index += 1)
    expect((await add(elif, newPath, `Key ${index}`, createAuthenticator("p256"))).status).toBe(303)
  expect((await add()).status).toBe(422)
  expect((await elif.get(securityPath)).text).not.toContain(`href="${newPath}"`)
})

test("it is removed with the password, by its owner", async () => {
  await add()
  const path = `${securityPath}/passkeys/${authenticator.id}/remove`
  expect((await elif.get(securityPath)).text).toContain(`href="${path}"`)
  const marcus = await openSignedIn(program.url, "marcus")
  const foreign = path.replace("elif", "marcus")
  expect((await marcus.get(foreign)).location).toBe(securityPath.replace("elif", "marcus"))
  await marcus.submit(foreign)
  await makeOld()
  expect((await elif.submit(path, { password: "another one" }, path)).status).toBe(422)
  expect((await signIn()).status).toBe(303)
  const { location } = await elif.submit(path, { password: samplePassword }, path)
  expect(location).toBe(`${securityPath}?done=passkey_removed`)
  expect((await actions())[0]).toEqual(["passkey_removed", "elif", "elif"])
  expect((await signIn()).status).toBe(401)
})

test("an operator who signs in with a passkey needs no other second factor", async () => {
  const deniz = await openOperator(program.url, "deniz")
  const consolePath = "/console/security/passkeys/new"
  expect((await add(deniz, consolePath)).status).toBe(303)
  await program.app.store.metadata.put(twoFactorMetadataKey, "required")
  // Whoever knows only the password adds no factor, and removes no passkey.
  const security = "/console/security"
  const paths = ["/console", `${security}/second-factor`, consolePath, security]
  for (const path of [...paths, `${security}/passkeys/${authenticator.id}/remove`]) {
    const { status, text } = await deniz.get(path)
    expect([
      status,
      unescapeHtml(text).includes(
        "Operators need a second factor. Sign out, and sign in with your passkey. If you lost it, an admin can remove it.",
      ),
    ]).toEqual([403, true])
    expect((await deniz.submit(path)).status).toBe(403)
  }
  const other = openVisitor(program.url)
  expect((await signIn(other, "deniz", "/login?next=/console")).location).toBe("/console")
  expect((await other.get("/console")).status).toBe(200)
  await program.app.store.metadata.put(twoFactorMetadataKey, "optional")
})
