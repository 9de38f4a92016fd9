import { afterAll, beforeAll, expect, test } from "bun:test"
import { t } from "../../src/platform/t.ts"
import { checkResultTexts } from "../../src/purchases/sale-list.tsx"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { startQuietWorkspace } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, type Visitor } from "../harness/browser/visitor.ts"
import type { Program } from "../harness/program.ts"
import { purchase } from "../harness/records.ts"

const headlineOf = (result: "valid" | "refunded", item: string) =>
  `${t(checkResultTexts[result])} · ${item} · Regular`
const checkPath = "/workspace/elif/check"
let program: Program
let elif: Visitor
beforeAll(async () => {
  program = await startQuietWorkspace()
  elif = await openSignedIn(program.url, "elif")
})
afterAll(() => program.close())

async function check(pasted: string): Promise<string> {
  return (await elif.submit(checkPath, { purchase_code: pasted })).text
}

async function resultOf(pasted: string) {
  const text = unescapeHtml(await check(pasted))
  const [, headline] = /id="result"><h2>(.*?)<\/h2>/.exec(text) ?? []
  return { text, headline }
}

const sold = "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21"
const soldToo = "c9f0f895-fb98-4b91-8a7d-2f1e5b6c4d90"
const refunded = "aab32389-22bc-425a-af60-6eb525ffdc56"
const codeOfMarcus = "c74d97b0-1eae-457e-84aa-9d5bade97baf"

test("200: a sale whose support has ended is valid, with the end date", async () => {
  const { headline, text } = await resultOf("45c48cce-2e2d-4f3a-9c1b-7a8d9e0f1b2c")
  expect(headline).toBe(headlineOf("valid", "Boğaziçi Admin"))
  expect(text).toContain(`<p>${t("Support ended {day}", { day: "Jan 15, 2025" })}</p>`)
  expect((await resultOf(sold)).text).not.toContain('<p class="notice warning">')
})

test("200: a code is found inside a message", async () => {
  for (const message of [
    `Hi, my code is ${sold.toUpperCase()} thanks`,
    `Merhaba,\r\n\r\nkodum: "${sold}".\r\n\r\nTeşekkürler`,
    `${"A long story. ".repeat(200)}${sold.replaceAll("-", "–")}!`,
  ]) {
    const { headline, text } = await resultOf(message)
    expect(headline).toBe(headlineOf("valid", "Anadolu"))
    expect(text).toContain("Found in the text that you pasted.")
    expect(text).toContain(`<dd><span class="mono">${sold}</span>`)
  }
})

test("200: the first of several codes in a text is shown, and the others are named", async () => {
  const { headline, text } = await resultOf(`${codeOfMarcus}, ${refunded} and ${sold}, ${soldToo}`)
  expect(headline).toBe(headlineOf("refunded", "Fatura"))
  const copied = [
    ...text.matchAll(/<span class="mono">([^<]*)<\/span> <button [^>]*data-copy-before/g),
  ]
  expect(copied.map(([, code]) => code)).toEqual([sold, soldToo, refunded])
  expect(text).not.toContain("Northlight")
})

test("200: a part of a longer word is not a code", async () => {
  for (const text of [`${sold}-1`, `x${sold}`, `${sold}/${soldToo}`]) {
    expect((await resultOf(`my code is ${text} thanks`)).headline).toBe("Unknown code")
  }
})

test("200: a test code is described as valid with test keys only", async () => {
  for (const code of ["test-regular", " TEST-REVOKED ", "test-unknown", "test-rate-limited"]) {
    const { headline, text } = await resultOf(code)
    expect(headline).toBe("Test code")
    expect(text).toContain("It works with test keys only. No buyer has this code.")
  }
  await program.load([purchase("test-extended", 1001)])
  expect((await resultOf("test-extended")).headline).toBe(headlineOf("valid", "Anadolu"))
})

test("the field has the focus, on the empty form and beside a result", async () => {
  const pages = [(await elif.get(checkPath)).text, await check(sold)]
  const fields = pages.map((text) => /<input id="purchase_code"[^>]*>/.exec(text)?.[0] ?? "")
  expect(fields.map((field) => field.includes("autofocus"))).toEqual([true, true])
  expect(fields.map((field) => field.includes('aria-describedby="result"'))).toEqual([false, true])
})
