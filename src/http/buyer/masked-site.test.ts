import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { parseSite } from "../../domain/catalog/site.ts"
import { maskSite } from "./masked-site.ts"

test.each([
  ["mysite.com", "m•••e.com"],
  ["shop.mysite.co.uk", "s•••e.co.uk"],
  ["mağaza.com.tr", "m•••a.com.tr"],
  ["müller-öffnet.de", "m•••t.de"],
  ["пример.рф", "п•••р.рф"],
  ["ab.com", "a•••b.com"],
  ["x.com", "•••.com"],
  ["com.tr", "c•••m.tr"],
  ["intranet.acme-client", "i•••t"],
  ["mysite.photography", "m•••y"],
  ["例え.中国", "例•••え.中国"],
  ["ada.éß", "a•••ß"],
  ["ada.𝐀¿", "a•••a"],
  ["192.0.2.17", "1•••7"],
  ["[2001:db8::7]", "2•••7"],
  ["nas", "n•••s"],
  ["machine Ada.local", "m•••l"],
  ["Ofis Bilgisayarı #2", "O•••2"],
  ["7", "•••"],
])("%s is shown as %s", (entered, masked) => {
  expect(maskSite(parseSite(entered) ?? "")).toBe(masked)
})

const suffixes = [".com", ".de", ".shop", ".com.tr", ".co.uk"]
const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789")
const middle = fc.stringMatching(/^(?:[a-z0-9]{1,9}[.-]){0,3}[a-z0-9]{1,9}$/)

describe("reveals nothing else", () => {
  test("two hosts with the same first and last letter and suffix are indistinguishable", () => {
    const hosts = fc.record({
      first: letter,
      last: letter,
      suffix: fc.constantFrom(...suffixes),
      middles: fc.tuple(middle, middle),
    })
    fc.assert(
      fc.property(hosts, ({ first, last, suffix, middles }) => {
        const masks = middles.map((each) => maskSite(`${first}${each}${last}${suffix}`))
        expect(masks).toEqual([`${first}•••${last}${suffix}`, `${first}•••${last}${suffix}`])
      }),
    )
  })

  test("any site shows two letters at most besides the suffix, never its name, and always the same", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.domain(), fc.ipV6())
    fc.assert(
      fc.property(text, (entered) => {
        const site = parseSite(entered)
        fc.pre(site !== null)
        const masked = maskSite(site)
        const [shown = "", end = ""] = masked.split(/(?<=•••.?)(?=\.)/u)
        expect([...shown.replace("•••", "")].length).toBeLessThanOrEqual(2)
        expect(end).toMatch(/^(?:(?:\.[a-z]{2,8}){1,2}|\.k12\.[a-z]{2}|\.[^.a-z]{2,3})?$/u)
        expect(masked).not.toContain(site)
        expect(maskSite(site)).toBe(masked)
      }),
    )
  })
})
