/** Purchases, items and keys that an operator looks up, and what may be done to them. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { publicTestSecret } from "../../../src/domain/keys/api-key.ts"
import { formatTimestamp } from "../../../src/domain/values/time/timestamp.ts"
import { account, item, purchase } from "../../contracts/records.ts"
import type { Visitor } from "../../harness/browser/visitor.ts"
import { textOf } from "../../harness/http/page-views.ts"
import { addOperator, openOperator, operatorPassword } from "../../harness/operators.ts"
import { type Program, startProgram } from "../../harness/program.ts"
import { queryStore } from "../../harness/stores/stored-rows.ts"

let program: Program
let deniz: Visitor
beforeAll(async () => {
  program = await startProgram()
  await addOperator(program, "deniz")
  deniz = await openOperator(program.url, "deniz")
  const sold = [purchase("abc-12345", 7), purchase("CASE-0001", 7), purchase("case-0001", 7)]
  await program.load([account("ada"), item("ada", 7, { name: "<b>Tide</b>" }), ...sold])
})
afterAll(() => program.close())

async function lookUp(code: string) {
  const { status, location } = await deniz.submit(
    "/console/purchases",
    { code },
    "/console/purchases",
  )
  expect(status).toBe(303)
  const answer = await deniz.get(location ?? "")
  return { ...answer, shown: textOf(answer.text), path: location ?? "" }
}

test("200: a code, also inside a message, with author, item and state", async () => {
  for (const pasted of ["abc-12345", "Hello, my code is (ABC-12345). Thanks!"]) {
    const { status, shown, text, path } = await lookUp(pasted)
    expect(status).toBe(200)
    expect(shown).toContain(
      "State Valid Your shop says Valid Set by operators – Code abc-12345 Copy Author ada",
    )
    expect(text).toContain("&lt;b&gt;Tide&lt;/b&gt;")
    expect(text).not.toContain("<b>Tide")
    expect(path).not.toContain("12345")
  }
})

test("200: the day a code was last asked for", async () => {
  expect((await lookUp("abc-12345")).shown).toContain("Last checked through the API never")
  await program.app.store.counts.add("2026-06-05T12:00:00Z", { codes: ["abc-12345"] })
  expect((await lookUp("abc-12345")).shown).toContain("Last checked through the API Jun 5, 2026")
})

test("200: says why there is no purchase", async () => {
  expect((await lookUp("abc-99999")).shown).toContain("There is no purchase with this code")
  expect((await lookUp("test-regular")).shown).toContain("This is a test code")
  expect((await lookUp("Case-0001")).shown).toContain("CASE-0001 Copy case-0001 Copy")
  expect((await lookUp(" ")).shown).toContain("Paste a code or an ID first.")
  expect((await lookUp("x".repeat(300))).shown).toContain("too long")
})

test("200: an item by its id", async () => {
  const { status, location } = await lookUp("7")
  expect([status, location]).toEqual([303, "/console/items/7"])
  const { text } = await deniz.get("/console/items/7")
  expect(textOf(text)).toContain("Author ada State Listed Sold 3")
  for (const id of ["8", "x", "9".repeat(30)]) {
    expect((await deniz.get(`/console/purchases/items/${id}`)).status).toBe(404)
  }
})

test("303: a refund is asked for, takes effect at once and is in the audit", async () => {
  const { secret } = await program.issue("ada")
  const validate = async () => {
    const body = new URLSearchParams({ api_key: secret, purchase_code: "abc-12345" })
    const answer = await fetch(`${program.url}/api/purchases/validation`, { method: "POST", body })
    return answer.headers.get("pazar-reason")
  }
  expect(await validate()).toBe("ok")
  const { path } = await lookUp("abc-12345")
  const refund = `${path}/refund`
  expect(textOf((await deniz.get(refund)).text)).toContain("stops validating within a second")
  expect(await validate()).toBe("ok")
  const { status, location } = await deniz.submit(refund, {}, refund)
  expect([status, location]).toEqual([303, `${path}?done=refund`])
  expect(await validate()).toBe("revoked_code")
  const { shown } = await lookUp("abc-12345")
  expect(shown).toContain("State Refunded")
  expect(shown).not.toContain("Mark as refunded")
  // Sent twice: nothing is left to do.
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

test("303: a feed does not take a refund back, an operator does", async () => {
  const sold = purchase("def-12345", 7)
  await program.load([sold])
  const look = async () => {
    const { shown } = await lookUp("def-12345")
    return /State (\w+) Your shop says (\w+) Set by operators (\S+)/.exec(shown)?.slice(1)
  }
  const { path } = await lookUp("def-12345")
  await deniz.submit(`${path}/refund`, {}, `${path}/refund`)
  await program.load([{ ...sold, revoked: true }])
  await program.load([{ ...sold, revoked: false, buyer: "deniz" }])
  expect(await look()).toEqual(["Refunded", "Valid", "Refunded"])
  const takeBack = `${path}/take-back`
  expect(textOf((await deniz.get(path)).text)).toContain("Undo refund")
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
  const rows = textOf((await deniz.get("/console/audit?kind=purchase")).text)
  expect(
    rows.match(/(Refund|Your shop changed|Marked)[\w ]+ Your shop said: (not )?refunded/g),
  ).toEqual([
    "Refund undone Your shop said: not refunded",
    "Your shop changed its word Your shop said: not refunded",
    "Your shop changed its word Your shop said: refunded",
    "Marked as refunded Your shop said: not refunded",
    "Marked as refunded Your shop said: not refunded",
  ])
})

test("303: a refund and its end have notes, which the purchase and the audit show", async () => {
  await program.load([purchase("note-12345", 7)])
  const { path } = await lookUp("note-12345")
  const refund = `${path}/refund`
  expect((await deniz.get(refund)).text).toContain('name="note"')
  const note = `Chargeback <b>#7</b> ${"x".repeat(600)}`
  await queryStore(program, "UPDATE operator_sessions SET confirmed_at = '2026-01-01T00:00:00Z'")
  const refused = await deniz.submit(refund, { note, password: "not the password" }, refund)
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('name="note" type="text" value="Chargeback &lt;b&gt;#7')
  await deniz.submit(refund, { note, password: operatorPassword }, refund)
  await deniz.submit(`${path}/take-back`, { note: " The bank was wrong " }, `${path}/take-back`)
  const { shown, text } = await lookUp("note-12345")
  expect(shown).toContain("Operator \u2068deniz\u2069 127.0.0.0/24 Refund undone")
  expect(shown).toContain("The bank was wrong")
  expect(text).toContain("Chargeback &lt;b&gt;#7&lt;/b&gt; xxx")
  const filter = { accountId: null, kind: "purchase" } as const
  const [back, refunded] = await program.app.store.audit.list(filter, null, 2)
  expect([back?.note, refunded?.note]).toEqual(["The bank was wrong", note.slice(0, 500)])
  // As if another operator had been faster.
  await deniz.submit(`${path}/take-back`, { note: "Paid again" }, `${path}/refund`)
  await deniz.submit(`${path}/take-back`, {}, `${path}/refund`)
  const [again, before] = await program.app.store.audit.list(filter, null, 2)
  expect([again?.note, before?.note]).toEqual(["Paid again", "The bank was wrong"])
  const events = async (query: string) => (await deniz.get(`/console/audit?${query}`)).text
  expect(await events("kind=purchase")).toContain("The bank was wrong")
  // A year is not cut to the days of a chart.
  expect(textOf(await events("from=2025-01-01&to=2025-12-31"))).toContain(
    "Jan 1, 2025 – Dec 31, 2025.",
  )
})

test("200: a purchase has an address of its own, which another operator can open", async () => {
  const { path } = await lookUp("abc-12345")
  const { text } = await deniz.get("/console/purchases?item=7")
  expect(text).toContain(`href="${path}">abc-12345`)
  await addOperator(program, "ece")
  const ece = await openOperator(program.url, "ece")
  expect(textOf((await ece.get(path)).text)).toContain("Code abc-12345 Copy")
  // The page of a pasted text belongs to its session.
  const { path: ofText } = await lookUp("my code: abc-12345")
  const others = [path.replace("/7.", "/8."), `${path}0`, path.replace(/.{16}$/, "f".repeat(16))]
  for (const other of [ofText, `${ofText}/refund`, ...others]) {
    expect((await ece.get(other)).status).toBe(404)
  }
  expect((await ece.submit(`${ofText}/refund`, {}, "/console/purchases")).status).toBe(404)
})

test("303: whose key a pasted one is; the key is neither shown nor kept", async () => {
  const { key, secret } = await program.issue("ada")
  const find = (pasted: string) => deniz.submit("/console/keys", { key: pasted }, "/console/keys")
  const found = await find(`$client = new Client('${secret}');`)
  expect([found.status, found.location]).toEqual([303, `/console/keys/${key.id}`])
  const { status, text } = await deniz.get(found.location ?? "")
  expect(status).toBe(200)
  expect(textOf(text)).toContain("Author ada Key")
  expect(text).not.toContain(secret)
  expect(text).toContain(`/keys/${key.id}/revoke"`)
  for (const [pasted, problem] of [
    ["", "Paste a key first."],
    [secret.slice(0, -1), "No account has this key."],
    [publicTestSecret, "the test key of the documentation"],
  ] as const) {
    const refused = await find(pasted)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(problem)
    if (pasted !== "") expect(refused.text).not.toContain(pasted)
  }
  expect((await deniz.get("/console/keys/key_0")).status).toBe(404)
  expect(program.logged()).not.toContain(secret)
})

test("303: the sites of a purchase are listed, and released at once", async () => {
  const { sites, audit } = program.app.store
  const at = formatTimestamp(program.app.now())
  const sightings = ["a.com", "b.com", "localhost"].map((site) => ({
    code: "CASE-0001",
    site,
    isLimited: false,
  }))
  await sites.note(at, sightings)
  await sites.putLimits(7, { sites: 2, byLicense: {} })
  const { path, shown } = await lookUp("CASE-0001")
  expect(shown).toContain("In use on 2 sites. The limit is 2.")
  expect(shown).toMatch(/ Release a\.com .* Test sites .* Release localhost /)
  const release = (fields: Readonly<Record<string, string>>) =>
    deniz.submit(`${path}/release`, fields, path)
  expect((await release({ site: "a.com" })).location).toBe(`${path}?done=release`)
  expect((await deniz.get(`${path}?done=release`)).text).toContain("The site was released.")
  expect((await release({ all: "yes" })).location).toBe(`${path}?done=release-all`)
  expect(await sites.list("CASE-0001")).toEqual([])
  const events = await audit.list({ accountId: null, kind: "purchase" }, null, 3)
  expect(events.map(({ action, actor, subjectName }) => [action, actor.name, subjectName])).toEqual(
    ["localhost", "b.com", "a.com"].map((site) => ["site_released", "deniz", site]),
  )
  const { text } = await deniz.get("/console/audit?kind=purchase")
  expect(textOf(text)).toContain("Site released a.com CASE-0001")
  expect(textOf((await deniz.get("/console/items/7")).text)).toContain(
    "Sites for each purchase A purchase may be used on 2 sites.",
  )
})

test("403, 404: a form from elsewhere and an unknown note release nothing", async () => {
  const { path } = await lookUp("CASE-0001")
  expect((await deniz.post(`${path}/release`, { all: "yes" })).status).toBe(403)
  const none = path.replace(/[\w-]+$/, "none")
  expect((await deniz.submit(`${none}/release`, { all: "yes" }, path)).status).toBe(404)
})
