import { expect, test } from "bun:test"
import fc from "fast-check"
import { findContentLength } from "./content-length.ts"

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
])("%j is none", (text) => {
  expect(findContentLength(text)).toBeNull()
})

const piece = fc.constantFrom(
  ..."0123456789",
  ...["+", "-", ",", " ", "x", "e", ".", "\t", "\n", "٥"],
)
test("a length is an exact, non-negative integer made of digits alone", () => {
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
    { numRuns: 2_000 },
  )
})
