import { expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../../tests/harness/full-test-run.ts"
import { findCurrentTag } from "./compression.ts"
import { negotiateLocale } from "./locale.ts"
import { acceptsGzip, findContentLength, splitHeader } from "./request-head.ts"

test.each([
  ["0", 0],
  ["05", 5],
  ["65536", 65_536],
  ["999999999999999", 999_999_999_999_999],
])("%s is a length", (text, length) => {
  expect(findContentLength(text)).toBe(length)
})

test.each([
  ...[
    "",
    " ",
    "5, 5",
    "5,5",
    "+5",
    "-5",
    "0x5",
    "5e1",
    "5.0",
    "٥",
    "NaN",
    "Infinity",
    "5 5",
    "5\n",
  ],
  "9".repeat(16),
])("%j is not a length", (text) => {
  expect(findContentLength(text)).toBeNull()
})

const piece = fc.constantFrom(
  ..."0123456789",
  ...["+", "-", ",", " ", "x", "e", ".", "\t", "\n", "٥"],
)
test("a length is an exact, non-negative integer of digits only", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join("")),
      ),
      (text) => {
        const length = findContentLength(text)
        const isPlain = text !== "" && [...text].every((letter) => "0123456789".includes(letter))
        if (length === null) expect(isPlain && text.length <= 15).toBe(false)
        else {
          expect(isPlain).toBe(true)
          expect(BigInt(length)).toBe(BigInt(text))
        }
      },
    ),
    { numRuns: propertyRuns(2_000) },
  )
})

test("15 KB of commas are 256 entries", () => {
  expect(splitHeader(",".repeat(15_000))).toHaveLength(256)
})

test("a list is split at its commas, and a long one is truncated after its last complete entry within 256 characters", () => {
  const entry = fc.string({ minLength: 0, maxLength: 100 }).map((text) => text.replaceAll(",", ""))
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (entries) => {
      const header = entries.join(",")
      const whole = entries.filter((_, at) => entries.slice(0, at + 1).join(",").length < 256)
      expect(splitHeader(header)).toEqual(header.length <= 256 ? entries : whole)
    }),
    { numRuns: propertyRuns(1_000) },
  )
})

const accepting = (coding: string) => new Headers({ "Accept-Encoding": coding })
const far = "x,".repeat(128)
test("entries beyond 256 characters are ignored", () => {
  expect(negotiateLocale(`tr,${far}`, "en")).toBe("tr")
  expect(negotiateLocale(`${far}tr`, "en")).toBe("en")
  expect(acceptsGzip(accepting(`gzip,${far}`))).toBe(true)
  expect(acceptsGzip(accepting(`${far}gzip`))).toBe(false)
  const findTag = (sent: string) => findCurrentTag(new Headers({ "If-None-Match": sent }), '"a"')
  expect(findTag(`"a",${far}`)).toBe('"a"')
  expect(findTag(`${far}"a"`)).toBeNull()
})
