import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { isTestSite, parseSite } from "./site.ts"

describe("all formats of a site have one normal form", () => {
  const spellings: readonly (readonly [site: string, ...spellings: readonly string[]])[] = [
    [
      "example.com",
      "https://example.com",
      "http://www.Example.com:8080/blog/?a=b#c",
      "//example.com/",
      "EXAMPLE.COM.",
      "example.com:443",
      "www.example.com/wp-admin",
      "https://user:secret@example.com/",
      "https://user:secret@home@example.com/",
      "http:/example.com/",
      "example.com/\u2028",
      " \u200bexample.com\u00a0",
      "ftp://example.com..",
      "www.www.example.com",
      "ｅｘａｍｐｌｅ.com",
    ],
    ["xn--mnchen-3ya.example.org", "MÜNCHEN.example.org", "https://xn--mnchen-3ya.example.org/"],
    ["xn--fsqu00a.xn--0zwm56d", "例子.测试", "例子。测试"],
    ["192.0.2.7", "http://192.0.2.7:8080/", "192.0.2.7."],
    ["[2001:db8::1]", "2001:DB8:0::1", "http://[2001:db8::1]:80/"],
    ["www.com", "https://www.com/"],
    ["localhost", "http://localhost:3000", "LOCALHOST"],
  ]
  test.each(spellings.map((all) => [all[0], all] as const))("%s", (site, all) => {
    expect(all.map(parseSite)).toEqual(all.map(() => site))
  })
})

test.each([
  "Elif's PC",
  "C:\\Shop",
  "12345",
  "0x7f.1",
  "me@example.com",
  "a b.com",
  "server.5",
  "a:b",
  "file:///C:/Shop",
])("any other text is trimmed only: %j", (text) => expect(parseSite(`  ${text} `)).toBe(text))

const unusable = [
  ...[null, 7, true, {}, [], "", " \u200b ", "a\nb", "a\0", "\ud800"],
  ...["a".repeat(256), `${"ü".repeat(250)}.com`, "https://", "http://:80/", "http://a.com:port/"],
  ...[".", "..", "<script>", "https:///x", "#", "//"],
]
test.each(unusable.map((value) => [value] as const))("not a site: %j", (value) =>
  expect(parseSite(value)).toBeNull(),
)

test("the normal form of any text is idempotent, short and storable", () => {
  const label = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/)
  const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."))
  const pieces = fc.constantFrom(
    "www.",
    ".",
    "https://",
    ":80",
    "/",
    "[",
    "]",
    "@",
    "İ",
    "ß",
    "xn--",
    "%41",
    "0x",
  )
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.webUrl(),
    fc.ipV4Extended(),
    fc.ipV6(),
    fc
      .array(fc.oneof(host, pieces, fc.string({ maxLength: 3 })), { maxLength: 5 })
      .map((all) => all.join("")),
  )
  fc.assert(
    fc.property(text, (sent) => {
      const site = parseSite(sent)
      if (site === null) return
      expect(parseSite(site)).toBe(site)
      expect([...site].length).toBeLessThanOrEqual(255)
      expect(site.isWellFormed() && !site.includes("\0")).toBe(true)
    }),
    { numRuns: propertyRuns(1_000) },
  )
})

test("scheme, www, port, path, case and a trailing dot do not matter", () => {
  const host = fc.domain()
  fc.assert(
    fc.property(host, fc.nat(65_535), fc.webPath(), (name, port, path) => {
      const site = parseSite(name)
      const same = [
        `https://${name}`,
        `www.${name}`,
        `${name}:${port}`,
        `${name}${path}`,
        name.toUpperCase(),
        `${name}.`,
      ]
      expect(same.map(parseSite)).toEqual(same.map(() => site))
    }),
  )
})

const testSites = [
  ...[
    "localhost",
    "http://127.0.0.1:8000",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.5",
    "169.254.0.1",
    "100.64.0.1",
  ],
  ...["::1", "[::]", "fd00::1", "fe80::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1"],
  ...[
    "shop",
    "my-pc",
    "shop.test",
    "shop.example",
    "x.invalid",
    "a.localhost",
    "nas.local",
    "a.internal",
    "b.lan",
  ],
  ...[
    "router.home.arpa",
    "dev.shop.com",
    "staging.shop.com",
    "test.shop.com",
    "beta.shop.com",
    "staging2.shop.com",
  ],
  ...["abc.ngrok-free.app", "shop.kinsta.cloud", "shop.lndo.site"],
]
const productionSites = [
  ...[
    "shop.com",
    "machine Ada.local",
    "machine 7 of build.lan",
    "www.shop.com",
    "testing-tools.com",
    "devshop.com",
    "contest.shop.com",
    "8.8.8.8",
    "172.32.0.1",
  ],
  ...[
    "100.128.0.1",
    "2001:db8::1",
    "::ffff:8.8.8.8",
    "10.shop.com",
    "Elif's PC",
    "mykinsta.cloud.com",
    "example.com",
  ],
]
test.each(testSites)("a test site: %s", (site) =>
  expect(isTestSite(parseSite(site) ?? "")).toBe(true),
)
test.each(productionSites)("not a test site: %s", (site) =>
  expect(isTestSite(parseSite(site) ?? "")).toBe(false),
)
