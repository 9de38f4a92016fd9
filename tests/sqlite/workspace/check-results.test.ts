/** The result of a check belongs to its session, and its address has no code. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import fc from "fast-check"
import { catalogues } from "../../../src/http/pages/view.ts"
import { requireAccount } from "../../../src/operations/catalogue/accounts.ts"
import { purchase } from "../../contracts/records.ts"
import { unescapeHtml } from "../../harness/browser/docs-page.ts"
import { givePassword, startSampleWorkspace } from "../../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor } from "../../harness/browser/visitor.ts"
import type { Program } from "../../harness/program.ts"
import { queryStore, storeText } from "../../harness/stores/stored-rows.ts"
import { runs } from "../../harness/tier.ts"

const checkPath = "/workspace/check"
const { check: words, columns } = catalogues.en
const { results } = words
const headlineOf = (result: "valid" | "refunded", item: string) =>
  `${results[result]} · ${item} · ${words.licences.Regular}`
const valid = `<h2>${headlineOf("valid", "Anadolu")}</h2>`

let program: Program
let elif: Visitor
let token: string
beforeAll(async () => {
  program = await startSampleWorkspace()
  await givePassword(program, "marcus")
})
afterAll(() => program.close())
beforeEach(async () => {
  elif = openVisitor(program.url)
  await elif.signIn("elif")
  token = await elif.formToken()
})

async function check(code: string, visitor = elif): Promise<string> {
  const sent = await visitor.submit(checkPath, { purchase_code: code })
  expect(sent.status).toBe(303)
  return sent.location ?? ""
}

test("303: to an address without the code, which shows the result every time", async () => {
  await program.load([purchase("sold-just-now", 1001)])
  const place = await check(" SOLD-JUST-NOW ")
  expect(place).toMatch(/^\/workspace\/check\/[\w-]{43}$/)
  const pages = [await elif.get(place), await elif.get(place)]
  for (const { status, text } of pages) {
    expect(status).toBe(200)
    expect(unescapeHtml(text)).toContain(valid)
    expect(text).toContain('value=" SOLD-JUST-NOW "')
  }
})

test("200: the store is asked again each time: a refund shows after a reload", async () => {
  await program.load([purchase("refunded-later", 1001)])
  const place = await check("refunded-later")
  expect(unescapeHtml((await elif.get(place)).text)).toContain(valid)
  await program.load([purchase("refunded-later", 1001, { revoked: true })])
  const text = unescapeHtml((await elif.get(place)).text)
  expect([text.includes(valid), text.includes(words.explanations.refunded)]).toEqual([false, true])
})

test("200: an empty or too long code is an error beside the field", async () => {
  const texts: string[] = []
  for (const code of ["", "  ", "x".repeat(300), "x".repeat(30_000)]) {
    texts.push(unescapeHtml((await elif.get(await check(code))).text))
  }
  const said = texts.map((text) => /<p class="error"[^>]*>(.*?)<\/p>/.exec(text)?.[1])
  const { blank, invalid } = words.problems
  expect(said).toEqual([blank, blank, invalid, invalid])
})

test("404: another session's check, another author's and an unknown one are the same page", async () => {
  const place = await check("no-such-code")
  const elsewhere = openVisitor(program.url)
  await elsewhere.signIn("elif")
  const marcus = openVisitor(program.url)
  await marcus.signIn("marcus")
  expect((await elif.get(place)).status).toBe(200)
  for (const visitor of [elsewhere, marcus]) {
    const [theirs, none] = [await visitor.get(place), await visitor.get(`${checkPath}/none`)]
    const bare = (text: string) => text.replaceAll(/value="[^"]*"/g, "")
    expect([theirs.status, bare(theirs.text)]).toEqual([404, bare(none.text)])
  }
})

test("404: a check ends with its session", async () => {
  const place = await check("no-such-code")
  await elif.submit("/logout")
  await elif.signIn("elif")
  expect((await elif.get(place)).status).toBe(404)
})

test("a session keeps its last ten checks", async () => {
  const places: string[] = []
  for (let count = 0; count < 12; count += 1) places.push(await check(`code-${count}`))
  const statuses = await Promise.all(places.map(async (place) => (await elif.get(place)).status))
  expect(statuses).toEqual([404, 404, ...places.slice(2).map(() => 200)])
})

test("the pasted text is sealed in the store, bound to its session", async () => {
  const place = await check("a-code-nobody-may-read")
  expect(await storeText(program)).not.toContain("a-code-nobody-may-read")
  const other = openVisitor(program.url)
  await other.signIn("elif")
  const { id: accountId } = await requireAccount(program.app.store.accounts, "elif")
  const sessions = await program.app.store.sessions.list(accountId)
  const noteId = place.split("/").at(-1) ?? ""
  const isHere = await queryStore<{ session_id: string }>(
    program,
    "SELECT session_id FROM session_notes WHERE id = ?",
    noteId,
  )
  const stolen = sessions.find(({ id }) => id !== isHere[0]?.session_id)?.id ?? ""
  await queryStore(program, "UPDATE session_notes SET session_id = ? WHERE id = ?", stolen, noteId)
  const answers = [await elif.get(place), await other.get(place)]
  expect(answers.map(({ status }) => status).filter((status) => status === 200)).toEqual([])
})

test("303: any text leads to a result, and never appears in the address", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", minLength: 8, maxLength: 300 }), async (text) => {
      const sent = await elif.post(checkPath, { form_token: token, purchase_code: text })
      expect(sent.location).toMatch(/^\/workspace\/check\/[\w-]{43}$/)
      expect((await elif.get(sent.location ?? "")).status).toBe(200)
    }),
    { numRuns: runs(60) },
  )
})

test("200: an unknown code says so", async () => {
  const { text } = await elif.get(await check("no-such-code"))
  expect(unescapeHtml(text)).toContain(words.explanations.unknown)
})

/** The result, the title of the page, and what else is said above the facts. */
async function resultOf(pasted: string) {
  const { text } = await elif.get(await check(pasted))
  const page = unescapeHtml(text)
  const [, title] = /<title>(.*?) · Pazar<\/title>/.exec(page) ?? []
  const [, headline] = /id="result"><h2>(.*?)<\/h2>/.exec(page) ?? []
  expect(title).toBe(headline ?? "")
  return { text, page, headline }
}

