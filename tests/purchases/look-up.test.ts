import { afterAll, beforeAll, expect, test } from "bun:test"
import { publicTestSecret } from "../../src/contract/operation.ts"
import { isolateDirection } from "../../src/platform/pages/elements.tsx"
import { t } from "../../src/platform/t.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import type { Visitor } from "../harness/browser/visitor.ts"
import { textOf } from "../harness/http/page-views.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { openNewOperator, operatorPassword } from "../harness/test-operators.ts"

let program: Program
let deniz: Visitor
beforeAll(async () => {
  program = await startProgram()
  deniz = await openNewOperator(program, "deniz")
  const sold = [purchase("abc-12345", 7), purchase("CASE-0001", 7), purchase("case-0001", 7)]
  await program.load([account("ada"), item("ada", 7, { name: "<b>Tide</b>" }), ...sold])
})
afterAll(() => program.close())
const shownOf = (html: string) => unescapeHtml(textOf(html))
const read = async (path: string) => shownOf((await deniz.get(path)).text)

async function lookUp(code: string) {
  const sent = await deniz.submit("/console/purchases", { q: code }, "/console/purchases")
  const response = sent.location === null ? sent : await deniz.get(sent.location)
  const [, path = ""] = /href="([^"]*)\/(?:refund|take-back)"/.exec(response.text) ?? []
  return { ...response, shown: shownOf(response.text), path, location: sent.location }
}

test("200: finds a code, also inside a message, with author, item and state", async () => {
  for (const pasted of ["abc-12345", "Hello, my code is (ABC-12345). Thanks!"]) {
    const { status, shown, text, path } = await lookUp(pasted)
    expect(status).toBe(200)
    expect(shown).toContain(`Code abc-12345 Copy`)
    expect(shown).toContain(`Imported state Valid Operator override –`)
    expect(text).toContain("&lt;b&gt;Tide&lt;/b&gt;")
    expect(text).not.toContain("<b>Tide")
    expect(path).not.toContain("12345")
  }
})

test("200: reports why a code has no purchase", async () => {
  expect((await lookUp("abc-99999")).shown).toContain(
    "No purchase has this code or a buyer whose name begins with this text. If you pasted a message, paste only the code.",
  )
  expect((await lookUp("test-regular")).shown).toContain(
    "This is a test code. It works with test keys only; no buyer has it.",
  )
  expect((await lookUp("Case-0001")).shown).toContain(`CASE-0001 Copy case-0001 Copy`)
  expect((await lookUp(" ")).location).toBe("/console/purchases")
  expect((await lookUp("x".repeat(300))).shown).toContain("No purchase has this code.")
})

test("303: a refund is confirmed, takes effect immediately and is in the audit log", async () => {
  const { secret } = await program.issue("ada")
  const validate = async () => {
    const body = new URLSearchParams({ api_key: secret, purchase_code: "abc-12345" })
    const response = await fetch(`${program.url}/api/purchases/validation`, {
      method: "POST",
      body,
    })
    return response.headers.get("pazar-reason")
  }
  expect(await validate()).toBe("ok")
  const { path } = await lookUp("abc-12345")
  const refund = `${path}/refund`
  expect((await deniz.get(refund)).text).toContain(`<form method="post" action="${refund}"`)
  expect(await validate()).toBe("ok")
  const { status, location } = await deniz.submit(refund, {}, refund)
  expect([status, location]).toEqual([303, `${path}?done=refund`])
  expect(await validate()).toBe("revoked_code")
  const { shown, text } = await lookUp("abc-12345")
  expect(shown).toContain(`Operator override ${t("Refunded # result")}`)
  expect(text).not.toContain(`href="${refund}"`)
  expect((await deniz.submit(refund, {}, refund)).status).toBe(303)
  const audit = { accountId: null, kind: "purchase" } as const
  const events = await program.app.store.audit.list(audit, null, 5)
  expect(events).toMatchObject([
    {
      action: "refunded",
      subjectId: "abc-12345",
      account: { username: "ada" },
      actor: { kind: "operator", name: "deniz" },
    },
  ])
})

