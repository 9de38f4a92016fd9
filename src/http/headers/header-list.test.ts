import { expect, test } from "bun:test"
import fc from "fast-check"
import { acceptsGzip } from "../api/answer/compression.ts"
import { matchesTag } from "../api/answer/entity-tag.ts"
import { negotiateLocale } from "../api/answer/locale.ts"
import { splitHeader } from "./header-list.ts"

test("15 KB of commas are 256 entries", () => {
  expect(splitHeader(",".repeat(15_000))).toHaveLength(256)
})

test("a list is split at its commas, and a long one after its last whole entry within 256 letters", () => {
  const entry = fc.string({ minLength: 0, maxLength: 100 }).map((text) => text.replaceAll(",", ""))
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (entries) => {
      const header = entries.join(",")
      const whole = entries.filter((_, at) => entries.slice(0, at + 1).join(",").length < 256)
      expect(splitHeader(header)).toEqual(header.length <= 256 ? entries : whole)
    }),
    { numRuns: 1_000 },
  )
})

const far = `${"x,".repeat(128)}`
test("nothing beyond that is looked at", () => {
  expect(negotiateLocale(`tr,${far}`, "en")).toBe("tr")
  expect(negotiateLocale(`${far}tr`, "en")).toBe("en")
  expect(acceptsGzip(`gzip,${far}`)).toBe(true)
  expect(acceptsGzip(`${far}gzip`)).toBe(false)
  expect(matchesTag(`"a",${far}`, '"a"')).toBe(true)
  expect(matchesTag(`${far}"a"`, '"a"')).toBe(false)
})
