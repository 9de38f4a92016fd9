import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { createPazar } from "../../sdk/src/index.ts"
import { isStorablePurchaseCode } from "../../src/purchases/purchase.ts"
import { propertyRuns } from "../harness/full-test-run.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import { type Marketplace, openMarketplace } from "../harness/marketplace.ts"
import { purchase } from "../harness/records.ts"

const code = "eff1ce00-c0de-4bad-8a5e-5eff0ff1ce00"
let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace()
  const { rejected } = await market.load([
    purchase(code, 11),
    purchase("AbC", 11),
    purchase("abc", 12),
    purchase("KIRMIZI-i", 11),
    purchase("iki kelime", 11),
  ])
  expect(rejected).toBe(0)
})
afterAll(() => market.close())

async function validate(pasted: string): Promise<string | null> {
  const pazar = createPazar({
    baseUrl: market.url,
    key: market.keys.secret,
    fetch: openapiFetch,
  })
  const { state, reason, purchase: found } = await pazar.check(pasted)
  if (state === "unknown") throw new Error(reason)
  return found?.purchase_code ?? null
}

describe("200: the stored code is returned for every notation", () => {
  const pasted = [
    ["as it is", code],
    ["with blanks and a line break", `\u00a0\t ${code}\r\n`],
    ["with a ligature", code.replaceAll("ff", "\ufb00")],
    ["with zero-width characters", code.split("").join("\u200b")],
    ["with soft hyphens and direction marks", `\u202a${code.replace("-", "\u00ad-")}\u202c`],
    ["with en dashes", code.replaceAll("-", "–")],
    [
      "with every kind of dash",
      ["‐", "‑", "−", "﹘"].reduce((text, dash) => text.replace("-", dash), code),
    ],
    ["in upper case", code.toUpperCase()],
    [
      "in full-width characters",
      code.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
    ],
  ] as const
  test.each(pasted)("%s", async (_, text) => expect(await validate(text)).toBe(code))
})

test("the exact code takes precedence over one that differs in case; two inexact matches are ambiguous", async () => {
  expect(await validate("AbC")).toBe("AbC")
  expect(await validate("abc")).toBe("abc")
  expect(await validate("ABC")).toBeNull()
})

test("only ASCII letters are case-insensitive: the Turkish dotless i is another letter", async () => {
  expect(await validate("kirmizi-I")).toBe("KIRMIZI-i")
  expect(await validate("kırmızı-i")).toBeNull()
  expect(await validate("KİRMİZİ-i")).toBeNull()
})

test("whitespace inside a code is significant", async () => {
  expect(await validate("iki\u00a0kelime")).toBe("iki kelime")
  expect(await validate("ikikelime")).toBeNull()
})

test("two distinct stored codes are never mistaken for each other", async () => {
  const storable = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom("a", "A", "i", "I", "ı", "İ", "k", "\u212a", "-", "ß", "é"),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      ),
      minLength: 1,
      maxLength: 12,
    })
    .map((text) => `p-${text}`)
    .filter(isStorablePurchaseCode)
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(storable, { minLength: 2, maxLength: 6 }), async (codes) => {
      const loaded = await market.load(codes.map((each) => purchase(each, 11)))
      expect(loaded.rejectedLines).toEqual([])
      for (const each of codes) expect(await validate(each)).toBe(each)
      await market.load(
        codes.map((each) => ({ type: "purchase", purchase_code: each, deleted: true })),
      )
    }),
    { numRuns: propertyRuns(60) },
  )
})
