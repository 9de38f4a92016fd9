import { afterAll, beforeAll, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { teamMax } from "../../src/people/person.ts"
import { createSignInLink } from "../../src/people/sign-in-operations.ts"
import { t } from "../../src/platform/t.ts"
import { givePassword, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { openNewOperator } from "../harness/test-operators.ts"

const password = "elma armut pencere"
const people = "/workspace/elif/settings/people"

let program: Program
let elif: Visitor
beforeAll(async () => {
  program = await startSampleWorkspace()
  await givePassword(program, "marcus")
  elif = await openSignedIn(program.url, "elif")
})
afterAll(() => program.close())

/** The path of the link that the page shows once. */
async function invite(email: string, role: string): Promise<string> {
  const { status, text } = await elif.submit(`${people}/invite`, { email, role }, people)
  expect(status).toBe(200)
  return /\/invite\/[\w-]+(?=<)/.exec(text)?.[0] ?? ""
}

async function join(name: string, role: string): Promise<Visitor> {
  const path = await invite(`${name}@example.com`, role)
  const visitor = openVisitor(program.url)
  const { status } = await visitor.submit(path, { name, password, repeat: password }, path)
  expect(status).toBe(303)
  return visitor
}

const members = async () => {
  const { id } = await requireAccount(program.app.store.accounts, "elif")
  const all = await program.app.store.people.listMembers(id)
  return new Map(all.map(({ name, personId, role }) => [name, { personId, role }]))
}
const idOf = async (name: string) => (await members()).get(name)?.personId ?? 0
const change = async (visitor: Visitor, name: string, action: string, fields = {}) => {
  const path = `${people}/${await idOf(name)}/${action}`
  return visitor.submit(path, fields, "/license")
}

test("a colleague joins by a link, has the rights of the role, and another role with the next request", async () => {
  const cem = await join("cem", "support")
  const statuses = async () =>
    Promise.all(
      ["", "/sales", "/check", "/settings", "/settings/people", "/settings/keys/new"].map(
        async (page) => (await cem.get(`/workspace/elif${page}`)).status,
      ),
    )
  expect(await statuses()).toEqual([200, 200, 200, 200, 403, 403])
  const { location } = await change(elif, "cem", "role", { role: "developer" })
  expect(location).toBe(`${people}?done=member_role`)
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200])
  expect((await change(cem, "elif", "remove")).status).toBe(403)
  await change(elif, "cem", "remove")
  expect((await cem.get("/workspace/elif")).status).toBe(303)
  expect((await members()).has("cem")).toBe(false)
})

test("the last owner stays, and a second one can leave", async () => {
  for (const [action, fields] of [
    ["remove", {}] as const,
    ["role", { role: "support" }] as const,
  ]) {
    const { status, text } = await change(elif, "elif", action, fields)
    expect([
      status,
      text.includes("An account keeps at least one owner. Make somebody else an owner first."),
    ]).toEqual([422, true])
  }
  const deniz = await join("deniz.y", "owner")
  expect((await change(deniz, "deniz.y", "remove")).location).toBe("/workspace")
  expect([...(await members()).keys()]).toEqual(["elif"])
})

test("somebody with a team joins another one as the same person, and switches", async () => {
  const marcus = await openSignedIn(program.url, "marcus")
  const path = await invite("marcus@example.com", "developer")
  expect((await marcus.submit(`${path}/join`, {}, path)).location).toBe(
    "/workspace/elif?done=joined",
  )
  const { text } = await marcus.get("/workspace")
  expect(text).toContain('href="/workspace/elif"')
  expect(text).toContain('href="/workspace/marcus"')
  expect((await marcus.get("/workspace/elif/sales")).text).toContain('href="/workspace/marcus"')
  expect((await marcus.get("/workspace?to=settings/keys")).text).toContain(
    'href="/workspace/marcus/settings/keys"',
  )
  await change(elif, "marcus", "remove")
  expect((await marcus.get("/workspace/elif")).status).toBe(404)
  expect((await marcus.get("/workspace")).location).toBe("/workspace/marcus")
})

