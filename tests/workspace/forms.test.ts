import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { samplePassword, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { type Fields, openSignedIn, openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import { inviteOwner } from "../harness/invite-owner.ts"
import type { Program } from "../harness/program.ts"
import { storeState } from "../harness/stores/stored-rows.ts"

const keysPath = "/workspace/elif/settings/keys"
const securityPath = "/workspace/elif/settings/security"
const otherPassword = "a password nobody had before"
const formId = "0123456789abcdef"

let program: Program
let elif: Visitor
let token: string
let keyId: string
let secret: string
let otherSessionId: string
let invitation: string

beforeAll(async () => {
  program = await startSampleWorkspace()
  elif = openVisitor(program.url)
  await openVisitor(program.url).signIn("elif")
  const { people, sessions } = program.app.store
  const { id = 0 } = (await people.findByName("elif")) ?? {}
  otherSessionId = (await sessions.list(id))[0]?.id ?? ""
  await elif.signIn("elif")
  token = await elif.formToken()
  const issued = await program.issue("elif")
  keyId = issued.key.id
  secret = issued.secret
  const marcus = await requireAccount(program.app.store.accounts, "marcus")
  const services = { ...program.app.store, tokens, now: program.app.now }
  invitation = (await inviteOwner(services, marcus)).token
})
afterAll(() => program.close())

type Form = Readonly<{ name: string; path: () => string; fields: Fields }>

/** Every form, filled in so that it would be accepted. The last ones end what the others need. */
const forms: readonly Form[] = [
  { name: "check", path: () => "/workspace/elif/check", fields: { purchase_code: "x" } },
  {
    name: "create a key",
    path: () => `${keysPath}/new`,
    fields: { form_id: formId, kind: "sk", name: "Mine" },
  },
  {
    name: "find a pasted key",
    path: () => keysPath,
    get fields() {
      return { q: secret }
    },
  },
  { name: "reveal", path: () => `${keysPath}/${keyId}/reveal`, fields: {} },
  {
    name: "rename",
    path: () => `${keysPath}/${keyId}/rename`,
    fields: { name: "Renamed" },
  },
  {
    name: "replace",
    path: () => `${keysPath}/${keyId}/replace`,
    fields: { form_id: "fedcba9876543210", overlap: "1d" },
  },
  { name: "revoke", path: () => `${keysPath}/${keyId}/revoke`, fields: {} },
  {
    name: "choose a language",
    path: () => "/workspace/elif/settings/language",
    fields: { locale: "en" },
  },
  {
    name: "end a session",
    path: () => `${securityPath}/sessions/${otherSessionId}`,
    fields: {},
  },
  {
    name: "sign in",
    path: () => "/login",
    fields: { name: "elif", password: samplePassword },
  },
  {
    name: "change the password",
    path: () => `${securityPath}/password`,
    fields: { current: samplePassword, password: otherPassword, repeat: otherPassword },
  },
  {
    name: "sign out everywhere",
    path: () => `${securityPath}/sessions/all`,
    fields: {},
  },
  { name: "sign out", path: () => "/logout", fields: {} },
  {
    name: "accept an invitation",
    path: () => `/invite/${invitation}`,
    fields: { password: otherPassword, repeat: otherPassword },
  },
]

const foreign: readonly Fields[] = [
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
  { "Sec-Fetch-Site": "cross-site", Origin: "null" },
  { "Sec-Fetch-Site": "Same-Origin, same-origin" },
  { Origin: "https://evil.example" },
  { Origin: "http://127.0.0.1:1" },
  { Origin: "null" },
]

describe("403: a cross-site form changes nothing", () => {
  test.each(forms)("$name", async ({ path, fields }) => {
    const before = await storeState(program)
    const statuses: number[] = []
    for (const headers of foreign) {
      const sent = await elif.post(path(), { form_token: token, ...fields }, headers)
      statuses.push(sent.status)
    }
    expect(statuses).toEqual(foreign.map(() => 403))
    expect(await storeState(program)).toEqual(before)
  })
})

describe("403: a form without the token of this browser changes nothing", () => {
  test.each(forms)("$name", async ({ path, fields }) => {
    const stranger = openVisitor(program.url)
    const strangerToken = await stranger.formToken("/login")
    const otherBrowser = await openSignedIn(program.url, "elif")
    const otherToken = await otherBrowser.formToken()
    const before = await storeState(program)
    const wrong: Fields[] = [
      {},
      { form_token: "" },
      { form_token: `${token}x` },
      { form_token: token.slice(0, -1) },
      { form_token: token.replace(/^./, (letter) => (letter === "A" ? "B" : "A")) },
      { form_token: "A".repeat(token.length) },
      { form_token: "ü".repeat(43) },
      { form_token: strangerToken },
      { form_token: otherToken },
    ]
    const statuses: number[] = []
    for (const form of wrong)
      statuses.push((await elif.post(path(), { ...fields, ...form })).status)
    expect(statuses).toEqual(wrong.map(() => 403))
    expect(await storeState(program)).toEqual(before)
    await otherBrowser.submit("/logout")
  })
})

test("403: the token of the sign-in form is not the token of the session", async () => {
  const visitor = openVisitor(program.url)
  const before = await visitor.formToken("/login")
  await visitor.signIn("elif")
  const sent = await visitor.post("/workspace/elif/check", {
    form_token: before,
    purchase_code: "x",
  })
  expect(sent.status).toBe(403)
  await visitor.submit("/logout")
})

test("200: each page has another token, and all of them are valid", async () => {
  const tokens = await Promise.all(Array.from({ length: 5 }, () => elif.formToken()))
  const parts = tokens.flatMap((each) => [each.slice(0, 42), each.slice(-42)])
  expect(new Set(parts).size).toBe(10)
  for (const form_token of tokens) {
    const sent = await elif.post("/workspace/elif/check", { form_token, purchase_code: "x" })
    expect(sent.status).toBe(200)
  }
})

test("403: a token in the query or in a body of another type is ignored", async () => {
  const path = `/workspace/elif/check?form_token=${token}`
  const [json, text] = await Promise.all(
    ["application/json", "text/plain"].map((type) =>
      elif.sendRequest(path, {
        method: "POST",
        headers: { "Content-Type": type },
        body: type === "text/plain" ? `form_token=${token}` : JSON.stringify({ form_token: token }),
      }),
    ),
  )
  expect([json?.status, text?.status, (await elif.post(path, {})).status]).toEqual([403, 403, 403])
})

// Proves that the forms above were rejected only because of their origin.
test("303: from our own page, each of these forms is accepted and leads to its result", async () => {
  const own: readonly Fields[] = [
    { "Sec-Fetch-Site": "same-origin", Origin: program.url },
    { "Sec-Fetch-Site": "none" },
    { Origin: program.url },
    {},
  ]
  const responses: Record<string, number> = {}
  for (const [at, { name, path, fields }] of forms.entries()) {
    if (!elif.cookies.has("pazar")) await elif.signIn("elif", otherPassword)
    const form_token = await elif.formToken()
    const headers = own[at % own.length]
    const sent = await elif.post(path(), { form_token, ...fields }, headers)
    responses[name] = sent.status
  }
  const pageForms = ["check", "create a key", "replace", "reveal"]
  expect(responses).toEqual(
    Object.fromEntries(forms.map(({ name }) => [name, pageForms.includes(name) ? 200 : 303])),
  )
})