test("303: a feed does not undo a refund, an operator does", async () => {
  const sold = purchase("def-12345", 7)
  await program.load([sold])
  const look = async () => {
    const { shown, text } = await lookUp("def-12345")
    const [, inFeed, override] = /Imported state (\S+) Operator override (\S+)/.exec(shown) ?? []
    return [text.includes('id="result"') && /<h2>(\w+)/.exec(text)?.[1], inFeed, override]
  }
  const { path } = await lookUp("def-12345")
  await deniz.submit(`${path}/refund`, {}, `${path}/refund`)
  await program.load([{ ...sold, revoked: true }])
  await program.load([{ ...sold, revoked: false, buyer: "deniz" }])
  expect(await look()).toEqual([t("Refunded # result"), "Valid", t("Refunded # result")])
  const takeBack = `${path}/take-back`
  expect((await deniz.get(path)).text).toContain(`href="${takeBack}"`)
  const { location } = await deniz.submit(takeBack, {}, takeBack)
  expect(location).toBe(`${path}?done=take-back`)
  expect(await look()).toEqual(["Valid", "Valid", "–"])
  const audit = { accountId: null, kind: "purchase" } as const
  const events = await program.app.store.audit.list(audit, null, 4)
  expect(events.map(({ action, subjectId }) => [action, subjectId])).toEqual([
    ["refund_taken_back", "def-12345"],
    ["feed_word", "def-12345"],
    ["feed_word", "def-12345"],
    ["refunded", "def-12345"],
  ])
  const expected = [
    `Refund undone def-12345 Imported state: not refunded`,
    `State changed by import def-12345 Imported state: not refunded`,
    `State changed by import def-12345 Imported state: refunded`,
    `Marked as refunded def-12345 Imported state: not refunded`,
    `Marked as refunded abc-12345 Imported state: not refunded`,
  ]
  const rows = await read("/console/audit?kind=purchase")
  const shown = rows.matchAll(new RegExp(expected.map(RegExp.escape).join("|"), "g"))
  expect([...shown].map(([row]) => row)).toEqual(expected)
})

test("303: a refund and its reversal have notes, shown with the purchase and in the audit log", async () => {
  await program.load([purchase("note-12345", 7)])
  const { path } = await lookUp("note-12345")
  const refund = `${path}/refund`
  expect((await deniz.get(refund)).text).toContain('name="note"')
  const note = `Chargeback <b>#7</b> ${"x".repeat(600)}`
  await queryStore(program, "UPDATE sessions SET confirmed_at = '2026-01-01T00:00:00Z'")
  const rejected = await deniz.submit(refund, { note, password: "not the password" }, refund)
  expect(rejected.status).toBe(422)
  expect(rejected.text).toContain('name="note" type="text" value="Chargeback &lt;b&gt;#7')
  await deniz.submit(refund, { note, password: operatorPassword }, refund)
  await deniz.submit(`${path}/take-back`, { note: " The bank was wrong " }, `${path}/take-back`)
  const { shown, text } = await lookUp("note-12345")
  expect(shown).toContain(
    `${t("Operator {name}", { name: isolateDirection("deniz") })} Refund undone note-12345`,
  )
  expect(shown).toContain("The bank was wrong")
  expect(text).toContain("Chargeback &lt;b&gt;#7&lt;/b&gt; xxx")
  const filter = { accountId: null, kind: "purchase" } as const
  const [back, refunded] = await program.app.store.audit.list(filter, null, 2)
  expect([back?.note, refunded?.note]).toEqual(["The bank was wrong", note.slice(0, 500)])
  await deniz.submit(`${path}/take-back`, { note: "Paid again" }, `${path}/refund`)
  await deniz.submit(`${path}/take-back`, {}, `${path}/refund`)
  const [again, before] = await program.app.store.audit.list(filter, null, 2)
  expect([again?.note, before?.note]).toEqual(["Paid again", "The bank was wrong"])
  const events = async (query: string) => (await deniz.get(`/console/audit?${query}`)).text
  expect(await events("kind=purchase")).toContain("The bank was wrong")
})

