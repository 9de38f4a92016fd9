import { expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { isStorablePurchaseCode, listCodeCandidates, normalizePurchaseCode } from "./purchase.ts"

const uuid = "0fc98ff0-1111-4222-8333-ff4444444444"

const messages: readonly (readonly [how: string, text: string, readings: readonly string[][]])[] = [
  ["between words", `Hi, my code is ${uuid} thanks`, [[uuid]]],
  ["on a line of its own", `Hello,\r\n${uuid}\r\nBye`, [[uuid]]],
  ["at the end of a sentence", `It is ${uuid}.`, [[`${uuid}.`, uuid]]],
  ["in quotes", `Kodum: “${uuid}”!`, [[`“${uuid}”!`, uuid]]],
  ["after a label", `code:${uuid}`, [[`code:${uuid}`, uuid]]],
  ["in upper case, which the look-up ignores", uuid.toUpperCase(), [[uuid.toUpperCase()]]],
  ["with en dashes", `my ${uuid.replaceAll("-", "\u2013")} code`, [[uuid]]],
  ["with the ligature U+FB00", `my ${uuid.replaceAll("ff", "\ufb00")} code`, [[uuid]]],
  ["with zero-width spaces", `my ${[...uuid].join("\u200b")} code`, [[uuid]]],
  ["twice", `${uuid} again ${uuid}`, [[uuid]]],
  ["of another form", "my code is PZ/2024_0001 ok", [["PZ/2024_0001"]]],
  ["two of them", `${uuid} or PZ-000001`, [[uuid], ["PZ-000001"]]],
  ["text without a code", "Hello, I lost my code. Bought on 12 May 2024", []],
  ["a long word without a digit", "Unfortunately", []],
  ["an empty text", "", []],
]

test.each(messages)("candidates in a message: %s", (_, text, readings) => {
  expect(listCodeCandidates(text)).toEqual(readings)
})

const unsplit: readonly string[] = [
  ...[
    `${uuid}-1`,
    `x-${uuid}`,
    `${uuid}/2`,
    `1${uuid}`,
    `${uuid}_b`,
    `A1:${uuid}`,
    `${uuid}:${uuid}`,
  ],
]

test.each(unsplit)("%s is one word: its parts are not candidates", (text) => {
  expect(listCodeCandidates(`my code ${text} thanks`)).toEqual([[text]])
})

const sentence = fc
  .array(fc.constantFrom("Hi", "my", "code", "is", "şöyle", "thanks,", "(please)", "—"), {
    maxLength: 6,
  })
  .map((words) => words.join(" "))
const whitespace = fc.constantFrom(" ", "\n", "\r\n", "\t", "\u00a0", "  ")
const code = fc
  .oneof(fc.uuid(), fc.string({ unit: "grapheme-ascii", minLength: 8, maxLength: 40 }))
  .filter((text) => isStorablePurchaseCode(text) && /\d/.test(text) && !/\s/.test(text))

test("a code between words is the only candidate, unchanged first", () => {
  fc.assert(
    fc.property(
      sentence,
      whitespace,
      code,
      whitespace,
      sentence,
      (before, left, sold, right, after) => {
        const words = listCodeCandidates(`${before}${left}${sold}${right}${after}`)
        expect(words.map(([first]) => first)).toEqual([sold])
      },
    ),
    { numRuns: propertyRuns(300) },
  )
})

/** Characters that may be removed from the ends of a word. */
const ends = /^(?:\p{L}+[:=]+)?[^\p{L}\p{N}]*$/u

test("a candidate is a whole word without punctuation or a label at its ends", () => {
  const text = fc.string({
    unit: fc.constantFrom(..."ab1-_/.:=,()\"' \n\u2013\u200b"),
    maxLength: 60,
  })
  fc.assert(
    fc.property(text, (pasted) => {
      const words = pasted.split(/\s+/).map((word) => normalizePurchaseCode(word) ?? "")
      for (const reading of listCodeCandidates(pasted).flat()) {
        const isWhole = words.some((word) => {
          const at = word.lastIndexOf(reading)
          return (
            at >= 0 &&
            ends.test(word.slice(0, at)) &&
            /^[^\p{L}\p{N}]*$/u.test(word.slice(at + reading.length))
          )
        })
        expect([reading, isWhole]).toEqual([reading, true])
      }
    }),
    { numRuns: propertyRuns(500) },
  )
})

test("any text is accepted, and few of its words are candidates", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
      const readings = listCodeCandidates(text)
      expect(readings.length).toBeLessThanOrEqual(30)
      for (const reading of readings.flat()) expect(normalizePurchaseCode(reading)).toBe(reading)
    }),
    { numRuns: propertyRuns(100) },
  )
  const many = Array.from({ length: 40 }, (_, index) => `code-0000${index}`)
  expect(listCodeCandidates(many.join(" "))).toEqual(many.slice(0, 30).map((code) => [code]))
  expect(listCodeCandidates("code-000001 ".repeat(1_000) + "x".repeat(9_000))).toHaveLength(1)
})
