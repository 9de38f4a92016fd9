import { afterAll, beforeAll, expect, test } from "bun:test"
import { t } from "../../src/platform/t.ts"
import { tr } from "../../src/platform/tr.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import { textOf } from "../harness/http/page-views.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import {
  addOperator,
  openNewOperator,
  openOperator,
  operatorPassword,
  signInOperator,
  totpCode,
} from "../harness/test-operators.ts"
import { until } from "../harness/until.ts"

let program: Program
let deniz: Visitor
beforeAll(async () => {
  const now = new Date()
  program = await startProgram({ LOG_LEVEL: "error" }, {}, undefined, () => now)
  await program.load([account("ada")])
  deniz = await openNewOperator(program, "deniz")
})
afterAll(() => program.close())
const read = async (path: string, visitor = deniz) =>
  unescapeHtml(textOf((await visitor.get(path)).text))
const operatorsPath = "/console/operators"
const invitePath = `${operatorsPath}/invite`
const rulePath = `${operatorsPath}/second-factor`

async function linkTo(action: "link" | "remove"): Promise<string> {
  const { text } = await deniz.get(operatorsPath)
  return new RegExp(`href="(/console/operators/\\d+/${action})"`).exec(text)?.[1] ?? ""
}

async function invite(name: string): Promise<string> {
  const response = await deniz.submit(invitePath, { name }, invitePath)
  expect(unescapeHtml(response.text)).toContain("The link was created.")
  return /<code>[^<]*?(\/invite\/[^<]+)<\/code>/.exec(response.text)?.[1] ?? ""
}

const password = "elma armut pencere"
const chosen = { password, repeat: password }

test("a new operator with two-factor authentication, without the command line", async () => {
  expect((await deniz.submit(`${rulePath}/require`, {}, `${rulePath}/require`)).location).toBe(
    `${operatorsPath}?done=second_factor_required`,
  )
  expect((await deniz.get(operatorsPath)).location).toBe("/console/security/second-factor")
  await setUpFactor(deniz)
  const path = await invite("cem")
  const listed = await read(operatorsPath)
  expect(listed.split(t("Invited # list"))[1]).toContain(`cem Viewer`)
  const cem = openVisitor(program.url)
  expect((await cem.submit(path, chosen, path)).location).toBe("/console?done=welcome")
  expect((await cem.get("/console")).location).toBe("/console/security/second-factor")
  const without = t("Without 2FA: {names}.", { names: "\u2068cem\u2069" })
  expect(await read(operatorsPath)).toContain(without)
  await setUpFactor(cem, password)
  expect((await cem.get("/console")).status).toBe(200)
  expect(await read(operatorsPath)).not.toContain(without)
  const again = openVisitor(program.url)
  const { location } = await signInOperator(again, "cem", { password })
  expect(location).toBe("/login/code?next=%2Fconsole")
  expect((await again.get("/console")).location).toStartWith("/login?")
  const after = await read(operatorsPath)
  expect(after).toContain(`cem Viewer Active Enabled`)
  await deniz.submit(`${rulePath}/drop`, {}, `${rulePath}/drop`)
  expect(await read(operatorsPath)).toContain(
    "2FA is optional. Without it, a stolen password is enough to sign in.",
  )
})

async function setUpFactor(visitor: Visitor, password = operatorPassword): Promise<void> {
  const path = "/console/security/second-factor"
  const { text } = await visitor.get(path)
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(" ", "") ?? ""
  const { status } = await visitor.submit(path, { secret, code: totpCode(secret), password }, path)
  expect(status).toBe(200)
}

test("an operator can be invited again; a password ends the other link", async () => {
  const [first, second] = [await invite("can"), await invite("can")]
  const can = openVisitor(program.url)
  expect((await can.submit(first, chosen, first)).location).toBe("/console?done=welcome")
  expect((await can.get(second)).status).toBe(404)
  const listed = await read(operatorsPath)
  expect(listed).not.toContain("/invite/")
  expect(listed).not.toContain(t("Invited # list"))
  const id = (await program.app.store.operators.findByName("can"))?.id
  expect(await read(`${operatorsPath}/${id}/link`)).toContain(
    "Creates a link that works once within seven days. The operator sets a new password with it. The old password works until then. A new password ends the operator's sessions; 2FA stays enabled.",
  )
})

