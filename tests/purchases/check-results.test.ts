import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import fc from "fast-check"
import { t } from "../../src/platform/t.ts"
import { checkResultTexts } from "../../src/purchases/sale-list.tsx"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { givePassword, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, type Visitor } from "../harness/browser/visitor.ts"
import { propertyRuns } from "../harness/full-test-run.ts"
import type { Program } from "../harness/program.ts"
import { purchase } from "../harness/records.ts"
import { storeText } from "../harness/stores/stored-rows.ts"

const checkPath = "/workspace/elif/check"
const headlineOf = (result: "valid" | "refunded", item: string) =>
  `${t(checkResultTexts[result])} · ${item} · Regular`
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
  elif = await openSignedIn(program.url, "elif")
  token = await elif.formToken()
})

async function check(code: string, visitor = elif): Promise<string> {
  const { status, text } = await visitor.submit(checkPath, { purchase_code: code })
  expect(status).toBe(200)
  return text
}

test("200: the response is the result, and the URL of its sale shows a later refund", async () => {
  await program.load([purchase("sold-just-now", 1001)])
  const text = await check(" SOLD-JUST-NOW ")
  expect(unescapeHtml(text)).toContain(valid)
  expect(text).toContain('value=" SOLD-JUST-NOW "')
  const { location = "" } = await elif.submit("/workspace/elif/search", { q: "sold-just-now" })
  expect(location).toStartWith(`${checkPath}/1001.`)
  expect(location).not.toContain("sold-just-now")
  expect(unescapeHtml((await elif.get(location ?? "")).text)).toContain(valid)
  await program.load([purchase("sold-just-now", 1001, { revoked: true })])
  const later = unescapeHtml((await elif.get(location ?? "")).text)
  expect([
    later.includes(valid),
    later.includes("This purchase was refunded or charged back. The code is invalid."),
  ]).toEqual([false, true])
  const marcus = await openSignedIn(program.url, "marcus")
  for (const path of [location ?? "", (location ?? "").replace(elif.home(), marcus.home())]) {
    expect((await marcus.get(path)).status).toBe(404)
  }
})

test("200: an expired code, with its end; its sale is listed as expired", async () => {
  await program.load([
    purchase("ended", 1001, { valid_until: "2026-02-01T00:00:00Z" }),
    purchase("ends-later", 1001, { valid_until: "2099-02-01T00:00:00Z" }),
  ])
  const text = unescapeHtml(await check("ended"))
  expect(text).toContain("The subscription ended. The code is invalid until the buyer renews it.")
  expect(text).toContain("Feb 1, 2026")
  const later = unescapeHtml(await check("ends-later"))
  expect([later.includes(valid), later.includes("Feb 1, 2099")]).toEqual([true, true])
  const { text: list } = await elif.submit("/workspace/elif/sales", { q: "ended" })
  expect(list).toContain("Expired")
})

test("200: an empty or too long code is an error beside the field", async () => {
  const texts: string[] = []
  for (const code of ["", "  ", "x".repeat(300), "x".repeat(30_000)]) {
    texts.push(unescapeHtml(await check(code)))
  }
  const errors = texts.map((text) => /<p class="error"[^>]*>(.*?)<\/p>/.exec(text)?.[1])
  expect(errors).toEqual([
    "Paste a code first.",
    "Paste a code first.",
    "This is too long to be a purchase code.",
    "This is too long to be a purchase code.",
  ])
})

test("200: any text leads to a result, which is not stored", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", minLength: 8, maxLength: 300 }), async (text) => {
      const sent = await elif.post(checkPath, { form_token: token, purchase_code: text })
      expect([sent.status, sent.location]).toEqual([200, null])
    }),
    { numRuns: propertyRuns(60) },
  )
  await check("a-code-nobody-may-read")
  expect(await storeText(program)).not.toContain("a-code-nobody-may-read")
  expect(program.logged()).not.toContain("a-code-nobody-may-read")
})

test("200: an unknown code is reported", async () => {
  expect(unescapeHtml(await check("no-such-code"))).toContain(
    "No purchase of your items has this code. If you pasted a message, paste only the code. Or ask the buyer to copy it again from the order e-mail.",
  )
})

async function resultOf(pasted: string) {
  const text = await check(pasted)
  const page = unescapeHtml(text)
  const [, title] = /<title>(.*?) · Pazar<\/title>/.exec(page) ?? []
  const [, headline] = /id="result"><h2>(.*?)<\/h2>/.exec(page) ?? []
  expect(title).toBe(headline ?? "")
  return { text, page, headline }
}

const sold = "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21"
const refunded = "aab32389-22bc-425a-af60-6eb525ffdc56"
const codeOfMarcus = "c74d97b0-1eae-457e-84aa-9d5bade97baf"

test("200: a refunded code shows its item and date to its author", async () => {
  const { headline, page } = await resultOf(refunded)
  expect(headline).toBe(headlineOf("refunded", "Fatura"))
  expect(page).toContain("This purchase was refunded or charged back. The code is invalid.")
  expect(page).toContain('<time datetime="2026-04-01T09:09:09Z"')
})

test("200: every result includes the response of the API", async () => {
  const responses: unknown[] = []
  for (const code of [sold, refunded, "no-such-code", "test-regular"]) {
    const [, json = "{}"] = /<code>(\{.*?)<\/code>/s.exec((await resultOf(code)).text) ?? []
    responses.push(JSON.parse(unescapeHtml(json)))
  }
  const { secret } = await program.issue("elif", "vk")
  const validate = async (purchase_code: string) => {
    const body = new URLSearchParams({ api_key: secret, purchase_code })
    const response = await fetch(`${program.url}/api/purchases/validation`, {
      method: "POST",
      body,
    })
    return response.json()
  }
  expect(responses).toEqual([
    ...[
      await validate(sold),
      await validate(refunded),
      await validate("no-such-code"),
      await validate("test-regular"),
    ],
  ])
})

test("200: the buyer is shown if the marketplace provided one, and never returned by the API", async () => {
  await program.load([{ ...purchase("bought-by-ada", 1001), buyer: "Ada <b>" }])
  const { text, page } = await resultOf("bought-by-ada")
  expect(text).toContain("</dt><dd><bdi>Ada &lt;b&gt;</bdi></dd>")
  expect(page).toContain(`<dt>Buyer</dt><dd><bdi>Ada`)
  expect(text.split("<pre")[1]).not.toContain("Ada")
})

test("200: the whole text is tried first: a code that contains another one is found as itself", async () => {
  const longer = `gift ${sold}`
  expect((await resultOf(longer)).headline).toBe(headlineOf("valid", "Anadolu"))
  await program.load([purchase(longer, 1002)])
  const { headline, page } = await resultOf(longer)
  expect(headline).toBe(headlineOf("valid", "Boğaziçi Admin"))
  expect(page).not.toContain("Found in the text that you pasted.")
  await program.load([purchase(longer, 1002, { revoked: true })])
  expect((await resultOf(longer)).headline).toBe(headlineOf("refunded", "Boğaziçi Admin"))
})

test("200: another author's code inside a text is unknown", async () => {
  expect((await resultOf(`my code is ${codeOfMarcus} thanks`)).headline).toBe("Unknown code")
})