test("an invitation is withdrawn by the team only, and a team has a limit", async () => {
  const path = await invite("late@example.com", "support")
  const withdraw = /people\/invitations\/[\w-]+\/withdraw/.exec((await elif.get(people)).text)?.[0]
  const form = `/workspace/elif/settings/${withdraw}`
  const marcus = await openSignedIn(program.url, "marcus")
  const foreign = form.replace("/elif/", "/marcus/")
  expect((await marcus.submit(foreign, {}, "/license")).status).toBe(404)
  expect((await openVisitor(program.url).get(path)).status).toBe(200)
  expect((await elif.submit(form, {}, people)).status).toBe(303)
  expect((await openVisitor(program.url).get(path)).status).toBe(404)
  expect((await elif.submit(form, {}, people)).status).toBe(404)
  const { size } = await members()
  for (let count = size; count < teamMax; count += 1)
    await invite(`p${count}@example.com`, "support")
  const full = await elif.submit(
    `${people}/invite`,
    { email: "x@example.com", role: "owner" },
    people,
  )
  expect([
    full.status,
    full.text.includes(
      t("An account can have {n} people and open invitations. Remove one first.", { n: teamMax }),
    ),
  ]).toEqual([422, true])
  await queryStore(program, "DELETE FROM invitations")
})

test("an invitation needs an address and, later, the password", async () => {
  const wrong = await elif.submit(`${people}/invite`, { email: "x", role: "owner" }, people)
  expect(wrong.status).toBe(422)
  await queryStore(program, "UPDATE sessions SET confirmed_at = '2026-01-01T00:00:00Z'")
  const fields = { email: "new@example.com", role: "owner" }
  const asked = await elif.submit(`${people}/invite`, fields, people)
  expect([asked.status, asked.text.includes('value="new@example.com"')]).toEqual([422, true])
  expect(await queryStore(program, "SELECT 1 FROM invitations")).toEqual([])
})

test("an admin opens a workspace with a notice and manages people, but sees no secret", async () => {
  const admin = await openNewOperator(program, "admin")
  const { text } = await admin.get("/workspace/elif")
  expect(text).toContain(
    t(
      "You are in the workspace of {username} as an operator ({role}). What you change is in the audit log.",
      { username: "\u2068elif\u2069", role: "Admin" },
    ),
  )
  const statusOf = async (page: string) => (await admin.get(`/workspace/elif${page}`)).status
  expect(await statusOf("/settings/people")).toBe(200)
  expect(await statusOf("/settings/keys/new")).toBe(403)
  expect(await statusOf("/settings/security")).toBe(404)
  expect((await admin.get("/workspace/nobody")).status).toBe(404)
  const { status } = await admin.submit(
    `${people}/invite`,
    { email: "by.admin@example.com", role: "support" },
    people,
  )
  expect(status).toBe(200)
  const [event] = await program.app.store.audit.list(
    { accountId: null, kind: "account", action: "invited" },
    null,
    1,
  )
  expect([event?.actor.kind, event?.actor.name, event?.account?.username]).toEqual([
    ...["operator", "admin", "elif"],
  ])
})

test("a link of the marketplace signs in the author, whoever owns the account meanwhile", async () => {
  const { store, now } = program.app
  elif = await openSignedIn(program.url, "elif")
  const elifAccount = await requireAccount(store.accounts, "elif")
  const visitor = await join("filiz", "support")
  await change(elif, "filiz", "role", { role: "owner" })
  await change(elif, "elif", "role", { role: "developer" })
  const services = { ...store, tokens, now, actor: commandLine }
  const { token } = await createSignInLink(services, elifAccount)
  const shop = openVisitor(program.url)
  await shop.submit("/login/link", { token }, `/login/link/${token}`)
  expect((await shop.get(people)).text).toContain(`<bdi>elif</bdi> <span class="hint">`)
  await change(visitor, "elif", "role", { role: "owner" })
  await change(elif, "filiz", "remove")
})

test("an invitation takes no role away, and no name of somebody else", async () => {
  const path = await invite("self@example.com", "support")
  expect((await elif.submit(`${path}/join`, {}, path)).status).toBe(404)
  expect((await members()).get("elif")?.role).toBe("owner")
  const visitor = openVisitor(program.url)
  for (const name of ["marcus", "victim@example.com"]) {
    const fields = { name, password, repeat: password }
    expect((await visitor.submit(path, fields, path)).status).toBe(422)
  }
})