test("an invitation is withdrawn", async () => {
  const path = await invite("mert")
  const { text } = await deniz.get(operatorsPath)
  const [, withdraw = ""] = /action="([^"]+\/withdraw)"/.exec(text) ?? []
  expect((await deniz.submit(withdraw, {}, operatorsPath)).location).toBe(
    `${operatorsPath}?done=invitation_withdrawn`,
  )
  expect((await openVisitor(program.url).get(path)).status).toBe(404)
})

test("somebody who is signed in takes the role; a stranger cannot", async () => {
  const { store, now } = program.app
  const ada = await store.people.insert({ name: "ada", email: null, createdAt: "" })
  await store.people.putMember(1, ada ?? 0, "owner", now().toISOString())
  await store.passwords.put(ada ?? 0, await program.hasher.hash(password))
  const path = await invite("a new one")
  const stranger = openVisitor(program.url)
  expect((await stranger.get(path)).text).not.toContain(`${path}/join`)
  expect((await stranger.submit(`${path}/join`, {}, path)).status).toBe(404)
  const visitor = openVisitor(program.url)
  await visitor.signIn("ada", password)
  expect((await visitor.get(path)).text).toContain(`action="${path}/join"`)
  expect((await visitor.submit(`${path}/join`, {}, path)).location).toBe("/console?done=joined")
  expect((await visitor.get("/console")).status).toBe(200)
  expect((await store.operators.findByName("ada"))?.role).toBe("viewer")
  expect((await openVisitor(program.url).get(path)).status).toBe(404)
})

test("422: a new person cannot take a name that somebody has", async () => {
  const path = await invite("DENIZ2")
  const visitor = openVisitor(program.url)
  const { status, text } = await visitor.submit(path, { ...chosen, name: "Deniz" }, path)
  expect([status, unescapeHtml(text)]).toEqual([
    422,
    expect.stringContaining("Somebody else has this name. Choose another one."),
  ])
  expect((await visitor.submit(path, { ...chosen, name: "Deniz 2" }, path)).status).toBe(303)
  expect((await program.app.store.operators.findByName("deniz 2"))?.role).toBe("viewer")
})

test("422: a taken or invalid name keeps the entered values", async () => {
  for (const [name, why] of [
    ["DENIZ", "An operator with this name already exists."],
    ["x".repeat(256), "Use 1 to 255 characters."],
  ] as const) {
    const { status, text } = await deniz.submit(invitePath, { name }, invitePath)
    const [, error = ""] = /id="name-error">([^<]*)</.exec(text) ?? []
    expect([status, unescapeHtml(error), text.includes(`value="${name}"`)]).toEqual([
      422,
      why,
      true,
    ])
  }
  expect(await read(`${invitePath}?lang=tr`)).toContain(tr["Invite an operator"])
  await deniz.get("/console?lang=en")
})

test("a removed operator is signed out immediately; operators cannot remove themselves", async () => {
  const path = await invite("ece")
  const ece = openVisitor(program.url)
  await ece.submit(path, chosen, path)
  expect((await ece.get("/console")).status).toBe(200)
  const { operators } = program.app.store
  const own = (await operators.findByName("deniz"))?.id
  expect((await deniz.get(`${operatorsPath}/${own}/remove`)).status).toBe(404)
  const other = (await operators.findByName("ece"))?.id
  const removal = `${operatorsPath}/${other}/remove`
  await deniz.submit(removal, {}, removal)
  expect((await ece.get("/console")).location).toStartWith("/login")
  expect(await operators.findByName("ece")).toBeNull()
  expect(await linkTo("remove")).not.toBe("")
  for (const id of ["0", "x", "999999", "1e3"]) {
    expect((await deniz.get(`${operatorsPath}/${id}/remove`)).status).toBe(404)
  }
})

