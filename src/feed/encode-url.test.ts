import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { InvalidRecord, url } from "../platform/schema.ts"
import { trimWhitespace } from "../platform/text.ts"
import { encodeUrl } from "./normalize-record.ts"

describe("is encoded:", () => {
  test.each([
    ["a space", "https://a.example/my pic.png", "https://a.example/my%20pic.png"],
    ["a letter", "https://a.example/ü?q=ı#ş", "https://a.example/%C3%BC?q=%C4%B1#%C5%9F"],
    ["a pair of surrogates", "https://a.example/😀", "https://a.example/%F0%9F%98%80"],
    ["a no-break space", "https://a.example/a\u00a0b", "https://a.example/a%C2%A0b"],
    ["in a path", 'https://a.example/"<>^`{}', "https://a.example/%22%3C%3E%5E%60%7B%7D"],
    ["in a query", 'https://a.example/?"<>^`{} ', "https://a.example/?%22%3C%3E^`{}"],
    ["a host", "https://münchen.example:8443/a b", "https://xn--mnchen-3ya.example:8443/a%20b"],
    ["surrounding whitespace", "\ufeff https://a.example/\u00a0\n", "https://a.example/"],
    ["a broken line", "https://a.example/a\r\n\tb", "https://a.example/ab"],
    ["a lone percent sign stays", "https://a.example/100% x", "https://a.example/100%%20x"],
    ["dots and a missing slash stay", "HTTPS://A.example/../ü", "HTTPS://A.example/../%C3%BC"],
  ])("%s", (_, url, encoded) => {
    expect(encodeUrl(url)).toBe(encoded)
  })
})

describe("stays unchanged:", () => {
  test.each([
    "",
    "https://a.example/%20?a=b#c",
    "https://my shop.example/",
    "https:// a.example/",
    "https:///ü",
    "//a.example/ü",
    "/ü.png",
    "mailto:ü@a.example",
    "javascript:alert('ü')",
    "https://a.example/\ud800",
    "https://a.example/\0",
  ])("%j", (url) => {
    expect(encodeUrl(url)).toBe(url)
  })
})

const characters = fc.oneof(
  fc.constantFrom(...' \t\n"<>^`{}|%\\?#/@:[].', "ü", "😀", "\u2028", "\u00a0", "%20"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
)
const address = fc
  .tuple(
    fc.constantFrom(
      "https://a.example/",
      "http://çiçek.example/",
      "https://a.example",
      "https://",
      "",
    ),
    fc.string({ unit: characters, maxLength: 12 }),
  )
  .map((parts) => parts.join(""))

const isTaken = (text: string) => {
  try {
    return url(text, "link") === text
  } catch (error) {
    if (error instanceof InvalidRecord) return false
    throw error
  }
}

test("any URL that a browser opens is accepted, leads there, and is fully encoded", () => {
  let encoded = 0
  fc.assert(
    fc.property(address, (text) => {
      const result = encodeUrl(text)
      expect(encodeUrl(result)).toBe(result)
      if (result === text) return
      encoded += 1
      expect(result).toMatch(/^[!-~]*$/)
      expect(isTaken(result)).toBe(true)
      // A browser would remove a control character at the end.
      const opened = trimWhitespace(text)
      if (/[^\p{Cc}]$/u.test(opened)) expect(URL.parse(result)?.href).toBe(URL.parse(opened)?.href)
    }),
    { numRuns: propertyRuns(5_000) },
  )
  expect(encoded).toBeGreaterThan(propertyRuns(500))
})

test("a space after the host never rejects a link", () => {
  const path = fc.string({ unit: characters, maxLength: 12 }).filter((any) => any.isWellFormed())
  fc.assert(
    fc.property(path, (any) => {
      expect(isTaken(encodeUrl(`https://a.example/${any.replaceAll("\0", "")} x`))).toBe(true)
    }),
    { numRuns: propertyRuns(2_000) },
  )
})
