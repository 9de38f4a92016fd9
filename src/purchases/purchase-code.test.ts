import { describe, expect, spyOn, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { isPlaceholder } from "../platform/text.ts"
import { shownCode } from "../usage/usage.ts"
import { isStorablePurchaseCode, normalizePurchaseCode } from "./purchase.ts"

const uuid = "0fc98ff0-1111-4222-8333-ff4444444444"

const pasted: readonly (readonly [how: string, typed: string, code: string])[] = [
  ["unchanged", uuid, uuid],
  ["in upper case, which the look-up ignores", uuid.toUpperCase(), uuid.toUpperCase()],
  ["with the ligature U+FB00", uuid.replaceAll("ff", "\ufb00"), uuid],
  ["in full width", "ＡＢ１２－ｃｄ", "AB12-cd"],
  ["with an en dash", uuid.replaceAll("-", "\u2013"), uuid],
  ["with zero-width spaces", [...uuid].join("\u200b"), uuid],
  ["with a byte order mark", `\ufeff${uuid}`, uuid],
  ["with soft hyphens", "ab\u00adcd", "abcd"],
  ["with control characters", "\0ab\x07cd\x9f", "abcd"],
  ["with line breaks inside and around", "\r\nab\ncd\r\n", "abcd"],
  ["with no-break spaces around", `\u00a0${uuid}\u00a0`, uuid],
  ["with a space inside, which it keeps", "ab cd", "ab cd"],
  ["with a combining accent", "e\u0301", "é"],
  ["with a combining accent after an invisible character", "e\u200b\u0301", "é"],
  ["with a character that becomes a space and a mark", "\u00afab", "\u0304ab"],
  ["whitespace only", " \u200b\n", ""],
  ["of control characters only", "\0\x01", ""],
]

test.each(pasted)("pasted %s", (_, typed, code) => {
  expect(normalizePurchaseCode(typed)).toBe(code)
})

/** The Unicode 15 property Dash. */
const dashes = [
  0x2d, 0x58a, 0x5be, 0x1400, 0x1806, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2053,
  0x207b, 0x208b, 0x2212, 0x2e17, 0x2e1a, 0x2e3a, 0x2e3b, 0x2e40, 0x2e5d, 0x301c, 0x3030, 0x30a0,
  0xfe31, 0xfe32, 0xfe58, 0xfe63, 0xff0d, 0x10ead,
]

test("every Unicode dash becomes a hyphen-minus", () => {
  const strays = dashes.filter(
    (dash) => normalizePurchaseCode(`a${String.fromCodePoint(dash)}b`) !== "a-b",
  )
  expect(strays).toEqual([])
})

test("non-ASCII letters are never folded: the Turkish i and the Kelvin sign", () => {
  expect(["ı", "İ", "i", "I"].map(normalizePurchaseCode)).toEqual(["ı", "İ", "i", "I"])
})

test("placeholders for missing codes are recognized, in any case", () => {
  const none =
    "N/A n.a. NA none None NULL null nil NaN undefined unknown test TEST demo dummy xxx yok boş"
  const marks = ["-", "--", "—", ".", "?", "#", "***", "0", "00", "0.0", "0-0-0", "(0)", " - "]
  const zeros = "00000000-0000-0000-0000-000000000000"
  const codes = [...none.split(" "), ...marks, zeros, "no code"]
  const forms = codes.map((code) => normalizePurchaseCode(code) ?? "")
  expect(codes.filter((_, at) => !isPlaceholder(forms[at] ?? ""))).toEqual([])
})

test("any other text may be a code, even a short one", () => {
  const codes = ["a", "1", "x0", "0b7d3c1e", "test-regular", "testy", "none-1", "NA-1", "ı", "漢"]
  expect(codes.filter(isPlaceholder)).toEqual([])
})

const tooMuch: readonly (readonly [what: string, typed: string])[] = [
  ["256 characters", "a".repeat(256)],
  ["256 characters outside the basic plane", "😀".repeat(256)],
  ["text that grows beyond 255 characters in normal form", "\ufdfa".repeat(15)],
  ["two characters with 1,019 invisible ones between them", `a${"\u200b".repeat(1_019)}b`],
  ["half of a surrogate pair", "ab\ud800cd"],
  ["the other half", "ab\udc00"],
  ["the halves in the wrong order", "\udc00\ud800"],
]

test.each(tooMuch)("%s cannot be a code", (_, typed) => {
  expect([normalizePurchaseCode(typed), isStorablePurchaseCode(typed)]).toEqual([null, false])
})

const justFits: readonly (readonly [what: string, typed: string, code: string])[] = [
  ["255 characters", "a".repeat(255), "a".repeat(255)],
  ["255 characters outside the basic plane", "😀".repeat(255), "😀".repeat(255)],
  ["255 characters and surrounding whitespace", ` ${"a".repeat(255)}\n`, "a".repeat(255)],
  ["255 characters, each pasted with an invisible one", "a\u200b".repeat(255), "a".repeat(255)],
  ["two characters, pasted with 1,018 invisible ones", `a${"\u200b".repeat(1_018)}b`, "ab"],
  [
    "a code in 100,000 whitespace characters",
    `${" ".repeat(50_000)}ab${"\t".repeat(50_000)}`,
    "ab",
  ],
  [
    "text that grows to 252 characters in normal form",
    "\ufdfa".repeat(14),
    "صلى الله عليه وسلم".repeat(14),
  ],
]

test.each(justFits)("%s can be validated", (_, typed, code) => {
  expect(normalizePurchaseCode(typed)).toBe(code)
})

test("a pasted text is a code, empty or invalid", () => {
  expect(normalizePurchaseCode(" a\u2013b ")).toBe("a-b")
  expect(normalizePurchaseCode(" \u200b ")).toBe("")
  expect(normalizePurchaseCode("a".repeat(256))).toBeNull()
})

test("a letter with more than thirty combining marks is rejected: sorting a thousand takes 40 ms", () => {
  const marks = (count: number) => `q${"\u0316\u0301".repeat(count / 2)}`
  expect(normalizePurchaseCode(marks(30))).toBe(`q${"\u0316".repeat(15)}${"\u0301".repeat(15)}`)
  expect(normalizePurchaseCode(`${marks(30)}\u0301`)).toBeNull()
  expect(normalizePurchaseCode(`${marks(30)}\u200b\u0301`)).toBeNull()
  // NFKC decomposes each of these characters into two combining marks.
  expect(normalizePurchaseCode(`a${"\u0344".repeat(16)}`)).toBeNull()
  expect(normalizePurchaseCode(marks(1_000_000))).toBeNull()
  const normalize = spyOn(String.prototype, "normalize")
  // NFKC turns these two letters into combining marks.
  expect(normalizePurchaseCode(`q${"\u0301\uff9e".repeat(16)}`)).toBeNull()
  expect(normalizePurchaseCode(`q${"\u0301\uff9f".repeat(16)}`)).toBeNull()
  expect(normalize).not.toHaveBeenCalled()
  normalize.mockRestore()
})

const unstorable: readonly (readonly [what: string, code: string])[] = [
  ["an empty code", ""],
  ["whitespace", " "],
  ["trailing whitespace", "ab "],
  ["an en dash", "a\u2013b"],
  ["a ligature", "\ufb00"],
  ["a zero-width space", "a\u200bb"],
  ["a control character", "a\x07b"],
  ["a combining accent", "e\u0301"],
  ["the replacement character", "ab\ufffdcd"],
]

test.each(unstorable)("%s cannot be stored", (_, code) => {
  expect(isStorablePurchaseCode(code)).toBe(false)
})

test.each([uuid, "a", "ab cd", "Ürün-1", "漢字", "😀".repeat(255), "~!@#$%^&*()", '"\\/'])(
  "%p can be stored",
  (code) => {
    expect(isStorablePurchaseCode(code)).toBe(true)
  },
)

describe("the normal form", () => {
  test("is idempotent for every code point, alone and between letters", () => {
    const unstable: string[] = []
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const character = String.fromCodePoint(point)
      for (const text of [character, `a${character}b`]) {
        const once = normalizePurchaseCode(text)
        // Unchanged text is stable.
        const isStable = once === text || (once !== null && normalizePurchaseCode(once) === once)
        if (!isStable) unstable.push(point.toString(16))
      }
    }
    expect(unstable).toEqual([])
  })

  /** Characters that normalization joins, splits, sorts, removes or replaces. */
  const changedByNormalization = [
    ..."aeIiıİſ\u0130\u212a- ~",
    ..."\u0301\u0316\u0327\u0338\u0345\u0308\u034f\u3099\u309a\u093c\u05bf\u0e33",
    ..."\u1100\u1161\u11a8\uac00\u115f\u1160\u3164\uffa0\u{1d165}\u{1d173}",
    ..."\ufb00\ufb2c\ufdfa\uff0d\u2013\u2014\u2212\u301c\u207b\u1806\u00ad\u200b\u200d\ufeff",
    ..."\u00af\u00a8\u2017\u037a\u1fbf\u2028\u3000\u00a0\u0085\0\n\ufe0f\u{e0101}\u{1f600}\ufffd",
  ]
  const text = fc.string({
    unit: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...changedByNormalization) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
    ),
    maxLength: 300,
  })

  test("is idempotent for any text", () => {
    fc.assert(
      fc.property(text, (typed) => {
        const once = normalizePurchaseCode(typed)
        expect(once === null ? null : normalizePurchaseCode(once)).toBe(once)
      }),
      { numRuns: propertyRuns(20_000) },
    )
  })

  test("never turns one storable code into another", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const stored = [one, other, normalizePurchaseCode(one), normalizePurchaseCode(other)]
          .filter((code) => code !== null)
          .filter(isStorablePurchaseCode)
        expect(stored.map(normalizePurchaseCode)).toEqual(stored)
      }),
      { numRuns: propertyRuns(5_000) },
    )
  })

  test("has no invisible character, no dash but the hyphen-minus, and at most 255 characters", () => {
    fc.assert(
      fc.property(text, (typed) => {
        const code = normalizePurchaseCode(typed) ?? ""
        const strays = [...code].filter(
          (character) =>
            /[\p{Cc}\u200b-\u200f\u2060\ufeff\u00ad]/u.test(character) ||
            (character !== "-" && dashes.includes(character.codePointAt(0) ?? 0)),
        )
        expect({ strays, isLong: [...code].length > 255 }).toEqual({ strays: [], isLong: false })
      }),
      { numRuns: propertyRuns(5_000) },
    )
  })
})

describe("a rejected code", () => {
  test("of the author is shown in full", () => {
    expect(shownCode({ code: uuid, isOwn: true })).toBe(uuid)
  })

  test("of another author shows only its ends, fewer characters the shorter it is", () => {
    const codes = [uuid, "1234567890abcdef", "1234567890abcde", "12345678", "abc", "😀😀😀😀😀"]
    const shown = ["0fc9…4444", "1234…cdef", "123…", "12…", "…", "😀…"]
    expect(codes.map((code) => shownCode({ code, isOwn: false }))).toEqual(shown)
  })

  test("in normal form never contains the ellipsis of a masked one", () => {
    expect(normalizePurchaseCode("8f14…3e21")).toBe("8f14...3e21")
  })
})