const sold = "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21"
const refunded = "aab32389-22bc-425a-af60-6eb525ffdc56"
const ofMarcus = "c74d97b0-1eae-457e-84aa-9d5bade97baf"

test("200: a refunded code shows its item and date to its author", async () => {
  const { headline, page } = await resultOf(refunded)
  expect(headline).toBe(headlineOf("refunded", "Fatura"))
  expect(page).toContain(words.explanations.refunded)
  expect(page).toContain('<time datetime="2026-04-01T09:09:09Z"')
  expect(page).not.toContain(`<dt>${words.support}</dt>`)
})

test("200: the answer of the API is there for every result", async () => {
  const answers: unknown[] = []
  for (const code of [sold, refunded, "no-such-code", "test-regular"]) {
    const [, json = "{}"] = /<code>(\{.*?)<\/code>/s.exec((await resultOf(code)).text) ?? []
    answers.push(JSON.parse(unescapeHtml(json)))
  }
  const { secret } = await program.issue("elif", "vk")
  const ask = async (purchase_code: string) => {
    const body = new URLSearchParams({ api_key: secret, purchase_code })
    const answer = await fetch(`${program.url}/api/purchases/validation`, { method: "POST", body })
    return answer.json()
  }
  expect(answers).toEqual([
    ...[await ask(sold), await ask(refunded), await ask("no-such-code"), await ask("test-regular")],
  ])
})

test("200: the buyer is named where the marketplace told it, and never by the API", async () => {
  await program.load([{ ...purchase("bought-by-ada", 1001), buyer: "Ada <b>" }])
  const { text, page } = await resultOf("bought-by-ada")
  expect(text).toContain("</dt><dd><bdi>Ada &lt;b&gt;</bdi></dd>")
  expect(page).toContain(`<dt>${columns.buyer}</dt><dd><bdi>Ada`)
  expect(text.split("<pre")[1]).not.toContain("Ada")
  expect((await resultOf(sold)).page).not.toContain(`<dt>${columns.buyer}</dt>`)
})

test("200: the whole text comes first: a code that holds another one is itself", async () => {
  const longer = `gift ${sold}`
  expect((await resultOf(longer)).headline).toBe(headlineOf("valid", "Anadolu"))
  await program.load([purchase(longer, 1002)])
  const { headline, page } = await resultOf(longer)
  expect(headline).toBe(headlineOf("valid", "Boğaziçi Admin"))
  expect(page).not.toContain(words.inText)
  await program.load([purchase(longer, 1002, { revoked: true })])
  expect((await resultOf(longer)).headline).toBe(headlineOf("refunded", "Boğaziçi Admin"))
})

test("200: a code of another author inside a text is unknown", async () => {
  expect((await resultOf(`my code is ${ofMarcus} thanks`)).headline).toBe(results.unknown)
})

test("200: the session's checks are on the page, newest first, each with its result", async () => {
  const places: string[] = []
  for (const pasted of [sold, "", `is ${refunded} yours?`, ofMarcus])
    places.push(await check(pasted))
  const text = unescapeHtml((await elif.get(checkPath)).text)
  const table = text.slice(text.indexOf("<tbody>"))
  const rows = [...table.matchAll(/<tr>.*?href="([^"]*)".*?>([^<]+)<\/a>.*?class="pill.*?>(.*?)</g)]
  expect(rows.map(([, place, code, result]) => [place, code, result])).toEqual([
    [places[3], ofMarcus, results.unknown],
    [places[2], refunded, results.refunded],
    [places[0], sold, results.valid],
  ])
  const marcus = openVisitor(program.url)
  await marcus.signIn("marcus")
  expect((await marcus.get(checkPath)).text).not.toContain("<tbody>")
})
