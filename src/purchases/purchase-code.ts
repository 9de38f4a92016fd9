/** The normal form removes what pasting from e-mails, PDFs and chats adds: ligatures, dashes, invisible characters. */
import { hasAtMost } from "../platform/schema.ts"
import { trimWhitespace } from "../platform/text.ts"

export const purchaseCodeCharactersMax = 255

/** Three invisible characters for each character of the longest code. */
const pastedUnitsMax = 4 * purchaseCodeCharactersMax

/**
 * Normalization sorts the marks of a letter in quadratic time. Unicode's Stream-Safe Text Format allows thirty. NFKC
 * turns the two listed letters into marks.
 */
const longRunOfMarks = /[\p{M}\uff9e\uff9f]{31}/u
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu
const dash = /\p{Dash}/gu
const plain = /^[!-~]*$/

/** Returns null if the text cannot be a code: too long, too many marks, or not well-formed Unicode. */
export function normalizePurchaseCode(pasted: string): string | null {
  const trimmed = trimWhitespace(pasted)
  if (trimmed.length > pastedUnitsMax || !trimmed.isWellFormed()) return null
  const code = plain.test(trimmed) ? trimmed : normalForm(trimmed)
  return code !== null && hasAtMost(code, purchaseCodeCharactersMax) ? code : null
}

type PastedCode =
  | Readonly<{ kind: "code"; code: string }>
  | Readonly<{ kind: "empty" }>
  | Readonly<{ kind: "invalid" }>

export function checkPastedCode(pasted: string): PastedCode {
  const code = normalizePurchaseCode(pasted)
  if (code === null) return { kind: "invalid" }
  return code === "" ? { kind: "empty" } : { kind: "code", code }
}

/** An invisible character between a letter and its accent would keep NFKC from composing them. NFKC can add spaces. */
function normalForm(text: string): string | null {
  const visible = text.replace(invisible, "")
  if (longRunOfMarks.test(visible)) return null
  const normal = trimWhitespace(visible.normalize("NFKC").replace(dash, "-"))
  return longRunOfMarks.test(normal) ? null : normal
}

export function isStorablePurchaseCode(code: string): boolean {
  return code !== "" && normalizePurchaseCode(code) === code && !code.includes("\ufffd")
}

/** In lower case. */
const placeholders: ReadonlySet<string> = new Set(
  [
    "n/a, n.a., n.a, na, n-a, nan, nil, none, null, (null), <null>, undefined, unknown, empty, blank",
    "no, no code, no-code, nocode, missing, pending, tba, tbd, todo, invalid, default, manual, free, gift",
    "test, testing, test code, test-code, testcode, demo, sample, example, dummy, true, false, xxx, xxxx",
    "yok, boş, bos, kod yok, deneme, bilinmiyor, belirsiz, hediye",
  ].flatMap((line) => line.split(", ")),
)

const letterOrDigit = /[\p{L}\p{N}]/u

/** Marketplaces write `N/A`, `-` or `0` for sales without a code. Anybody can guess these. Expects the normal form. */
export const isPlaceholder = (code: string): boolean =>
  placeholders.has(lowerAscii(code)) || !letterOrDigit.test(code.replaceAll("0", ""))

/** Not `toLowerCase`, which turns the Kelvin sign into k: only ASCII letters are case-insensitive. */
export const lowerAscii = (code: string) =>
  /[A-Z]/.test(code) ? code.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : code

const charactersMin = 8
/** Each word costs up to three look-ups. */
const wordsMax = 30
const punctuation = "\"'`‘’“”„«»()\\[\\]{}<>*,;:!?.…"
const opening = new RegExp(`^[${punctuation}]+`, "u")
const closing = new RegExp(`[${punctuation}]+$`, "u")
/** The label in `code:8f14…`. Only letters, so that no part of a code is removed. */
const label = /^\p{L}+[:=]+/u

/**
 * Returns the words of a message that may be codes; only a look-up can tell. Each has up to three readings:
 * unchanged, without surrounding punctuation, without a label. Part of a longer code is never a candidate.
 */
export function listCodeCandidates(pasted: string): readonly (readonly string[])[] {
  const words = new Set(pasted.split(/\p{White_Space}+/u))
  return [...words]
    .map(readWord)
    .filter((readings) => readings.length > 0)
    .slice(0, wordsMax)
}

function readWord(word: string): readonly string[] {
  const whole = normalizePurchaseCode(word) ?? ""
  const bare = whole.replace(opening, "").replace(closing, "")
  const unlabelled = bare.replace(label, "").replace(opening, "")
  return [...new Set([whole, bare, unlabelled])].filter(mayBeCode)
}

const mayBeCode = (text: string) => text.length >= charactersMin && /\d/.test(text)

export type RejectedCode = Readonly<{
  code: string
  /** Whether the author sold it. */
  isOwn: boolean
  /** The site beyond the site limit; absent for other error codes. */
  rejectedSite?: RejectedSite
}>

export type RejectedSite = Readonly<{ site: string; limit: number }>

/** NFKC replaces the ellipsis by three dots, so a masked code never equals a code. */
const ellipsis = "…"
const endCharacters = 4

/** Masks codes that the author did not sell. A typo and another author's code must look the same. */
export function shownCode({ code, isOwn }: RejectedCode): string {
  if (isOwn) return code
  const characters = [...code]
  const shown = Math.min(endCharacters, Math.floor(characters.length / 4))
  const end = characters.length < 4 * endCharacters ? [] : characters.slice(-shown)
  return [...characters.slice(0, shown), ellipsis, ...end].join("")
}
