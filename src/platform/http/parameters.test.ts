import { expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../../tests/harness/full-test-run.ts"
import { trimWhitespace } from "../text.ts"
import { queryParameters } from "./parameters.ts"

const piece = fc.constantFrom("a", "lang", "api_key", "", "=", "&", "&&", "?", "%41", "%", "+", "ü")
const pair = fc.tuple(piece, fc.constantFrom("", "="), piece).map((parts) => parts.join(""))
const form = fc.array(fc.oneof(piece, pair), { maxLength: 8 }).map((pieces) => pieces.join("&"))

test("a form is parsed as URLSearchParams does; the last of several values counts", () => {
  fc.assert(
    fc.property(form, fc.constantFrom("a", "A", "lang", "api_key", ""), (text, name) => {
      const standard = new URLSearchParams(text).getAll(name).at(-1) ?? ""
      expect(queryParameters(text)(name)).toBe(trimWhitespace(standard) === "" ? null : standard)
    }),
    { numRuns: propertyRuns(5_000) },
  )
})
