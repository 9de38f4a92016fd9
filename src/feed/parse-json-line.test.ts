import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { InvalidRecord, Problems } from "../platform/schema.ts"
import { isExactNumber } from "./normalize-record.ts"
import { parseJsonLine } from "./parse-line.ts"

function parse(text: string): unknown {
  const problems = new Problems()
  const value = parseJsonLine(text, problems)
  problems.throwIfAny()
  return value
}

function rejectionOf(text: string): string {
  try {
    parse(text)
    return "accepted"
  } catch (error) {
    if (error instanceof InvalidRecord) return error.message
    throw error
  }
}

const tooManyDigits = "too_many_digits"
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`

const rejectedLines: readonly (readonly [what: string, text: string, rejection: string])[] = [
  ["an empty line", "", "record: invalid_json"],
  ["a truncated record", '{"type":"item","id":12', "record: invalid_json"],
  ["two records", "{} {}", "record: invalid_json"],
  ["a trailing comma", '{"a":1,}', "record: invalid_json"],
  ["single quotes", "{'a':1}", "record: invalid_json"],
  ["NaN", '{"a":NaN}', "record: invalid_json"],
  ["a NUL", '{"a":"\0"}', "record: invalid_json"],
  ["a tab inside a string", '{"a":"\t"}', "record: invalid_json"],
  ["a byte order mark", '\ufeff{"a":1}', "record: invalid_json"],
  ["a number with leading zeros", '{"a":012}', "record: invalid_json"],
  ["a duplicate field", '{"a":1,"a":1}', "a: duplicate_field"],
  ["a duplicate field after another one", '{"a":1,"b":{"a":2},"a":3}', "a: duplicate_field"],
  ["a duplicate nested field", '{"a":{"b":{"c":1,"c":1}}}', "a.b.c: duplicate_field"],
  ["a duplicate field in a list", '{"a":[{"b":1},{"b":1,"b":2}]}', "a.b: duplicate_field"],
  ["a duplicate field, the second one escaped", '{"a":1,"\\u0061":2}', "a: duplicate_field"],
  ["a duplicate field, both escaped", '{"\\u0061":1,"\\u0061":2}', "a: duplicate_field"],
  ["a duplicate field with an escaped quote", '{"\\"":1,"\\u0022":2}', '": duplicate_field'],
  ["a duplicate empty name", '{"":1,"":2}', "record: duplicate_field"],
  ["a duplicate __proto__", '{"__proto__":1,"__proto__":2}', "__proto__: duplicate_field"],
  ["a duplicate field with spaces before the colon", '{"a" :1,"a"\t : 2}', "a: duplicate_field"],
  [
    "a duplicate long name",
    `{"${"n".repeat(200)}":1,"${"n".repeat(200)}":1}`,
    `${"n".repeat(100)}…: duplicate_field`,
  ],
  ["an id beyond 2^53", '{"id":9007199254740993}', `id: ${tooManyDigits}`],
  [
    "a long fraction",
    '{"price":{"regular":19.99000000000000000001}}',
    `price.regular: ${tooManyDigits}`,
  ],
  ["a number in a list", '{"a":[1,12345678901234567890]}', `a: ${tooManyDigits}`],
  ["a number alone", "12345678901234567890", `record: ${tooManyDigits}`],
  ["1e400", '{"balance":1e400}', `balance: ${tooManyDigits}`],
  ["-1e400", '{"balance":-1e400}', `balance: ${tooManyDigits}`],
  ["1e-400, which would become zero", '{"balance":1e-400}', `balance: ${tooManyDigits}`],
  [
    "several problems",
    '{"a":1e400,"b":{"c":1,"c":2},"b":12345678901234567890}',
    `a: ${tooManyDigits}; b.c: duplicate_field; b: duplicate_field`,
  ],
  ["nesting of 33", nested(33), "record: too_deep"],
  ["nesting of 33, with a space", ` ${nested(33)}`, "record: too_deep"],
  ["nesting of 100,000", nested(100_000), "record: too_deep"],
  ["unclosed nesting", "[".repeat(500_000), "record: invalid_json"],
  [
    "objects nested 100,000 deep",
    `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
    "record: too_deep",
  ],
]

test.each(rejectedLines.map(([what, text, rejection]) => [what, rejection, text] as const))(
  "%s: rejected",
  (_, rejection, text) => {
    expect(rejectionOf(text)).toBe(rejection)
  },
)

test("deep nesting is rejected quickly", () => {
  // Without the depth limit, parsing would take minutes.
  expect(rejectionOf(nested(5_000_000))).toBe("record: too_deep")
})