test("200: a purchase has a URL of its own, which another operator can open", async () => {
  const { path } = await lookUp("abc-12345")
  const { text } = await deniz.get("/console/purchases?item=7")
  expect(text).toContain(`href="${path}"><bdi>abc-12345`)
  const ece = await openNewOperator(program, "ece")
  expect(shownOf((await ece.get(path)).text)).toContain(`Code abc-12345 Copy`)
  expect((await lookUp("my code: abc-12345")).path).toBe(path)
  const others = [path.replace("/7.", "/8."), `${path}0`, path.replace(/.{16}$/, "f".repeat(16))]
  for (const other of others) {
    expect((await ece.get(other)).status).toBe(404)
  }
})

test("303: a pasted key leads to its page in the workspace of its owner; it is neither shown nor stored", async () => {
  const { key, secret } = await program.issue("ada")
  const path = "/console/search"
  const find = (pasted: string) => deniz.submit(path, { q: pasted }, path)
  const found = await find(`$client = new Client('${secret}');`)
  expect([found.status, found.location]).toEqual([303, `/workspace/ada/settings/keys/${key.id}`])
  const { status, text } = await deniz.get(found.location ?? "")
  expect(status).toBe(200)
  expect(text).not.toContain(secret)
  expect(text).toContain(`/keys/${key.id}/revoke"`)
  for (const [pasted, problem] of [
    [secret.slice(0, -1), "This key does not exist. Check that it was copied completely."],
    [
      publicTestSecret,
      "This is the public test key of the docs. It does not belong to an account.",
    ],
  ] as const) {
    const rejected = await deniz.get((await find(pasted)).location ?? "")
    expect(shownOf(rejected.text)).toContain(problem)
    expect(rejected.text).not.toContain(pasted)
  }
  expect((await deniz.get("/workspace/ada/settings/keys/key_0")).status).toBe(404)
  expect(program.logged()).not.toContain(secret)
})

test("303: the sites of a purchase are listed, and released immediately", async () => {
  const { sites, audit } = program.app.store
  const at = formatTimestamp(program.app.now())
  const sightings = ["a.com", "b.com", "localhost"].map((site) => ({
    code: "CASE-0001",
    site,
  }))
  await sites.recordSeen(at, sightings)
  await sites.putLimits(7, { sites: 2, byLicense: {} })
  const { path, shown, text } = await lookUp("CASE-0001")
  expect(shown).toContain(
    t("Active on {n site|sites}. The site limit is {limit}.", { n: 2, limit: 2 }),
  )
  expect(text).toMatch(/name="site" value="a\.com".*name="site" value="localhost"/s)
  const release = (fields: Readonly<Record<string, string>>) =>
    deniz.submit(`${path}/release`, fields, path)
  const { location } = await release({ site: "a.com" })
  expect(location).toBe(`${path}?done=release&site=a.com`)
  expect(await read(location ?? "")).toContain(
    t("{site} was released.", { site: "\u2068a.com\u2069" }),
  )
  expect((await release({ all: "yes" })).location).toBe(`${path}?done=release-all`)
  expect(await sites.list("CASE-0001")).toEqual([])
  const events = await audit.list({ accountId: null, kind: "purchase" }, null, 3)
  expect(events.map(({ action, actor, subjectName }) => [action, actor.name, subjectName])).toEqual(
    ["localhost", "b.com", "a.com"].map((site) => ["site_released", "deniz", site]),
  )
  expect(await read("/console/audit?kind=purchase")).toContain(`Site released CASE-0001 a.com`)
})

test("403, 404: a cross-site form and an unknown purchase release nothing", async () => {
  const { path } = await lookUp("CASE-0001")
  expect((await deniz.post(`${path}/release`, { all: "yes" })).status).toBe(403)
  const none = path.replace(/[\w-]+$/, "none")
  expect((await deniz.submit(`${none}/release`, { all: "yes" }, path)).status).toBe(404)
})
