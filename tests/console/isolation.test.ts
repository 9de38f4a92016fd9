import { afterAll, beforeAll, expect, test } from "bun:test"
import { startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, type Visitor, withoutFormTokens } from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { addOperator, openNewOperator, openOperator } from "../harness/test-operators.ts"

let program: Program
let author: Visitor
let operator: Visitor
let authorId: number
beforeAll(async () => {
  program = await startSampleWorkspace()
  await addOperator(program, "deniz")
  author = await openSignedIn(program.url, "elif")
  operator = await openOperator(program.url, "deniz")
  authorId = (await program.app.store.accounts.findByUsername("elif"))?.id ?? 0
})
afterAll(() => program.close())

const pages = () => [
  ...["", "/authors", `/authors/${authorId}`, `/authors/${authorId}/suspend`, "/audit"],
  ...["/traffic", "/purchases", "/purchases/items/1001", "/keys", "/imports", "/imports/1"],
  ...[`/authors/${authorId}/log`, `/authors/${authorId}/webhooks/ep_0000000000000000`],
  ...["/webhooks", "/webhooks/new", "/webhooks/ep_0000000000000000"],
  ...["/settings", "/security", "/security/second-factor", "/security/codes", "/none"],
]
const forms = () => [
  ...["invite", "sign-in-link", "suspend", "resume"].map((each) => `/authors/${authorId}/${each}`),
  ...["/purchases", "/keys", "/security/password", "/webhooks"],
  ...[
    "/security/second-factor",
    "/security/second-factor/off",
    "/settings/signing-keys/rotate",
    "/none",
  ],
]
const auditCount = async () =>
  (
    await queryStore<{ id: number }>(
      program,
      "SELECT id FROM audit_events WHERE action <> 'rejected'",
    )
  ).length

test("404: for somebody who is no operator, each path of the console is unknown", async () => {
  for (const path of pages()) {
    const { status, text } = await author.get(`/console${path}`)
    const unknown = await author.get(`/unknown${path}`)
    const pathless = (html: string) =>
      withoutFormTokens(html).replaceAll(/\/(?:console|unknown)[\w/?=-]*/g, "")
    expect([status, pathless(text)]).toEqual([404, pathless(unknown.text)])
  }
})

test("404: a form of the console sent by an author changes nothing", async () => {
  const before = await auditCount()
  const form_token = await author.formToken()
  for (const path of forms()) {
    expect((await author.post(`/console${path}`, { form_token })).status).toBe(404)
    expect((await author.post(`/console${path}`, {})).status).toBe(403)
  }
  expect(await auditCount()).toBe(before)
})

test("303: an operator without a team has no workspace of their own", async () => {
  const [, menu = ""] = (await operator.get("/console")).text.split('class="person"')
  expect(menu.slice(0, menu.indexOf("</details>"))).not.toContain("/workspace")
  expect((await operator.get("/workspace")).location).toBe("/console")
  const form_token = await operator.formToken("/console/security")
  const before = await auditCount()
  for (const path of [
    "/workspace/nobody",
    "/workspace/nobody/items",
    "/workspace/%E0",
    "/workspace/",
  ]) {
    expect((await operator.get(path)).status).toBe(404)
    expect((await operator.post(path, { form_token })).status).toBe(404)
  }
  expect(await auditCount()).toBe(before)
})

test("404: an operator does not see the security page of an author, and creates no key for them", async () => {
  const before = await auditCount()
  const form_token = await operator.formToken()
  for (const page of ["", "/second-factor", "/second-factor/confirm"]) {
    const path = `/workspace/elif/settings/security${page}`
    expect((await operator.get(path)).status).toBe(404)
  }
  for (const page of ["password", "second-factor", "sessions/all"]) {
    const path = `/workspace/elif/settings/security/${page}`
    expect((await operator.post(path, { form_token })).status).toBe(404)
  }
  expect((await operator.post("/workspace/elif/settings/keys/new", { form_token })).status).toBe(
    403,
  )
  expect(await auditCount()).toBe(before)
})

test("200: an operator who is also an author has both, with one session", async () => {
  const { store, now } = program.app
  const { id = 0 } = (await store.people.findByName("deniz")) ?? {}
  await store.people.putMember(authorId, id, "developer", now().toISOString())
  expect((await operator.get("/console")).text).toContain('<a href="/workspace/elif">')
  expect((await operator.get("/workspace/elif")).text).toContain('<a href="/console">')
  await store.operators.insert((await store.people.findByName("elif"))?.id ?? 0, "viewer")
  expect((await author.get("/console")).status).toBe(200)
  await store.operators.remove((await store.people.findByName("elif"))?.id ?? 0)
  expect((await author.get("/console")).status).toBe(404)
})

test("a removed operator is signed out immediately, and an operator's pages show no secret", async () => {
  const cem = await openNewOperator(program, "cem")
  const { operators } = program.app.store
  await operators.remove((await operators.findByName("cem"))?.id ?? 0)
  expect((await cem.get("/console")).status).toBe(303)
  const { secret } = await program.issue("elif")
  for (const path of pages().slice(0, 7)) {
    const { text } = await operator.get(`/console${path}`)
    expect(text).not.toContain(secret)
    expect(text).not.toMatch(/argon2|pzr_sk_[0-9A-Za-z]{10}/)
  }
})