const acceptedLines: readonly (readonly [what: string, text: string, value: unknown])[] = [
  ["spaces", ' { "a" : [ 1 , 2 ] , "b" : { } } ', { a: [1, 2], b: {} }],
  ["a carriage return at the end", '{"a":1}\r', { a: 1 }],
  [
    "slashes escaped as PHP does",
    '{"a":"https:\\/\\/example.com\\/"}',
    { a: "https://example.com/" },
  ],
  ["letters escaped as PHP does", '{"a":"\\u00fcr\\u00fcn \\ud83d\\ude00"}', { a: "ürün 😀" }],
  ["quotes and braces inside strings", '{"a":"\\"{[:,\\\\","b": 1}', { a: '"{[:,\\', b: 1 }],
  ["a string that looks like a field", '{"a": "b", "c": ["a:", "a"]}', { a: "b", c: ["a:", "a"] }],
  [
    "one name in two objects",
    '[{"a":1}, {"a":2}, {"b":{"a":3}}]',
    [{ a: 1 }, { a: 2 }, { b: { a: 3 } }],
  ],
  ["names that differ in case", '{"a":1, "A":2}', { a: 1, A: 2 }],
  ["an amount with trailing zeros", '{"a":19.90}', { a: 19.9 }],
  ["exponents", '{"a":1.99e1,"b":1E2,"c":1e+2,"d":5e-1}', { a: 19.9, b: 100, c: 100, d: 0.5 }],
  ["the largest id", '{"id": 9007199254740991}', { id: 9007199254740991 }],
  ["negative zero", '{"a": -0.0}', { a: -0 }],
  [
    "the largest and the smallest number",
    "[1.7976931348623157e308, 5e-324]",
    [Number.MAX_VALUE, Number.MIN_VALUE],
  ],
  ["nesting of 32", ` ${nested(32)}`, JSON.parse(nested(32))],
]

test.each(acceptedLines)("%s: accepted", (_, text, value) => {
  expect(parse(text)).toEqual(value)
})

describe("for any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 6 })

  test("the output of JSON.stringify is accepted unchanged", () => {
    fc.assert(
      fc.property(value, (any) => {
        const text = JSON.stringify(any)
        expect(JSON.stringify(parse(text))).toBe(text)
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })

  test("the same with spaces is checked field by field and accepted unchanged", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(1, "\t"), (any, space) => {
        const spaced = `${JSON.stringify(any, null, space)} `
        expect(JSON.stringify(parse(spaced))).toBe(JSON.stringify(any))
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })

  test("a duplicate field is rejected at any position", () => {
    const name = fc.string({ unit: "binary", minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(name, value, value, fc.nat({ max: 5 }), (twice, one, other, depth) => {
        const [first, second] = [JSON.stringify(one), JSON.stringify(other)]
        const quoted = JSON.stringify(twice)
        const escaped = `"${[...twice].map(toEscapes).join("")}"`
        const text = `{${quoted}:${first},${escaped}:${second}}`
        const path = [...Array(depth).fill("in"), twice].join(".")
        const wrapped = `${'{"in":'.repeat(depth)}${text}${"}".repeat(depth)}`
        expect(rejectionOf(wrapped)).toBe(`${path}: duplicate_field`)
      }),
      { numRuns: propertyRuns(1_000) },
    )
  })
})

const toEscapes = (character: string) =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")

describe("a number is exact", () => {
  test("if a program prints all of its digits", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const isCommon = Math.abs(number) < 2 ** 53 && Math.abs(number) > 1e-6
        const inFull = isCommon ? [number.toPrecision(17)] : []
        const spellings = [String(number), number.toExponential(), ...inFull]
        expect(spellings.filter((text) => !isExactNumber(text))).toEqual([])
      }),
      { numRuns: propertyRuns(5_000) },
    )
  })

  test("if and only if its decimal value survives", () => {
    const digits = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n })
    fc.assert(
      fc.property(fc.oneof(digits, fc.bigInt({ min: -(2n ** 55n), max: 2n ** 55n })), (integer) => {
        const printed = String(Number(integer))
        const isSame = !printed.includes("e") && BigInt(printed) === integer
        const isSameWithExponent = printed.includes("e") && fromExponent(printed) === integer
        expect(isExactNumber(String(integer))).toBe(isSame || isSameWithExponent)
      }),
      { numRuns: propertyRuns(5_000) },
    )
  })

  test("takes linear time", () => {
    // An algorithm with quadratic time would need an hour.
    expect(isExactNumber(`1${"0".repeat(3_000_000)}1`)).toBe(false)
    expect(isExactNumber(`0.${"0".repeat(3_000_000)}`)).toBe(true)
  })
})

function fromExponent(printed: string): bigint {
  const [mantissa = "", exponent = ""] = printed.split("e+")
  const [whole = "", fraction = ""] = mantissa.split(".")
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length)
}
