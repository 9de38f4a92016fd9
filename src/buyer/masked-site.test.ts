import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { parseSite } from "../purchases/site.ts"
import { maskSite } from "./masked-site.ts"

test.each([
  ["mysite.com", "my•••e.com"],
  ["shop.example.com", "sh•••.ex•••e.com"],
  ["shop.mysite.co.uk", "sh•••.my•••e.co.uk"],
  ["mağaza.com.tr", "ma•••a.com.tr"],
  ["müller-öffnet.de", "mü•••t.de"],
  ["пример.рф", "пр•••р.рф"],
  ["abc.com", "•••.com"],
  ["x.com", "•••.com"],
  ["com.tr", "•••.tr"],
  ["shop-12.example.com", "sh•••12.ex•••e.com"],
  ["client-2001.example.com", "cl•••t001.ex•••e.com"],
  ["24.com", "•••.com"],
  ["intranet.acme-client", "in•••t.ac•••t"],
  ["mysite.photography", "my•••e.ph•••y"],
  ["例え.中国", "•••.中国"],
  ["ada.éß", "•••.•••"],
  ["192.0.2.17", "19•••17"],
  ["[2001:db8::7]", "20•••7"],
  ["nas", "•••"],
  ["machine Ada.local", "ma•••l"],
  ["Ofis Bilgisayarı #2", "Of•••ı2"],
  ["7", "•••"],
])("%s is shown as %s", (entered, masked) => {
  expect(maskSite(parseSite(entered) ?? "")).toBe(masked)
})

test("45 numbered shops look different", () => {
  for (const name of ["shop", "s", "store-", "client-site-"]) {
    const sites = Array.from({ length: 45 }, (_, at) => `${name}${at + 1}.example.com`)
    expect(new Set(sites.map(maskSite)).size).toBe(45)
  }
})

const suffixes = [".com", ".de", ".shop", ".com.tr", ".co.uk"]
const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz")
const middle = fc.stringMatching(/^[a-z0-9]{3,20}$/)

describe("reveals nothing else", () => {
  test("two labels with the same first letters, last letter and number are indistinguishable", () => {
    const hosts = fc.record({
      first: fc.tuple(letter, letter).map((both) => both.join("")),
      last: letter,
      number: fc.constantFrom("", "7", "123"),
      suffix: fc.constantFrom(...suffixes),
      middles: fc.tuple(middle, middle),
    })
    fc.assert(
      fc.property(hosts, ({ first, last, number, suffix, middles }) => {
        const masks = middles.map((each) => maskSite(`${first}${each}${last}${number}${suffix}`))
        const masked = `${first}•••${last}${number}${suffix}`
        expect(masks).toEqual([masked, masked])
      }),
    )
  })

  test("a label shows three letters and three digits at most", () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/)
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
        const masked = maskSite(`${labels.join(".")}.com`).split(".")
        expect(masked.pop()).toBe("com")
        for (const each of masked) expect(each).toMatch(/^([a-z0-9]{2})?•••[a-z0-9]?\d{0,3}$/)
        expect(masked).toHaveLength(labels.length)
      }),
    )
  })

  test("any site is masked, and always the same", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.domain(), fc.ipV6())
    fc.assert(
      fc.property(text, (entered) => {
        const site = parseSite(entered)
        fc.pre(site !== null)
        const masked = maskSite(site)
        expect(masked).toContain("•••")
        expect(masked).not.toContain(site)
        expect(maskSite(site)).toBe(masked)
      }),
    )
  })
})
