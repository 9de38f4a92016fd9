/**
 * Passwords that are guessed first. The sign-in allows 160 tries in ten minutes for a name, so a guesser
 * can try thousands of passwords, not millions. A few thousand words with rules for their variants cover
 * those; a list of millions would cost megabytes and stop no more guesses.
 */

import { foldLetters } from "../values/fold-letters.ts"
import { commonPatterns, commonWords, singleWords } from "./common-words.ts"

/** Digits and signs that people add to a word: 12, 1905, 2026!. */
const addedCharactersMax = 8
/** A password of fewer different characters, such as 1212111212, is a pattern. */
const distinctCharactersMin = 4
/** A repeated piece counts once; a shorter piece makes no password. */
const pieceCharactersMin = 10
const runCharactersMin = 3
/** So few characters between runs, as in 123456789a, make no password. */
const strayCharactersMax = 2
const nameCharactersMin = 3

/** One or two common words, a sequence, or one repeated piece. */
export function isCommonPassword(password: string): boolean {
  const folded = foldLetters(password)
  return (
    new Set(folded).size < distinctCharactersMin ||
    commonPatterns.has(folded) ||
    pieceLength(folded) < Math.min(pieceCharactersMin, folded.length) ||
    isMadeOfRuns(folded) ||
    isCounted(folded) ||
    // 1122334455 is 12345 to a guesser.
    isMadeOfRuns(folded.replace(/(.)\1+/gu, "$1")) ||
    isMadeOfWords(folded, (text) => isOneOrTwo(text, commonWords) || isVariant(text))
  )
}

/** One of these names, or two, alone or with a few digits or signs. */
export function isMadeOfNames(password: string, names: readonly string[]): boolean {
  const folded = foldLetters(password)
  const known = names.map(foldLetters).flatMap((name) => [name, trimEnds(name)].map(withoutSigns))
  const words = new Set(known.filter((name) => [...name].length >= nameCharactersMin))
  return words.has(withoutSigns(folded)) || isMadeOfWords(folded, (text) => isOneOrTwo(text, words))
}

/** The length of the shortest piece whose repetition gives this text; the last one may be partial. */
function pieceLength(text: string): number {
  for (let length = 1; length <= text.length / 2; length += 1) {
    if (text.slice(length) === text.slice(0, -length)) return length
  }
  return text.length
}

/** Neighbours in the alphabet and on keyboards (QWERTY, Turkish Q and F), accents aside. */
const rows = [
  ...["abcdefghijklmnopqrstuvwxyz", "abccdefgghiijklmnooprsstuuvyz", "12345678901234567890"],
  ...["qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./", "qwertyuiopgu", "asdfghjklsi", "zxcvbnmoc"],
  ...["fggiodrnhpqw", "uieautkmlysx", "jovcczsb", "qazwsxedcrfvtgbyhnujmikolp"],
  ...["1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0"],
  ...["a1b2c3d4e5f6g7h8i9j0", "1a2b3c4d5e6f7g8h9i0j"],
]
const directions = [...rows, ...rows.map((row) => [...row].reverse().join(""))]

function isMadeOfRuns(text: string): boolean {
  let strays = 0
  for (let at = 0; at < text.length; ) {
    const length = runLength(text, at)
    if (length < runCharactersMin) strays += 1
    at += length < runCharactersMin ? 1 : length
  }
  return strays <= strayCharactersMax
}

/** Any short word with the digits that most people add: gazoz12345, hinge777. */
function isCounted(text: string): boolean {
  const [, digits] = /^\p{L}{1,8}(\d{3,})$/u.exec(text) ?? []
  return digits !== undefined && ("1234567890".startsWith(digits) || /^(\d)\1+$/.test(digits))
}

/** How many characters from `at` on stand side by side in one of the rows. */
function runLength(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && directions.some((row) => row.includes(text.slice(at, end + 1)))) {
    end += 1
  }
  return end - at
}

/** Such words, little around them, letters perhaps written as digits and signs. */
function isMadeOfWords(folded: string, areWords: (text: string) => boolean): boolean {
  return listCores(folded).some((core) =>
    [core, spellOut(core)].map(withoutSigns).some((text) => areWords(text)),
  )
}

/** Common additions to a word: `my` and `the` before it, English and Turkish endings after it. */
const opening = /^(?:my|the|mr|im|i|ilove|big|lil|little|super|benim|canim)(?=.{4})/
const ending =
  /(?<=.{4})(?:e?s|y|ie|ed|er|ing|boy|girl|man|baby|lover|fan|[iu]?m|[iu]n|sin|l[ae]r|l[iu]|c[iu]m?|spor)$/

/** A word of the longer list, perhaps backwards, or with something before or after it. */
function isVariant(text: string): boolean {
  const backwards = [...text].reverse().join("")
  return [text, backwards, text.replace(opening, ""), text.replace(ending, "")].some(
    (word) => commonWords.has(word) || singleWords().has(word),
  )
}

/** Without some of the digits and signs at its ends: p@ssw0rd! may end in "d" or in "di". */
function listCores(folded: string): readonly string[] {
  const before = folded.search(/\p{L}|$/u)
  const after = folded.length - folded.replace(/\P{L}+$/u, "").length
  const cores: string[] = []
  for (let start = 0; start <= Math.min(before, addedCharactersMax); start += 1) {
    for (let end = 0; end <= Math.min(after, addedCharactersMax - start); end += 1) {
      cores.push(folded.slice(start, folded.length - end))
    }
  }
  return cores
}

function isOneOrTwo(text: string, words: ReadonlySet<string>): boolean {
  if (words.has(text)) return true
  return Array.from(text).some((_, at) => words.has(text.slice(0, at)) && words.has(text.slice(at)))
}

const trimEnds = (text: string) => text.replace(/^\P{L}+/u, "").replace(/\P{L}+$/u, "")
const withoutSigns = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "")

const letterOf: Readonly<Record<string, string>> = {
  ...{ "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t" },
  ...{ "@": "a", $: "s", "!": "i" },
}
const spellOut = (text: string) => text.replace(/[013457@$!]/g, (sign) => letterOf[sign] ?? sign)