test("a role is chosen in the invitation and changed later; the next request has the new one", async () => {
  const response = await deniz.submit(invitePath, { name: "gul", role: "support" }, invitePath)
  const path = /<code>[^<]*?(\/invite\/[^<]+)<\/code>/.exec(response.text)?.[1] ?? ""
  const gul = openVisitor(program.url)
  await gul.submit(path, chosen, path)
  const { operators, audit } = program.app.store
  const id = (await operators.findByName("gul"))?.id ?? 0
  const change = `${operatorsPath}/${id}/role`
  const refused = await gul.get(change)
  expect([refused.status, unescapeHtml(textOf(refused.text))]).toEqual([
    403,
    expect.stringContaining(
      t("Your role, {role}, does not allow this. Ask an admin to do it or to change your role.", {
        role: "Support",
      }),
    ),
  ])
  expect((await gul.get(`${operatorsPath}?lang=tr`)).text).not.toContain("/role")
  expect(await read(change, gul)).toContain(
    tr[
      "Your role, {role}, does not allow this. Ask an admin to do it or to change your role."
    ].replace("{role}", tr.Support),
  )
  expect((await deniz.get(change)).text).toMatch(/value="support" checked/)
  expect((await deniz.submit(change, { role: "owner" }, change)).status).toBe(422)
  expect((await deniz.submit(change, { role: "admin" }, change)).location).toBe(
    `${operatorsPath}?done=operator_role`,
  )
  expect((await gul.get(invitePath)).status).toBe(200)
  const events = await audit.list({ accountId: null, kind: "operator" }, null, 20)
  expect(
    events
      .filter(({ subjectId, action }) => subjectId === "gul" && action.startsWith("role_"))
      .map(({ action, actor }) => [action, actor.name]),
  ).toEqual([
    ["role_admin", "deniz"],
    ["role_support", "gul"],
  ])
})

test("409: of two admins who demote each other, one stays", async () => {
  await addOperator(program, "ikiz")
  const { operators } = program.app.store
  const ikiz = await openOperator(program.url, "ikiz")
  for (const { id, name, role } of await operators.list()) {
    if (role === "admin" && name !== "ikiz" && name !== "deniz")
      await operators.putRole(id, "viewer")
  }
  const demote = async (visitor: Visitor, name: string) => {
    const path = `${operatorsPath}/${(await operators.findByName(name))?.id}/role`
    const form_token = await visitor.formToken(path)
    return () => visitor.post(path, { form_token, role: "viewer" })
  }
  const demotions = [await demote(deniz, "ikiz"), await demote(ikiz, "deniz")]
  const responses = await Promise.all(demotions.map((send) => send()))
  const admins = (await operators.list()).filter(({ role }) => role === "admin")
  expect(admins.length).toBe(1)
  expect(responses.filter(({ status }) => status === 303).length).toBe(1)
  const other = responses.find(({ status }) => status !== 303)
  // The slower one is an admin no longer, or was one until the change.
  expect([403, 409]).toContain(other?.status ?? 0)
  await operators.putRole((await operators.findByName("deniz"))?.id ?? 0, "admin")
})

test("successful and failed sign-ins are in the audit log, summarized by hour", async () => {
  await queryStore(program, "DELETE FROM audit_events")
  for (const name of ["deniz", "deniz", "nobody here"]) {
    await signInOperator(openVisitor(program.url), name, { password: "wrong one entirely" })
  }
  const path = await invite("su")
  await openVisitor(program.url).submit(path, chosen, path)
  await signInOperator(openVisitor(program.url), "su", { password })
  // Failures are recorded after the response.
  const audit = await until(async () => {
    const shown = await read("/console/audit?kind=operator")
    const failed = `Unknown Operator sign-in failed deniz ${t("{n time|times}", { n: 2 })}`
    return shown.includes(failed) ? shown : undefined
  })
  expect(audit).toContain(`Operator sign-in su ${t("{n time|times}", { n: 2 })}`)
  expect(audit).not.toMatch(/nobody here|wrong one/)
  expect(await read("/console/audit?kind=operator&lang=tr")).toContain(
    `${tr.Unknown} ${tr["Operator sign-in failed"]}`,
  )
  await deniz.get("/console?lang=en")
})
