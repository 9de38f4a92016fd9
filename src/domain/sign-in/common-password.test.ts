import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { runs } from "../../../tests/harness/tier.ts"
import {
  commonPatterns,
  commonWords,
  isCommonPassword,
  isMadeOfNames,
  singleWords,
} from "./common-password.ts"

const common: Readonly<Record<string, readonly string[]>> = {
  "a sequence": [
    "1234567890",
    "0987654321",
    "12345678910",
    "abcdefghij",
    "zyxwvutsrq",
    "123456789a",
  ],
  "a row of keys": [
    "qwertyuiop",
    "poiuytrewq",
    "asdfghjkl;",
    "qwertyuıop",
    "fgğıodrnhp",
    "zxcvbnmöç",
  ],
  "several rows": [
    "qweasdzxc123",
    "qwerty12345",
    "abc1234567",
    "asdf1234asdf",
    "1q2w3e4r5t",
    "1qaz2wsx3edc",
  ],
  "one piece again and again": [
    "aaaaaaaaaa",
    "1212121212",
    "abcabcabcabc",
    "lale lale lale",
    "x7!kx7!kx7!k",
  ],
  "doubled characters": ["1122334455", "aabbccddee", "111222333444"],
  "few characters": ["aaaaabbbbb", "1101001011", "          "],
  "a common word": [
    "password12",
    "Password2026!",
    "P@ssw0rd!!",
    "12password12",
    "letmein1234",
    "pass-word-12",
  ],
  "two common words": ["helloworld1", "adminpassword", "iloveyou mom", "monkeydragon"],
  "a Turkish word": [
    "şifre12345",
    "Galatasaray1905",
    "FENERBAHÇE1907",
    "İstanbul34!!",
    "parola2026",
  ],
  "Turkish words": [
    "seni seviyorum",
    "SENİ SEVİYORUM",
    "canım annem 1",
    "ne mutlu türküm",
    "merhaba dünya",
  ],
  "a name, a place, a brand": ["california", "spongebob1", "Lamborghini!", "cristina1990"],
  "a Turkish name, place, word": ["sanane1234", "Kahramanmaraş", "karanfil2026", "gerizekalı"],
  "a word with a usual beginning or ending": ["mycalifornia", "volleyballs", "karanfilim34"],
  "a word backwards": ["ainrofilac", "drowssap2026"],
  "a short word and usual digits": ["zorbit12345", "Kaltün123", "zorbit7777"],
  "a known pattern": ["1029384756", "3141592653", "!@#$%^&*()", "qawsedrftg"],
}

describe.each(Object.entries(common))("%s is common", (_, passwords) => {
  test.each(passwords.map((password) => [password]))("%p", (password) => {
    expect(isCommonPassword(password)).toBe(true)
  })
})

const fine = [
  ...["zorbit1298", "quiet lantern", "deniz merdiven", "kaltünmerak"],
  ...["nar bülbül pencere", "three unrelated words", "zeytin rüzgâr merdiven", "Tr7kq92mzp"],
  ...[
    "a password nobody had before",
    "xK9!mQ2$vL7@",
    "mor kapı tuz deniz",
    "漢字とかなの合言葉です",
  ],
]
test.each(fine.map((password) => [password]))("%p is not", (password) => {
  expect(isCommonPassword(password)).toBe(false)
})

test("any word of the list is common, however it is written and whatever digits follow", () => {
  const word = fc.constantFrom(...commonWords, ...singleWords())
  const digits = fc.nat({ max: 99_999_999 })
  const spelling = fc.constantFrom(
    (text: string) => text.toUpperCase(),
    (text: string) => text.replaceAll("a", "@").replaceAll("s", "$"),
    (text: string) => text.replaceAll("o", "0").replaceAll("e", "3"),
    (text: string) => text.normalize("NFD").replaceAll("u", "ü").replaceAll("s", "ş"),
  )
  fc.assert(
    fc.property(word, digits, spelling, (text, number, spell) => {
      expect(isCommonPassword(`${spell(text)}${number}`)).toBe(true)
    }),
  )
})

test("any piece under ten characters is common once it is repeated", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 2, maxLength: 9 }),
      fc.integer({ min: 2, max: 8 }),
      (piece, times) => {
        const repeated = piece.repeat(times)
        if (repeated.length >= 10) expect(isCommonPassword(repeated)).toBe(true)
      },
    ),
  )
})

test("random characters are hardly ever common", () => {
  const random = fc.string({
    unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789"),
    minLength: 14,
    maxLength: 14,
  })
  const refused = fc.sample(random, { numRuns: runs(5_000), seed: 7 }).filter(isCommonPassword)
  // The generator likes to repeat characters and boundaries, which people do too.
  expect(refused.length).toBeLessThan(100)
})

test("judges whatever is typed without failing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 256 }), (text) => {
      expect(typeof isCommonPassword(text)).toBe("boolean")
      expect(typeof isMadeOfNames(text, [text, "", "@"])).toBe("boolean")
    }),
  )
})

test("the lists hold what the rules compare with: folded, and no pattern too short to be a password", () => {
  const words = [...commonWords, ...singleWords()]
  expect(words.filter((word) => !/^[a-z]{2,}$/.test(word))).toEqual([])
  expect(new Set(words).size).toBe(words.length)
  expect([...commonPatterns].filter((pattern) => pattern.length < 10)).toEqual([])
  expect(words.length).toBeGreaterThan(5_000)
})

describe("names", () => {
  const names = ["elif_34", "elif.kaya@example.com", "elif.kaya", "example.com"]
  test.each([
    "elif_34",
    "ELİF_34!!",
    "elif3412",
    "elif.kaya@example.com",
    "Elif Kaya 1990",
    "kaya",
  ])("%p", (password) => {
    expect(isMadeOfNames(password, names)).toBe(password !== "kaya")
  })

  test("too short a name refuses nothing", () => {
    expect(isMadeOfNames("al", ["al"])).toBe(false)
    expect(isMadeOfNames("12345678ab", ["ab"])).toBe(false)
  })
})
