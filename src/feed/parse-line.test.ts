import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { prepareNoKey } from "../../tests/harness/feed/parse-single-line.ts"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { account, item, type Line, purchase } from "../../tests/harness/records.ts"
import { findShortIdentity } from "./full-sync.ts"
import { asOfWrite, parseLine } from "./parse-line.ts"

const options = {
  prepareKey: prepareNoKey,
  timeZone: null,
  chooseAsOf: asOfWrite,
  onEnd: () => {},
}

const lineOf = (text: string | Uint8Array) => ({
  number: 3,
  bytes: typeof text === "string" ? new TextEncoder().encode(text) : text,
  isOversize: false,
  isEnd: true,
})
const problemsOf = (text: string) =>
  parseLine(lineOf(text), options)?.problems?.map(({ field, code }) => `${field}: ${code}`)
const printed = (line: Line) => JSON.stringify(line)

describe("a rejected line has all of its problems", () => {
  test("of an item, except those of fields with a default", () => {
    const bad = item("", 0, {
      currency: "EURO",
      tags: ["a", 1, "b", null],
      media: { thumbnail: "ftp://a", icon: "https://a" },
      price: { regular: "nineteen" },
      demolink: "https://a",
    })
    expect(problemsOf(printed(bad))).toEqual([
      "author: missing",
      "id: not_an_integer",
      "media.icon: unknown_field",
      "price.regular: not_a_number",
      "price.extended: missing",
      "currency: not_a_currency",
      "demolink: unknown_field",
    ])
  })

  test("of the JSON and of the record, one for each field", () => {
    const text = printed(purchase("abc", 1, { currency: 1 })).replace("19.99", '1e400,"date":1')
    expect(problemsOf(text)).toEqual([
      "price: too_many_digits",
      "date: duplicate_field",
      "currency: not_a_string",
    ])
  })

  test("up to fifty: the size of a rejection is bounded", () => {
    const tags = Array.from({ length: 400_000 }, () => 1)
    expect(problemsOf(printed(item("elif", 1, { tags, currency: "" })))?.length).toBe(1)
    const unknownFields = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`x${at}`, 1]),
    )
    expect(problemsOf(printed(account("elif", unknownFields)))?.length).toBe(50)
    expect(problemsOf(`{${'"a":1,'.repeat(100_000)}"b":2}`)?.length).toBe(2)
  })
})

describe("a line is identified by", () => {
  const long = "x".repeat(300)
  test.each<[string, string, unknown]>([
    ["its username", printed(account("elif")), { type: "account", identity: "elif" }],
    ["its id", printed(item("elif", 1229)), { type: "item", identity: "1229" }],
    ["its code", printed(purchase("abc", 1)), { type: "purchase", identity: "abc" }],
    [
      "an id that is not an integer",
      '{"type":"item","id":"12a"}',
      { type: "item", identity: "12a" },
    ],
    [
      "a long name, shortened",
      printed(account(long)),
      { type: "account", identity: `${long.slice(0, 100)}…` },
    ],
    ["its type alone", '{"type":"item","id":{}}', { type: "item" }],
    ["its type alone: a code of blanks", printed(purchase(" \u200b", 1)), { type: "purchase" }],
    ["nothing: no type", '{"id":12}', {}],
    ["nothing: an unknown type", '{"type":"toString","id":12}', {}],
    ["nothing: not JSON", '{"type":"item","id":12', {}],
    ["nothing: not an object", "null", {}],
  ])("%s", (_, text, identity) => {
    expect(findShortIdentity(lineOf(text))).toEqual(identity as object)
  })

  test("nothing if it is not UTF-8 or is oversize", () => {
    expect(findShortIdentity(lineOf(new Uint8Array([0x22, 0xff, 0x22])))).toEqual({})
    expect(findShortIdentity({ ...lineOf(printed(account("elif"))), isOversize: true })).toEqual({})
  })
})

test("any line is a record, is empty, or has problems", () => {
  const fields = fc.dictionary(
    fc.constantFrom("type", "id", "username", "media", "price", "profile", "version", "__proto__"),
    fc.oneof(
      fc.constantFrom<unknown>(
        "account",
        "item",
        "purchase",
        "key",
        "1.x",
        "",
        null,
        [],
        -0,
        "\ud800",
      ),
      fc.jsonValue({ maxDepth: 3 }),
    ),
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ unit: "binary" }).map((text) => new TextEncoder().encode(text)),
    fc.oneof(fields, fc.jsonValue()).map((value) => lineOf(JSON.stringify(value)).bytes),
  )
  fc.assert(
    fc.property(bytes, (any) => {
      const line = lineOf(any)
      const parsed = parseLine(line, options)
      if (parsed === null) expect(new TextDecoder().decode(any).trim()).toBe("")
      else expect(parsed.record === null).toBe(parsed.problems !== null)
      findShortIdentity(line)
    }),
    { numRuns: propertyRuns(5_000) },
  )
})
